#ifndef RING_H
#define RING_H

struct ring;

/* Number of entries in the ring. */
unsigned int ring_count_entries(const struct ring *ring);

#endif
