#include <stdio.h>

static long tell(FILE *stream)
{
  long file_size;
  file_size = ftell(stream);
  return file_size;
}

int upload_file(FILE *stream)
{
  return tell(stream) > 0;
}
