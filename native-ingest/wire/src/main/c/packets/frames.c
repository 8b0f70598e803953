#include "frames.h"

enum { ENHANCED_PACKET = 6, BLOCK_BYTES = 32, BLOCK_HEADER_BYTES = 28 };
enum { RECORD_BYTES = 16, LEAST_A_FLUSH = 64, AHEAD_BYTES = 1024 };
// 2^62 ns, whole seconds: io.weir.ingest.capture.CaptureFile.
#define FARTHEST_NS UINT64_C(4611686018000000000)

enum { AHEAD_FRAMES = 8, LINE_BYTES = 64 };

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

// Reads a frame into the batch; its headers first, so that an odd one moves nothing.
INLINE int take(Pass *p, Cache *c, const Frame *f) {
    if (f->ts_ns >= p->stop_ns) {
        return LATER;
    }
    Packet *packet = &c->batch[c->batched];
    int family = read_ethernet(f->at, f->captured, f->wire, f->on, f->direction, packet);
    if (family == 0 || !is_in_time(&p->clock, f->ts_ns)) {
        return ODD;
    }
    count(&p->times, f->ts_ns);
    packet->ts_ns = f->ts_ns;
    packet->came_ns = p->clock.newest_ns;
    uint32_t slot = (uint32_t)(flow_hash(packet, family) & (uint64_t)c->mask);
    __builtin_prefetch(c->slots + slot * c->stride, 1);
    c->slot[c->batched] = slot;
    c->family[c->batched] = (uint8_t)family;
    c->batched++;
    p->passed++;
    p->wire_bytes += f->wire;
    return DONE;
}

INLINE int read_record(Pass *p, Cache *c, int64_t swapped) {
    const uint8_t *record = p->at;
    if (p->end - record < RECORD_BYTES) {
        return BYTES;
    }
    int64_t captured = field(record + 8, swapped);
    if (captured > p->longest) {
        return ODD;
    }
    if (p->end - record - RECORD_BYTES < captured) {
        return BYTES;
    }
    const uint8_t *at = record + RECORD_BYTES;
    __builtin_prefetch(at + AHEAD_BYTES);
    Frame frame = {
        .at = at,
        .captured = (uint32_t)captured,
        .wire = field(record + 12, swapped),
        .ts_ns = field(record, swapped) * INT64_C(1000000000) +
                 field(record + 4, swapped) * p->unit_ns + p->shift_ns,
        .on = (uint32_t)p->on,
    };
    int reason = take(p, c, &frame);
    if (reason == DONE) {
        p->at = at + captured;
    }
    return reason;
}

// Reads an enhanced packet block without options; all others are odd. Later times would not fit.
INLINE int read_block(Pass *p, Cache *c, int64_t swapped) {
    const uint8_t *block = p->at;
    if (p->end - block < BLOCK_BYTES) {
        return BYTES;
    }
    int64_t bytes = field(block + 4, swapped);
    int64_t captured = field(block + 20, swapped);
    uint64_t units = (uint64_t)field(block + 12, swapped) << 32 | field(block + 16, swapped);
    if (field(block, swapped) != ENHANCED_PACKET || captured > p->longest ||
        bytes != BLOCK_BYTES + ((captured + 3) & -4) || field(block + 8, swapped) != p->on ||
        units >= FARTHEST_NS / (uint64_t)p->unit_ns) {
        return ODD;
    }
    if (p->end - block < bytes) {
        return BYTES;
    }
    if (field(block + bytes - 4, swapped) != bytes) {
        return ODD;
    }
    __builtin_prefetch(block + AHEAD_BYTES);
    Frame frame = {
        .at = block + BLOCK_HEADER_BYTES,
        .captured = (uint32_t)captured,
        .wire = field(block + 24, swapped),
        .ts_ns = (int64_t)units * p->unit_ns + p->shift_ns,
        .on = (uint32_t)p->on,
    };
    int reason = take(p, c, &frame);
    if (reason == DONE) {
        p->at = block + bytes;
    }
    return reason;
}

// Frames lie anywhere: the headers of one that comes soon are asked for.
INLINE int read_frame(Pass *p, Cache *c) {
    const Frame *frame = (const Frame *)p->at;
    const Frame *end = (const Frame *)p->end;
    if (frame == end) {
        return BYTES;
    }
    if (end - frame > AHEAD_FRAMES) {
        __builtin_prefetch(frame[AHEAD_FRAMES].at);
        __builtin_prefetch(frame[AHEAD_FRAMES].at + LINE_BYTES);
    }
    int reason = take(p, c, frame);
    if (reason == DONE) {
        p->at = (const uint8_t *)(frame + 1);
    }
    return reason;
}

INLINE int read_one(Pass *p, Cache *c, int form) {
    switch (form) {
    case FRAMES:
        return read_frame(p, c);
    case BLOCKS:
    case SWAPPED_BLOCKS:
        return read_block(p, c, form == SWAPPED_BLOCKS);
    default:
        return read_record(p, c, form == SWAPPED_RECORDS);
    }
}

INLINE int pass_all(Pass *p, Cache *c, int form) {
    int reason = DONE;
    while (reason == DONE && p->passed < p->most && p->times.buckets + BATCH <= MOST_BUCKETS) {
        while (reason == DONE && c->batched < BATCH && p->passed < p->most) {
            reason = read_one(p, c, form);
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

int pass(Pass *p, Cache *c) {
    p->times.from_ns = p->times.until_ns = p->times.buckets = p->wire_bytes = 0;
    if (group(c) != DONE) {
        return ROOM;
    }
    switch (p->form) {
    case FRAMES:
        return pass_all(p, c, FRAMES);
    case SWAPPED_RECORDS:
        return pass_all(p, c, SWAPPED_RECORDS);
    case BLOCKS:
        return pass_all(p, c, BLOCKS);
    case SWAPPED_BLOCKS:
        return pass_all(p, c, SWAPPED_BLOCKS);
    default:
        return pass_all(p, c, RECORDS);
    }
}
