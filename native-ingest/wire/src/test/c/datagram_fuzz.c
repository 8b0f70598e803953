// Looks for a datagram in any bytes. libFuzzer calls it; so does main below, without libFuzzer.
#include <stdio.h>
#include <stdlib.h>

#include "../../main/c/gpv/datagram.h"

// A whole datagram lies in the frame.
static int look(const uint8_t *bytes, size_t size) {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    look(data, size);
    return 0;
}

#ifndef WITH_LIBFUZZER
// Turns random bytes of whole frames, of their exact length, so that ASan sees each step outside.
static uint64_t state;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static void put16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
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

int main(int argc, char **argv) {
    long runs = argc > 1 ? atol(argv[1]) : 1000000;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    long whole = 0;
    for (long run = 0; run < runs; run++) {
        uint8_t bytes[256] = {0};
        size_t size = make(bytes);
        for (uint32_t flips = draw(3); flips > 0; flips--) {
            bytes[draw((uint32_t)size)] ^= (uint8_t)(1 << draw(8));
        }
        size_t cut = draw(4) == 0 ? draw((uint32_t)size + 1) : size;
        uint8_t *exact = malloc(cut ? cut : 1);
        memcpy(exact, bytes, cut);
        whole += look(exact, cut);
        free(exact);
    }
    printf("%ld of %ld whole\n", whole, runs);
    return whole > 0 && whole < runs ? 0 : 1;
}
#endif
