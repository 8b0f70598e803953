// Packets of a pcap file, from the bytes that are in memory to the cache.
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

typedef struct {
    const uint8_t *at; // the next record
    const uint8_t *end;
    int64_t swapped;
    int64_t unit_ns;
    int64_t longest; // captured bytes
    int64_t on;      // the interface
    int64_t shift_ns;
    int64_t stop_ns;  // packets from here on stay
    int64_t flush_ns; // come back when the newest time is there
    int64_t most;     // packets to pass
    int64_t passed;
    Clock clock;
    Times times;
} Pcap;

// Passes packets, until there is a reason to come back: DONE, ROOM, ODD, BYTES or LATER. DONE is
// also that the next batch may have more times than there are places.
int pcap_pass(Pcap *p, Cache *c);
