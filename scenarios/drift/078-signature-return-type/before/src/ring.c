#include "ring.h"

struct ring {
  unsigned int used;
};

unsigned int ring_count_entries(const struct ring *ring)
{
  return ring->used;
}
