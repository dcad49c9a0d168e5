#include <string.h>

const char *backend_name(int kind)
{
  (void)kind;
  return "Schannel";
}
