// A block of GPVs as a datagram carries it (docs/GPV.md): its places, and the check of its bytes.
#ifndef WEIR_GPV_BLOCK_H
#define WEIR_GPV_BLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    GPV_MAGIC = 0x57475056, // "WGPV"
    GPV_VERSION = 1,

    GPV_AT_MAGIC = 0,
    GPV_AT_VERSION = 4,
    GPV_AT_LAYOUT = 5,
    GPV_AT_INSTANCE = 6,
    GPV_AT_SOURCE = 8,
    GPV_AT_EPOCH = 12,
    GPV_AT_SEQUENCE = 16,
    GPV_AT_GPVS = 20,
    GPV_AT_PACKETS = 22,
    GPV_AT_TOTAL = 24,
    GPV_AT_WATERMARK = 32,
    GPV_HEADER_BYTES = 40,
};

// The places of io.weir.operators.gpv.BlockFault, as far as a datagram can have it.
typedef enum {
    GPV_SOUND,
    GPV_CUT_HEADER,
    GPV_FOREIGN,
    GPV_OTHER_VERSION,
    GPV_UNKNOWN_LAYOUT,
    GPV_CUT_GPV,
    GPV_FALSE_COUNTS,
    GPV_FALSE_TIMES,
    GPV_TOO_LONG,
} GpvFault;

// One layout, as io.weir.operators.gpv.GpvLayout describes it.
typedef struct {
    uint16_t header_bytes;
    uint16_t tuple_bytes;
    uint16_t count_at; // the time of the first packet is 2 bytes behind the count
    uint16_t delta_shift;
    uint32_t unit_ns;
    uint32_t is_big_endian;
} GpvLayout;

static const GpvLayout GPV_LAYOUTS[] = {
    {24, 4, 14, 12, 1000, 1}, // flow32, IPv4
    {48, 4, 38, 12, 1000, 1}, // flow32, IPv6
    {24, 8, 14, 12, 1000, 1}, // flow64, IPv4
    {48, 8, 38, 12, 1000, 1}, // flow64, IPv6
    {56, 48, 14, 0, 1, 0},    // full, IPv4
    {80, 48, 38, 0, 1, 0},    // full, IPv6
};

enum { GPV_LAYOUT_COUNT = sizeof(GPV_LAYOUTS) / sizeof(GPV_LAYOUTS[0]) };

// Times are at most 2^62 ns after 1970.
static const uint64_t GPV_LATEST_NS = (uint64_t)1 << 62;

// The header of a sound block in the host's byte order: io.weir.ingest.wire.gpv.ReceivedBlock.
typedef struct {
    uint64_t gpvs_at; // address of its GPVs
    uint32_t gpvs_bytes;
    uint16_t fault;
    uint16_t layout;
    uint32_t source;
    uint32_t epoch;
    uint32_t sequence;
    uint16_t instance;
    uint16_t gpvs;
    uint32_t packets;
    uint32_t unused;
    uint64_t total;
    uint64_t watermark_ns;
    uint64_t newest_ns; // time of the newest packet; 0 without GPVs
    uint64_t sender_high;
    uint64_t sender_low;
} GpvBlock;

static inline uint16_t gpv_get16(const uint8_t *at) {
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap16(value);
}

static inline uint32_t gpv_get32(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap32(value);
}

static inline uint64_t gpv_get64(const uint8_t *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap64(value);
}

// Walks the GPVs, which must fill the datagram. Sums up their packets, and finds the newest.
static inline GpvFault gpv_walk(const uint8_t *at, const uint8_t *end, GpvBlock *block) {
    const GpvLayout *layout = &GPV_LAYOUTS[block->layout];
    uint32_t packets = 0;
    for (uint32_t i = 0; i < block->gpvs; i++) {
        if (end - at < layout->header_bytes) {
            return GPV_CUT_GPV;
        }
        uint16_t count = gpv_get16(at + layout->count_at);
        uint64_t start_ns = gpv_get64(at + layout->count_at + 2);
        if (!layout->is_big_endian) {
            count = __builtin_bswap16(count);
            start_ns = __builtin_bswap64(start_ns);
        }
        if (count == 0 || (end - at - layout->header_bytes) / layout->tuple_bytes < count) {
            return GPV_CUT_GPV;
        }
        at += layout->header_bytes + (ptrdiff_t)layout->tuple_bytes * count;
        uint32_t delta = gpv_get32(at - layout->tuple_bytes);
        if (!layout->is_big_endian) {
            delta = __builtin_bswap32(delta);
        }
        uint64_t last_ns = start_ns + (uint64_t)(delta >> layout->delta_shift) * layout->unit_ns;
        if (start_ns > GPV_LATEST_NS) {
            return GPV_FALSE_TIMES;
        }
        block->newest_ns = last_ns > block->newest_ns ? last_ns : block->newest_ns;
        packets += count;
    }
    if (at != end) {
        return GPV_CUT_GPV;
    }
    return packets == block->packets ? GPV_SOUND : GPV_FALSE_COUNTS;
}

// Checks the bytes of a datagram, all of them, before any length in them is used.
static inline GpvFault gpv_check(const uint8_t *bytes, uint32_t length, GpvBlock *block) {
    if (length < 4 || gpv_get32(bytes) != GPV_MAGIC) {
        return GPV_FOREIGN;
    }
    if (length < GPV_HEADER_BYTES) {
        return GPV_CUT_HEADER;
    }
    if (bytes[GPV_AT_VERSION] != GPV_VERSION) {
        return GPV_OTHER_VERSION;
    }
    if (bytes[GPV_AT_LAYOUT] >= GPV_LAYOUT_COUNT) {
        return GPV_UNKNOWN_LAYOUT;
    }
    block->gpvs_at = (uint64_t)(uintptr_t)(bytes + GPV_HEADER_BYTES);
    block->gpvs_bytes = length - GPV_HEADER_BYTES;
    block->layout = bytes[GPV_AT_LAYOUT];
    block->instance = gpv_get16(bytes + GPV_AT_INSTANCE);
    block->source = gpv_get32(bytes + GPV_AT_SOURCE);
    block->epoch = gpv_get32(bytes + GPV_AT_EPOCH);
    block->sequence = gpv_get32(bytes + GPV_AT_SEQUENCE);
    block->gpvs = gpv_get16(bytes + GPV_AT_GPVS);
    block->packets = gpv_get16(bytes + GPV_AT_PACKETS);
    block->total = gpv_get64(bytes + GPV_AT_TOTAL);
    block->watermark_ns = gpv_get64(bytes + GPV_AT_WATERMARK);
    block->newest_ns = 0;
    if (block->watermark_ns > GPV_LATEST_NS) {
        return GPV_FALSE_TIMES;
    }
    if (block->total > GPV_LATEST_NS || (block->gpvs == 0 && block->watermark_ns == 0)) {
        return GPV_FALSE_COUNTS; // only a watermark makes sense without GPVs
    }
    return gpv_walk(bytes + GPV_HEADER_BYTES, bytes + length, block);
}

#endif
