// A frame's headers as the words that the GPV cache compares and stores.
#pragma once

#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// The words of one packet, as io.weir.ingest.cache.PacketWords has them.
typedef struct {
    uint64_t address[4]; // IPv4: source | destination << 32, zeros; IPv6: source, destination
    uint64_t ports;      // source | destination << 16 | protocol << 32
    uint64_t src_mac, dst_mac; // inner VLAN | MAC << 16; direction | MAC << 16
    uint64_t link; // priority | VLAN << 4 | EtherType << 16 | interface << 32
    int64_t ts_ns;
    int64_t came_ns;   // the newest time of the source when the packet came
    uint64_t tuple[6]; // of the layout `full`, its delta 0
} Packet;

INLINE uint16_t half(const uint8_t *at) {
    uint16_t word;
    memcpy(&word, at, sizeof word);
    return __builtin_bswap16(word);
}

INLINE uint32_t word(const uint8_t *at) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return __builtin_bswap32(word);
}

INLINE uint64_t two_words(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return __builtin_bswap64(word);
}

INLINE uint64_t pair(uint64_t low, uint64_t high) { return (low & 0xFFFFFFFF) | high << 32; }

enum { ICMP = 1, TCP = 6, UDP = 17, ICMPV6 = 58, SCTP = 132 };
enum { ETHERNET_BYTES = 14, TAG_BYTES = 4, IPV4_BYTES = 20, IPV6_BYTES = 40, MOST_TAGS = 2 };
enum { MOST_CAPTURE_BYTES = 0xFFFFFF };
enum { TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86DD };

// The bits of a MAC address in a word that begins with it.
static const uint64_t MAC_BITS = ~UINT64_C(0xFFFF);

INLINE int is_tag(uint32_t type) {
    return type == 0x8100 || type == 0x88A8 || type == 0x9100 || type == 0x9200;
}

// Reads the transport header, which must be whole; the length of it, or -1.
INLINE int64_t read_transport(const uint8_t *at, const uint8_t *end, uint32_t proto, int family,
                              Packet *p) {
    p->tuple[2] = 0;
    switch (proto) {
    case TCP: {
        if (at + 20 > end) {
            return -1;
        }
        uint32_t rest = word(at + 12);
        p->ports |= (uint64_t)half(at) | (uint64_t)half(at + 2) << 16;
        p->tuple[2] = pair(word(at + 4), word(at + 8));
        p->tuple[3] |= (rest & 0xFFFF) | (rest & 0xFF0000);
        return (rest >> 28) * 4;
    }
    case UDP:
    case SCTP: {
        int64_t bytes = proto == UDP ? 8 : 12;
        if (at + bytes > end) {
            return -1;
        }
        p->ports |= (uint64_t)half(at) | (uint64_t)half(at + 2) << 16;
        return bytes;
    }
    case ICMP:
    case ICMPV6:
        if ((proto == ICMP) != (family == 4)) {
            return 0;
        }
        if (at + 4 > end) {
            return -1;
        }
        p->tuple[4] |= (uint64_t)at[0] << 32 | (uint64_t)at[1] << 40;
        return 4;
    default:
        return 0;
    }
}

INLINE int finish(int64_t above, uint64_t header, uint64_t bytes, uint64_t wire, int family,
                  Packet *p) {
    if (above < 0) {
        return 0;
    }
    uint64_t headers = header + (uint64_t)above;
    p->tuple[0] = bytes << 32;
    p->tuple[1] = pair(wire, bytes > headers ? bytes - headers : 0);
    return family;
}

INLINE int read_ipv4(const uint8_t *ip, const uint8_t *end, uint64_t wire, Packet *p) {
    if (ip + IPV4_BYTES > end || ip[0] >> 4 != 4) {
        return 0;
    }
    uint32_t header = (ip[0] & 15) * 4;
    uint32_t total = half(ip + 2);
    if (header < IPV4_BYTES || ip + header > end || (half(ip + 6) & 0x1FFF) != 0 || total == 0) {
        return 0;
    }
    uint32_t proto = ip[9];
    p->address[0] = word(ip + 12) | (uint64_t)word(ip + 16) << 32;
    p->address[1] = p->address[2] = p->address[3] = 0;
    p->ports = (uint64_t)proto << 32;
    uint64_t flags = ip[6] & 0xE0;
    p->tuple[3] = (uint64_t)ip[8] << 32 | (uint64_t)ip[1] << 40 | flags << 56;
    p->tuple[4] |= half(ip + 4);
    const uint8_t *ip_end = ip + total < end ? ip + total : end;
    int64_t above = read_transport(ip + header, ip_end, proto, 4, p);
    return finish(above, header, total, wire, 4, p);
}

INLINE int read_ipv6(const uint8_t *ip, const uint8_t *end, uint64_t wire, Packet *p) {
    if (ip + IPV6_BYTES > end || ip[0] >> 4 != 6) {
        return 0;
    }
    uint32_t payload = half(ip + 4);
    uint32_t proto = ip[6];
    // Extension headers, and a length that the header lacks.
    if (payload == 0 || proto == 0 || proto == 43 || proto == 44 || proto == 60) {
        return 0;
    }
    uint64_t bytes = IPV6_BYTES + payload;
    for (int i = 0; i < 4; i++) {
        p->address[i] = two_words(ip + 8 + 8 * i);
    }
    p->ports = (uint64_t)proto << 32;
    p->tuple[3] = (uint64_t)ip[7] << 32 | (uint64_t)(word(ip) >> 20 & 0xFF) << 40;
    const uint8_t *ip_end = ip + bytes < end ? ip + bytes : end;
    int64_t above = read_transport(ip + IPV6_BYTES, ip_end, proto, 6, p);
    return finish(above, IPV6_BYTES, bytes, wire, 6, p);
}

// The columns of a frame's capture, which is cut to the largest value that the layout holds.
INLINE void read_capture(uint64_t captured, Packet *p) {
    uint64_t most = captured < MOST_CAPTURE_BYTES ? captured : MOST_CAPTURE_BYTES;
    p->tuple[4] = most << 48;
    p->tuple[5] = most >> 16;
}

// Reads an Ethernet frame whose headers are whole and of the usual kinds. Returns 4 or 6; 0 for
// another frame, which the caller leaves to Java. Directions are those of PacketHeaders.
INLINE int read_ethernet(const uint8_t *frame, uint64_t captured, uint64_t wire, uint64_t on,
                         uint64_t direction, Packet *p) {
    if (captured < ETHERNET_BYTES + IPV4_BYTES) {
        return 0;
    }
    const uint8_t *end = frame + captured;
    const uint8_t *at = frame + ETHERNET_BYTES;
    uint64_t tag = 0, inner = 0;
    uint32_t type = half(at - 2);
    read_capture(captured, p);
    if (is_tag(type)) {
        tag = (half(at) & 0xFFF) << 4 | half(at) >> 13;
        for (int tags = 0; is_tag(type); tags++) {
            if (tags == MOST_TAGS || at + TAG_BYTES > end) {
                return 0;
            }
            inner = tags == 1 ? half(at) & 0xFFF : 0;
            type = half(at + 2);
            at += TAG_BYTES;
        }
    }
    p->dst_mac = (two_words(frame) & MAC_BITS) | direction;
    p->src_mac = (two_words(frame + 6) & MAC_BITS) | inner;
    p->link = tag | (uint64_t)type << 16 | on << 32;
    return type == TYPE_IPV4   ? read_ipv4(at, end, wire, p)
           : type == TYPE_IPV6 ? read_ipv6(at, end, wire, p)
                               : 0;
}
