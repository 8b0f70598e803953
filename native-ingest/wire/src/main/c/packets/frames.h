// Frames in memory, as records of a pcap file or as described by a receive queue: to the cache.
#pragma once

#include "cache.h"

// The time of a source: io.weir.ingest.source.SourceClock.
typedef struct {
    int64_t newest_ns;
    int64_t limit_ns; // a packet up to here moves the newest time without a further check
    int64_t ceiling_ns;
    int64_t reach_ns;
    int64_t lateness_ns;
} Clock;

enum { MOST_BUCKETS = 64 };

// How many packets have passed in this call, by their times: io.weir.ingest.source.PacketGate.
typedef struct {
    int64_t bucket_ns;
    int64_t from_ns, until_ns; // of the last bucket
    int64_t buckets;
    struct {
        int64_t from_ns, packets;
    } bucket[MOST_BUCKETS];
} Times;

enum { UNKNOWN_DIRECTION, INWARD, OUTWARD };

// A received frame, in place: io.weir.ingest.packets.BurstCursor.
typedef struct {
    const uint8_t *at; // the first captured byte
    uint32_t captured;
    uint32_t wire; // bytes on the wire, with the link layer
    int64_t ts_ns;
    uint32_t on; // the interface
    uint8_t direction;
    uint8_t unused[3];
} Frame;

// What lies from Pass.at to Pass.end: records of a pcap file, the same in the other byte order, an
// array of Frame, or blocks of a pcapng file in either byte order.
enum { RECORDS, SWAPPED_RECORDS, FRAMES, BLOCKS, SWAPPED_BLOCKS };

// Frames lent to C: io.weir.ingest.packets.LentFrames.
typedef struct {
    const uint8_t *at; // the next one
    const uint8_t *end;
    int64_t form;
    int64_t unit_ns; // of records and blocks
    int64_t longest; // captured bytes of a record or block
    int64_t on;      // the interface of records; blocks of others are odd
    int64_t shift_ns;
    int64_t stop_ns;  // packets from here on stay
    int64_t flush_ns; // come back when the newest time is there
    int64_t most;     // packets to pass
    int64_t passed;
    Clock clock;
    Times times;
    int64_t wire_bytes; // of the packets of this call
} Pass;

// Passes packets, until there is a reason to come back: DONE, ROOM, ODD, BYTES or LATER. DONE is
// also that the next batch may have more times than there are places.
int pass(Pass *p, Cache *c);
