#include <stdio.h>

int upload_file(FILE *stream);
