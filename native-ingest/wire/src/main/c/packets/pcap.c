#include "pcap.h"

enum { RECORD_BYTES = 16, LEAST_A_FLUSH = 64, AHEAD_BYTES = 1024 };

INLINE uint32_t field(const uint8_t *at, int64_t swapped) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return swapped ? __builtin_bswap32(word) : word;
}

// Whether a packet is in time; it then moves the clock.
INLINE int is_in_time(Clock *clock, int64_t ts_ns) {
    if (ts_ns <= clock->newest_ns) {
        return ts_ns >= clock->newest_ns - clock->lateness_ns;
    }
    if (ts_ns > clock->limit_ns) {
        return 0;
    }
    int64_t limit = ts_ns + clock->reach_ns;
    clock->newest_ns = ts_ns;
    clock->limit_ns = limit < clock->ceiling_ns ? limit : clock->ceiling_ns;
    return 1;
}

// Counts a packet. There must be a place for one more bucket.
INLINE void count(Times *times, int64_t ts_ns) {
    if (ts_ns < times->from_ns || ts_ns >= times->until_ns) {
        int64_t rest = ts_ns % times->bucket_ns;
        times->from_ns = ts_ns - (rest < 0 ? rest + times->bucket_ns : rest);
        times->until_ns = times->from_ns + times->bucket_ns;
        times->bucket[times->buckets].from_ns = times->from_ns;
        times->bucket[times->buckets].packets = 0;
        times->buckets++;
    }
    times->bucket[times->buckets - 1].packets++;
}

// Reads one more packet into the batch.
INLINE int read_one(Pcap *p, Cache *c) {
    const uint8_t *record = p->at;
    if (p->end - record < RECORD_BYTES) {
        return BYTES;
    }
    int64_t captured = field(record + 8, p->swapped);
    if (captured > p->longest) {
        return ODD;
    }
    if (p->end - record - RECORD_BYTES < captured) {
        return BYTES;
    }
    const uint8_t *frame = record + RECORD_BYTES;
    __builtin_prefetch(frame + AHEAD_BYTES);
    int64_t ts_ns = field(record, p->swapped) * INT64_C(1000000000) +
                    field(record + 4, p->swapped) * p->unit_ns + p->shift_ns;
    if (ts_ns >= p->stop_ns) {
        return LATER;
    }
    Packet *packet = &c->batch[c->batched];
    int family = read_ethernet(frame, (uint64_t)captured, field(record + 12, p->swapped),
                               (uint64_t)p->on, packet);
    if (family == 0 || !is_in_time(&p->clock, ts_ns)) {
        return ODD;
    }
    count(&p->times, ts_ns);
    packet->ts_ns = ts_ns;
    packet->came_ns = p->clock.newest_ns;
    uint32_t slot = (uint32_t)(flow_hash(packet, family) & (uint64_t)c->mask);
    __builtin_prefetch(c->slots + slot * c->stride, 1);
    c->slot[c->batched] = slot;
    c->family[c->batched] = (uint8_t)family;
    c->batched++;
    p->passed++;
    p->at = frame + captured;
    return DONE;
}

int pcap_pass(Pcap *p, Cache *c) {
    int reason = DONE;
    p->times.from_ns = p->times.until_ns = p->times.buckets = 0;
    if (group(c) != DONE) {
        return ROOM;
    }
    while (reason == DONE && p->passed < p->most && p->times.buckets + BATCH <= MOST_BUCKETS) {
        while (reason == DONE && c->batched < BATCH && p->passed < p->most) {
            reason = read_one(p, c);
        }
        if (group(c) != DONE) {
            return ROOM;
        }
        if (p->passed >= LEAST_A_FLUSH && p->clock.newest_ns >= p->flush_ns) {
            break;
        }
    }
    return reason;
}
