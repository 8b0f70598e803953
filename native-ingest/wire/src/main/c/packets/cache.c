// Groups packets into GPVs, as io.weir.ingest.cache.GpvCache does: the two give the same GPVs in
// the same order, and GroupingOracleTest holds them against each other.
#include "cache.h"

// io.weir.ingest.cache.SlotLayout.
enum {
    COUNT = 0,
    FAMILY = 2,
    REFUSED = 3,
    WIDE = 4,
    LAST = 8,
    HEADER = 16,
    PORTS = HEADER + 8,
    START = HEADER + 16,
    SRC_MAC = HEADER + 24,
    DST_MAC = HEADER + 32,
    LINK = HEADER + 40,
    REST = HEADER + 48,
    V6_SHIFT = 24,
    TUPLES = 96,
    TUPLE_BYTES = 48,
    NO_WIDE = -1,
};

enum { FULL_V4_BYTES = 56, FULL_V6_BYTES = 80, FULL_V4_ID = 4, FLAG_BITS = 2 };

#define AT(type, address) (*(type *)(address))

INLINE int64_t shift(int family) { return family == 4 ? 0 : V6_SHIFT; }

INLINE char *wide_at(const Cache *c, const char *slot) {
    return c->wide + (int64_t)AT(int32_t, slot + WIDE) * c->wide_tuples * TUPLE_BYTES;
}

// ---- the wheel

INLINE void unlink_slot(Wheel *w, int32_t slot) {
    Link *link = &w->links[slot];
    if (link->bucket == NONE) {
        return;
    }
    if (link->before == NONE) {
        w->first[link->bucket] = link->after;
    } else {
        w->links[link->before].after = link->after;
    }
    if (link->after != NONE) {
        w->links[link->after].before = link->before;
    }
    link->bucket = NONE;
}

INLINE void link_slot(Wheel *w, int32_t slot, int64_t start_ns) {
    int32_t bucket = (int32_t)(start_ns >> w->shift) & (BUCKETS - 1);
    int32_t head = w->first[bucket];
    if (head == NONE || start_ns < w->oldest_ns[bucket]) {
        w->oldest_ns[bucket] = start_ns;
    }
    w->links[slot] = (Link){head, NONE, bucket, 0};
    if (head != NONE) {
        w->links[head].before = slot;
    }
    w->first[bucket] = slot;
}

// ---- writing GPVs

INLINE int64_t layout_id(const Cache *c, int family, int full) {
    return (full || c->layout == FULL ? FULL_V4_ID : (c->layout - 1) * 2) + (family == 6);
}

INLINE int64_t gpv_bytes(const Cache *c, int family, int64_t count, int full) {
    if (full || c->layout == FULL) {
        return (family == 4 ? FULL_V4_BYTES : FULL_V6_BYTES) + count * TUPLE_BYTES;
    }
    return (family == 4 ? 24 : 48) + count * (c->layout == FLOW32 ? 4 : 8);
}

INLINE int64_t writer_of(const Cache *c, const char *header, int family) {
    if (c->writers == 1) {
        return 0;
    }
    uint64_t hash = hash_of((const uint64_t *)header, family == 4 ? 1 : 4);
    return (int64_t)((hash >> 32) * (uint64_t)c->writers >> 32);
}

// Room for a GPV in its ring; 0 if Java must make it.
INLINE char *claim(Cache *c, const char *header, int family, int64_t count, int full) {
    int64_t kind = layout_id(c, family, full) << FLAG_BITS;
    int64_t bytes = gpv_bytes(c, family, count, full);
    int64_t number = writer_of(c, header, family);
    Writer *w = &c->writer[number];
    if (__builtin_expect(w->kind != kind || w->next + bytes > w->end, 0)) {
        c->room_layout = kind >> FLAG_BITS;
        c->room_bytes = bytes;
        c->room_writer = number;
        return 0;
    }
    char *to = w->next;
    w->next += bytes;
    w->gpvs++;
    w->packets += count;
    return to;
}

INLINE void copy_words(char *to, const char *from, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 8) {
        AT(uint64_t, to + i) = AT(uint64_t, from + i);
    }
}

static void write_full(char *to, const char *slot, const char *wide, int64_t count,
                       int64_t narrow, int family) {
    int64_t header = family == 4 ? FULL_V4_BYTES : FULL_V6_BYTES;
    copy_words(to, slot + HEADER, header);
    AT(uint16_t, to + (family == 4 ? 14 : 38)) = (uint16_t)count;
    int64_t in_slot = count < narrow ? count : narrow;
    copy_words(to + header, slot + TUPLES, in_slot * TUPLE_BYTES);
    if (count > narrow) {
        copy_words(to + header + narrow * TUPLE_BYTES, wide, (count - narrow) * TUPLE_BYTES);
    }
}

static void write_flow(char *to, const char *slot, const char *wide, int64_t count,
                       int64_t narrow, int family, int with_sequence) {
    const char *header = slot + HEADER;
    const char *rest = header + (family == 4 ? 8 : 32);
    char *out = to + (family == 4 ? 8 : 32);
    if (family == 4) {
        AT(uint32_t, to) = __builtin_bswap32(AT(uint32_t, header));
        AT(uint32_t, to + 4) = __builtin_bswap32(AT(uint32_t, header + 4));
    } else {
        for (int i = 0; i < 32; i += 8) {
            AT(uint64_t, to + i) = __builtin_bswap64(AT(uint64_t, header + i));
        }
    }
    AT(uint16_t, out) = __builtin_bswap16(AT(uint16_t, rest));
    AT(uint16_t, out + 2) = __builtin_bswap16(AT(uint16_t, rest + 2));
    out[4] = rest[4];
    out[5] = slot[LINK + shift(family) + 4];
    AT(uint16_t, out + 6) = __builtin_bswap16((uint16_t)count);
    AT(uint64_t, out + 8) = __builtin_bswap64(AT(uint64_t, rest + 8));
    char *tuple = out + 16;
    const char *from = slot + TUPLES;
    for (int64_t i = 0; i < count; i++) {
        from = i == narrow ? wide : from;
        uint32_t delta = AT(uint32_t, from) / 1000;
        AT(uint32_t, tuple) = __builtin_bswap32(delta << 12 | AT(uint32_t, from + 4) << 1);
        tuple += 4;
        if (with_sequence) {
            AT(uint32_t, tuple) = __builtin_bswap32(AT(uint32_t, from + 16));
            tuple += 4;
        }
        from += TUPLE_BYTES;
    }
}

INLINE int write_gpv(Cache *c, const char *slot, int family, int64_t count, int full, int cause) {
    char *to = claim(c, slot + HEADER, family, count, full);
    if (to == 0) {
        return ROOM;
    }
    const char *wide = wide_at(c, slot);
    if (full || c->layout == FULL) {
        write_full(to, slot, wide, count, c->narrow, family);
    } else {
        write_flow(to, slot, wide, count, c->narrow, family, c->layout == FLOW64);
    }
    c->packets += count;
    c->gpvs[cause]++;
    return DONE;
}

// Writes the GPV of a slot, which its flow keeps.
static int write_slot(Cache *c, char *slot, int cause) {
    int result = write_gpv(c, slot, slot[FAMILY], AT(uint16_t, slot + COUNT), 0, cause);
    if (result == DONE) {
        AT(uint16_t, slot + COUNT) = 0;
    }
    return result;
}

// Writes the GPV of a slot, and frees the slot with its wide buffer.
static int evict(Cache *c, int32_t index, int cause) {
    char *slot = c->slots + index * c->stride;
    if (AT(uint16_t, slot + COUNT) > 0 && write_slot(c, slot, cause) != DONE) {
        return ROOM;
    }
    int32_t buffer = AT(int32_t, slot + WIDE);
    if (buffer != NO_WIDE) {
        c->free_wide[c->free_count++] = buffer;
    }
    AT(int32_t, slot) = 0; // count, family, refusal
    unlink_slot(&c->wheel, index);
    return DONE;
}

// ---- time

// Empties what has expired; ROOM leaves the rest to the next call.
static int expire(Cache *c, int64_t newest_ns) {
    Wheel *w = &c->wheel;
    int64_t now = (newest_ns - w->timeout_ns) >> w->shift;
    w->expired = w->expired > now ? w->expired : now;
    int64_t from = w->expired - BUCKETS;
    w->emptied = w->emptied > from ? w->emptied : from;
    for (; w->emptied < w->expired; w->emptied++) {
        int32_t *first = &w->first[(w->emptied + 1) & (BUCKETS - 1)];
        while (*first != NONE) {
            if (evict(c, *first, TIMEOUT) != DONE) {
                c->next_advance_ns = INT64_MIN;
                return ROOM;
            }
        }
    }
    c->next_advance_ns = ((w->expired + 1) << w->shift) + w->timeout_ns;
    return DONE;
}

// ---- adding packets

INLINE int is_five_tuple(const char *slot, const Packet *p, int family) {
    const char *header = slot + HEADER;
    int64_t more = shift(family);
    uint64_t other = (AT(uint64_t, header) ^ p->address[0]) |
                     (AT(uint64_t, slot + PORTS + more) ^ p->ports) |
                     (uint64_t)(slot[FAMILY] ^ family);
    if (family == 6) {
        for (int i = 1; i < 4; i++) {
            other |= AT(uint64_t, header + 8 * i) ^ p->address[i];
        }
    }
    return other == 0;
}

INLINE void put_flow(char *slot, const Packet *p, int family, int full) {
    char *rest = slot + shift(family);
    AT(uint64_t, slot + HEADER) = p->address[0];
    if (family == 6) {
        for (int i = 1; i < 4; i++) {
            AT(uint64_t, slot + HEADER + 8 * i) = p->address[i];
        }
    }
    AT(uint64_t, rest + PORTS) = p->ports;
    AT(uint64_t, rest + SRC_MAC) = full ? p->src_mac : 0;
    AT(uint64_t, rest + DST_MAC) = full ? p->dst_mac : 0;
    AT(uint64_t, rest + LINK) = full ? p->link : p->link & ~0xFFFFULL;
    AT(uint64_t, rest + REST) = 0;
}

INLINE void put_tuple(char *to, const Packet *p, int64_t delta_ns) {
    AT(uint64_t, to) = p->tuple[0] | (uint32_t)delta_ns;
    for (int i = 1; i < 6; i++) {
        AT(uint64_t, to + 8 * i) = p->tuple[i];
    }
}

INLINE int fits(const Cache *c, const Packet *p) {
    return c->layout == FULL || (p->tuple[0] >> 32 < 2048 && p->link >> 40 == 0);
}

// Writes a packet that is not grouped.
static int add_single(Cache *c, const Packet *p, int family, int fit) {
    char *single = c->slots + (c->mask + 1) * c->stride;
    int full = c->layout == FULL || !fit;
    put_flow(single, p, family, full);
    AT(int64_t, single + START + shift(family)) = p->ts_ns;
    put_tuple(single + TUPLES, p, 0);
    return write_gpv(c, single, family, 1, full, fit ? TIMEOUT : UNFIT);
}

static int add_apart(Cache *c, const Packet *p, int family, int32_t index, int fit) {
    char *slot = c->slots + index * c->stride;
    if (is_five_tuple(slot, p, family) && evict(c, index, fit ? TIMEOUT : UNFIT) != DONE) {
        return ROOM;
    }
    return add_single(c, p, family, fit);
}

static int narrow_filled(Cache *c, char *slot) {
    if (slot[REFUSED] == 0) {
        if (c->free_count > 0) {
            AT(int32_t, slot + WIDE) = c->free_wide[--c->free_count];
            return DONE;
        }
        slot[REFUSED] = 1;
        c->wide_refused++;
    }
    return write_slot(c, slot, NARROW_FULL);
}

// Adds a packet at the end of its GPV. That is done once, also if the GPV then finds no room.
INLINE int append(Cache *c, char *slot, int32_t index, int64_t count, const Packet *p,
                  int family) {
    int64_t *start = &AT(int64_t, slot + START + shift(family));
    if (count == 0) {
        unlink_slot(&c->wheel, index);
        link_slot(&c->wheel, index, p->ts_ns);
        *start = p->ts_ns;
    }
    char *tuple = count < c->narrow
                      ? slot + TUPLES + count * TUPLE_BYTES
                      : wide_at(c, slot) + (count - c->narrow) * TUPLE_BYTES;
    put_tuple(tuple, p, p->ts_ns - *start);
    AT(int64_t, slot + LAST) = p->ts_ns;
    AT(uint16_t, slot + COUNT) = (uint16_t)(count + 1);
    int result = DONE;
    if (count + 1 == c->narrow) {
        if (AT(int32_t, slot + WIDE) == NO_WIDE) {
            result = narrow_filled(c, slot);
            c->due_cause = NARROW_FULL;
        }
    } else if (count + 1 == c->narrow + c->wide_tuples) {
        result = write_slot(c, slot, WIDE_FULL);
        c->due_cause = WIDE_FULL;
    }
    if (result != DONE) {
        c->due_slot = index;
    }
    return result;
}

INLINE int add(Cache *c, const Packet *p, int family, int32_t index) {
    if (p->came_ns >= c->next_advance_ns && expire(c, p->came_ns) != DONE) {
        return ROOM;
    }
    char *slot = c->slots + index * c->stride;
    int fit = fits(c, p);
    if (__builtin_expect(!fit || p->ts_ns >> c->wheel.shift <= c->wheel.expired, 0)) {
        return add_apart(c, p, family, index, fit);
    }
    int full = c->layout == FULL;
    const char *rest = slot + shift(family);
    uint64_t other = AT(uint64_t, rest + LINK) ^ (full ? p->link : p->link & ~0xFFFFULL);
    other |= full ? (AT(uint64_t, rest + SRC_MAC) ^ p->src_mac) |
                        (AT(uint64_t, rest + DST_MAC) ^ p->dst_mac)
                  : 0;
    int64_t count = AT(uint16_t, slot + COUNT);
    if (is_five_tuple(slot, p, family) && other == 0) {
        if (count > 0) {
            int back = p->ts_ns < AT(int64_t, slot + LAST);
            if (back || p->ts_ns - AT(int64_t, rest + START) > c->max_delta_ns) {
                if (write_slot(c, slot, back ? TIME_BACK : DELTA_OVERFLOW) != DONE) {
                    return ROOM;
                }
                count = 0;
            }
        }
    } else {
        if (slot[FAMILY] != 0 && evict(c, index, COLLISION) != DONE) {
            return ROOM;
        }
        put_flow(slot, p, family, full);
        slot[FAMILY] = (char)family;
        AT(int32_t, slot + WIDE) = NO_WIDE;
        count = 0;
    }
    return append(c, slot, index, count, p, family);
}

int group(Cache *c) {
    if (c->due_slot >= 0) {
        char *slot = c->slots + c->due_slot * c->stride;
        if (write_slot(c, slot, (int)c->due_cause) != DONE) {
            return ROOM;
        }
        c->due_slot = -1;
    }
    if (c->grouped == 0) {
        // The header's line was asked for when the packet was read; the tuple's place is in it.
        for (int64_t i = 0; i < c->batched; i++) {
            const char *slot = c->slots + c->slot[i] * c->stride;
            int64_t count = AT(uint16_t, slot + COUNT);
            const char *tuple = count < c->narrow
                                    ? slot + TUPLES + count * TUPLE_BYTES
                                    : wide_at(c, slot) + (count - c->narrow) * TUPLE_BYTES;
            __builtin_prefetch(tuple, 1);
            __builtin_prefetch(tuple + TUPLE_BYTES - 1, 1);
        }
    }
    while (c->grouped < c->batched) {
        int64_t i = c->grouped;
        int result = add(c, &c->batch[i], c->family[i], (int32_t)c->slot[i]);
        if (result != DONE) {
            // A packet that was appended is in; only its GPV waits.
            c->grouped += c->due_slot >= 0;
            return result;
        }
        c->grouped++;
    }
    c->batched = 0;
    c->grouped = 0;
    return DONE;
}
