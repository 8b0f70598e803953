// The GPV cache, over the memory of io.weir.ingest.cache.GpvCache. Java and C take turns with it:
// Java opens blocks, and adds the packets that C does not read.
#pragma once

#include "hash.h"
#include "packet.h"

enum { BATCH = 32, CAUSES = 16 };

// Why a call came back.
enum { DONE = 0, ROOM = 1, ODD = 2, BYTES = 3, LATER = 4 };

// The codes of io.weir.ingest.cache.Eviction.
enum { COLLISION, NARROW_FULL, WIDE_FULL, TIMEOUT, TIME_BACK, DELTA_OVERFLOW, LATE, UNFIT, END };

enum { BUCKETS = 64, NONE = -1 };

// A slot's place in the list of its bucket; NONE is no slot.
typedef struct {
    int32_t after, before, bucket, unused;
} Link;

// The slots by the start time of their GPVs: io.weir.ingest.cache.ExpiryWheel.
typedef struct {
    int64_t timeout_ns;
    int64_t shift;
    int64_t expired; // all buckets up to this one
    int64_t emptied; // all buckets up to this one
    Link *links;
    int64_t oldest_ns[BUCKETS];
    int32_t first[BUCKETS];
} Wheel;

// The open block of a ring, as far as GPVs are written into it: lent by a BlockWriter.
typedef struct {
    int64_t kind; // of the open segment; NONE if none is open
    char *next;
    char *end;
    int64_t gpvs;
    int64_t packets;
} Writer;

// io.weir.ingest.cache.CacheMemory has the same places.
typedef struct {
    char *slots;
    int64_t mask;
    int64_t stride;
    int64_t narrow;
    int64_t wide_tuples;
    char *wide;
    int32_t *free_wide;
    int64_t free_count;
    int64_t layout; // FULL, FLOW32, FLOW64
    int64_t max_delta_ns;
    int64_t next_advance_ns;
    Wheel wheel;
    // Since the last call: GPVs by cause, packets in them, flows without a wide buffer.
    int64_t gpvs[CAUSES];
    int64_t packets;
    int64_t wide_refused;
    // The room that a call asks for.
    int64_t room_layout, room_bytes, room_writer;
    Writer *writer;
    int64_t writers;
    // A slot whose GPV must leave before anything else, and why; NONE if there is none.
    int64_t due_slot;
    int64_t due_cause;
    // Packets that were read and are not in the cache yet.
    int64_t batched, grouped;
    uint32_t slot[BATCH];
    uint8_t family[BATCH];
    Packet batch[BATCH];
} Cache;

enum { FULL, FLOW32, FLOW64 };

// Puts the batch into the cache. Returns DONE; or ROOM, and the caller makes room and calls again.
int group(Cache *c);

// The hash of io.weir.ingest.cache.PacketWords.
INLINE uint64_t flow_hash(const Packet *p, int family) {
    if (family == 4) {
        const uint64_t key[] = {p->address[0], p->ports};
        return hash_of(key, 2);
    }
    const uint64_t key[] = {p->address[0], p->address[1], p->address[2], p->address[3], p->ports};
    return hash_of(key, 5);
}
