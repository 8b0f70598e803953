// Reads any bytes as records of a pcap file and as blocks of a pcapng file, in both byte orders.
// Their frames are packets or not.
#include "fuzz.h"

#include "../../main/c/packets/frames.c"

static Cache cache;

// In place of the cache: nobody looks at the packets.
int group(Cache *c) {
    c->batched = c->grouped = 0;
    return DONE;
}

// Java reads a record or block that C leaves to it. Returns whether there is another one.
static int skip_odd(Pass *p) {
    int is_block = p->form == BLOCKS || p->form == SWAPPED_BLOCKS;
    if (p->end - p->at < RECORD_BYTES) {
        return 0;
    }
    int64_t length = field(p->at + (is_block ? 4 : 8), p->form == SWAPPED_RECORDS ||
                                                           p->form == SWAPPED_BLOCKS);
    int64_t bytes = is_block ? length : RECORD_BYTES + length;
    if (bytes < RECORD_BYTES || bytes > p->end - p->at) {
        return 0;
    }
    p->at += bytes;
    return 1;
}

// Returns whether all of it was read, with a packet at least.
static int try_form(const uint8_t *bytes, size_t size, int64_t form) {
    Pass p = {.at = bytes,
              .end = bytes + size,
              .form = form,
              .unit_ns = 1,
              .longest = 262144,
              .stop_ns = INT64_MAX,
              .flush_ns = INT64_MAX,
              .most = INT64_MAX,
              .clock = {INT64_MIN / 2, INT64_MAX, INT64_MAX, 1000000000, 1000000000},
              .times.bucket_ns = 1000000000};
    int reason = DONE;
    while (reason == DONE || (reason == ODD && skip_odd(&p))) {
        reason = pass(&p, &cache);
    }
    if (p.at < bytes || p.at > bytes + size) {
        abort();
    }
    return p.passed > 0 && p.at == p.end;
}

static int try_bytes(const uint8_t *bytes, size_t size) {
    static const int64_t forms[] = {RECORDS, SWAPPED_RECORDS, BLOCKS, SWAPPED_BLOCKS};
    int taken = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        taken |= try_form(bytes, size, forms[i]);
    }
    return taken;
}

// The headers of a transport protocol, and some payload. Returns their length.
static uint32_t make_transport(uint8_t *at, uint8_t *protocol) {
    static const uint8_t protocols[] = {ICMP, TCP, UDP, ICMPV6, SCTP};
    uint32_t bytes = 40 + draw(20);
    *protocol = protocols[draw(sizeof protocols)];
    for (uint32_t i = 0; i < bytes; i++) {
        at[i] = (uint8_t)draw(256);
    }
    at[12] = 0x50;
    return bytes;
}

static uint32_t make_frame(uint8_t *frame) {
    uint32_t at = 12;
    int v4 = draw(2) != 0;
    for (uint32_t tags = draw(3); tags > 0; tags--, at += TAG_BYTES) {
        put16(frame + at, 0x8100);
    }
    put16(frame + at, v4 ? TYPE_IPV4 : TYPE_IPV6);
    uint8_t *ip = frame + at + 2;
    uint32_t header = v4 ? IPV4_BYTES : IPV6_BYTES;
    uint32_t payload = make_transport(ip + header, ip + (v4 ? 9 : 6));
    ip[0] = v4 ? 0x45 : 0x60;
    put16(ip + (v4 ? 2 : 4), (v4 ? header : 0) + payload);
    return at + 2 + header + payload;
}

static void put_native(uint8_t *at, uint32_t value, int swapped) {
    value = swapped ? __builtin_bswap32(value) : value;
    memcpy(at, &value, sizeof value);
}

static size_t make_record(uint8_t *at, int swapped) {
    uint32_t frame = make_frame(at + RECORD_BYTES);
    put_native(at, 1, swapped);
    put_native(at + 8, frame, swapped);
    put_native(at + 12, frame, swapped);
    return RECORD_BYTES + frame;
}

static size_t make_block(uint8_t *at, int swapped) {
    uint32_t frame = make_frame(at + BLOCK_HEADER_BYTES);
    uint32_t bytes = BLOCK_BYTES + ((frame + 3) & ~3u);
    put_native(at, ENHANCED_PACKET, swapped);
    put_native(at + 4, bytes, swapped);
    put_native(at + 16, 1, swapped);
    put_native(at + 20, frame, swapped);
    put_native(at + 24, frame, swapped);
    put_native(at + bytes - 4, bytes, swapped);
    return bytes;
}

static size_t make(uint8_t *bytes) {
    int swapped = draw(2) != 0, in_blocks = draw(2) != 0;
    uint8_t *at = bytes;
    for (uint32_t items = 1 + draw(4); items > 0; items--) {
        at += in_blocks ? make_block(at, swapped) : make_record(at, swapped);
    }
    return (size_t)(at - bytes);
}
