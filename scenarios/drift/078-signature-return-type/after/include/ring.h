#ifndef RING_H
#define RING_H

struct ring;

/* Number of entries in the ring. */
size_t ring_count_entries(const struct ring *ring);

#endif
