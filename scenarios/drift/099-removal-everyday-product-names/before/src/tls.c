#include <string.h>

const char *backend_name(int kind)
{
  if(kind == 1)
    return "OpenSSL";
  return "Schannel";
}
