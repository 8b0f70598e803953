// Looks for a datagram of a block in any bytes of a frame.
#include "fuzz.h"

#include "../../main/c/gpv/datagram.h"

// A whole datagram lies in the frame.
static int try_bytes(const uint8_t *bytes, size_t size) {
    Datagram datagram;
    DatagramKind kind = datagram_of(bytes, (uint32_t)size, 23600, 2, &datagram);
    if (kind != DATAGRAM_WHOLE) {
        return 0;
    }
    if (datagram.at < bytes || datagram.at + datagram.length > bytes + size) {
        abort();
    }
    GpvBlock block;
    gpv_check(datagram.at, datagram.length, &block);
    return 1;
}

static size_t make(uint8_t *bytes) {
    size_t at = 12;
    uint32_t payload = draw(100);
    for (uint32_t tags = draw(3); tags > 0; tags--, at += 4) {
        put16(bytes + at, 0x8100);
    }
    int v4 = draw(2) != 0;
    put16(bytes + at, v4 ? 0x0800 : 0x86DD);
    uint8_t *ip = bytes + at + 2;
    ip[0] = v4 ? 0x45 : 0x60;
    ip[v4 ? 9 : 6] = UDP;
    put16(ip + (v4 ? 2 : 4), (v4 ? IPV4_BYTES : 0) + UDP_BYTES + payload);
    uint8_t *udp = ip + (v4 ? IPV4_BYTES : IPV6_BYTES);
    put16(udp + 2, 23600 + draw(2));
    put16(udp + 4, UDP_BYTES + payload);
    return (size_t)(udp - bytes) + UDP_BYTES + payload;
}
