// Reads any bytes as records of a pcap file, whose frames are packets or not.
#include "fuzz.h"

#include "../../main/c/packets/frames.c"

static Cache cache;

// In place of the cache: nobody looks at the packets.
int group(Cache *c) {
    c->batched = c->grouped = 0;
    return DONE;
}

// Java reads a record that C leaves to it. Returns whether there is another one.
static int skip_odd(Pass *p) {
    if (p->end - p->at < RECORD_BYTES) {
        return 0;
    }
    int64_t captured = field(p->at + 8, 0);
    if (captured > p->end - p->at - RECORD_BYTES) {
        return 0;
    }
    p->at += RECORD_BYTES + captured;
    return 1;
}

static int try_bytes(const uint8_t *bytes, size_t size) {
    Pass p = {.at = bytes,
              .end = bytes + size,
              .form = RECORDS,
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

static size_t make(uint8_t *bytes) {
    uint8_t *at = bytes;
    for (uint32_t records = 1 + draw(4); records > 0; records--) {
        uint32_t frame = make_frame(at + RECORD_BYTES);
        at[0] = 1;
        memcpy(at + 8, &frame, sizeof frame);
        memcpy(at + 12, &frame, sizeof frame);
        at += RECORD_BYTES + frame;
    }
    return (size_t)(at - bytes);
}
