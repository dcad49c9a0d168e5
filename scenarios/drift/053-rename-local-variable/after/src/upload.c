#include <stdio.h>

static long tell(FILE *stream)
{
  long end_offset;
  end_offset = ftell(stream);
  return end_offset;
}

int upload_file(FILE *stream)
{
  return tell(stream) > 0;
}
