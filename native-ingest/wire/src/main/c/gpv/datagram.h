// Finds a UDP datagram in an Ethernet frame, with VLAN tags or without, over IPv4 or IPv6.
#ifndef WEIR_GPV_DATAGRAM_H
#define WEIR_GPV_DATAGRAM_H

#include "block.h"

// What a frame is. The places are those of io.weir.ingest.wire.dpdk.DpdkBlocks.
typedef enum {
    DATAGRAM_OTHER_FRAME, // no UDP
    DATAGRAM_OTHER_PORT,
    DATAGRAM_FRAGMENT,
    DATAGRAM_CUT_FRAME,    // the buffer ends before the datagram does
    DATAGRAM_FALSE_LENGTH, // the lengths of IP and UDP contradict each other
    DATAGRAM_WHOLE,
} DatagramKind;

typedef struct {
    const uint8_t *at; // the first byte behind the UDP header
    uint32_t length;   // as UDP says: a frame may be padded
    uint64_t sender_high;
    uint64_t sender_low; // an IPv4 address is ::ffff:a.b.c.d
} Datagram;

enum { ETHERNET_BYTES = 14, TAG_BYTES = 4, MOST_TAGS = 2, IPV4_BYTES = 20, IPV6_BYTES = 40 };
enum { UDP = 17, UDP_BYTES = 8, IPV6_FRAGMENT = 44 };

// The bytes of IP's payload that the frame claims, and those that were captured.
static inline DatagramKind udp_in(const uint8_t *udp, uint32_t claimed, uint32_t captured,
                                  uint16_t first_port, uint16_t ports, Datagram *datagram) {
    if (claimed < UDP_BYTES) {
        return DATAGRAM_FALSE_LENGTH;
    }
    if (captured < UDP_BYTES) {
        return DATAGRAM_CUT_FRAME;
    }
    if ((uint16_t)(gpv_get16(udp + 2) - first_port) >= ports) {
        return DATAGRAM_OTHER_PORT;
    }
    uint16_t length = gpv_get16(udp + 4);
    if (length < UDP_BYTES || length > claimed) {
        return DATAGRAM_FALSE_LENGTH;
    }
    if (length > captured) {
        return DATAGRAM_CUT_FRAME;
    }
    datagram->at = udp + UDP_BYTES;
    datagram->length = length - (uint32_t)UDP_BYTES;
    return DATAGRAM_WHOLE;
}

static inline DatagramKind udp_in_ipv4(const uint8_t *ip, uint32_t captured, uint16_t first_port,
                                       uint16_t ports, Datagram *datagram) {
    if (captured < IPV4_BYTES || ip[0] >> 4 != 4 || ip[9] != UDP) {
        return DATAGRAM_OTHER_FRAME;
    }
    if (gpv_get16(ip + 6) & 0x3FFF) { // more fragments, or a place behind the first
        return DATAGRAM_FRAGMENT;
    }
    uint32_t header = (ip[0] & 15u) * 4, total = gpv_get16(ip + 2);
    if (header < IPV4_BYTES || total < header) {
        return DATAGRAM_FALSE_LENGTH;
    }
    if (captured < header) {
        return DATAGRAM_CUT_FRAME;
    }
    datagram->sender_high = 0;
    datagram->sender_low = 0xFFFF00000000u | gpv_get32(ip + 12);
    return udp_in(ip + header, total - header, captured - header, first_port, ports, datagram);
}

static inline DatagramKind udp_in_ipv6(const uint8_t *ip, uint32_t captured, uint16_t first_port,
                                       uint16_t ports, Datagram *datagram) {
    if (captured < IPV6_BYTES || ip[0] >> 4 != 6 || (ip[6] != UDP && ip[6] != IPV6_FRAGMENT)) {
        return DATAGRAM_OTHER_FRAME;
    }
    if (ip[6] == IPV6_FRAGMENT) {
        return DATAGRAM_FRAGMENT;
    }
    datagram->sender_high = gpv_get64(ip + 8);
    datagram->sender_low = gpv_get64(ip + 16);
    return udp_in(ip + IPV6_BYTES, gpv_get16(ip + 4), captured - IPV6_BYTES, first_port, ports,
                  datagram);
}

// Any bytes may come. Reads those of the frame only.
static inline DatagramKind datagram_of(const uint8_t *frame, uint32_t captured,
                                       uint16_t first_port, uint16_t ports, Datagram *datagram) {
    uint32_t at = ETHERNET_BYTES;
    for (int tags = 0; at <= captured; tags++, at += TAG_BYTES) {
        uint16_t type = gpv_get16(frame + at - 2);
        if (type == 0x0800) {
            return udp_in_ipv4(frame + at, captured - at, first_port, ports, datagram);
        }
        if (type == 0x86DD) {
            return udp_in_ipv6(frame + at, captured - at, first_port, ports, datagram);
        }
        if ((type != 0x8100 && type != 0x88A8 && type != 0x9100) || tags == MOST_TAGS) {
            break;
        }
    }
    return DATAGRAM_OTHER_FRAME;
}

#endif
