// Checks any bytes as a datagram. libFuzzer calls it; so does main below, without libFuzzer.
#include <stdio.h>
#include <stdlib.h>

#include "../../main/c/gpv/block.h"

// A sound block's GPVs lie in the datagram, and have as many packets as its header says.
static void check(const uint8_t *bytes, size_t size) {
    GpvBlock block;
    if (gpv_check(bytes, (uint32_t)size, &block) != GPV_SOUND) {
        return;
    }
    const GpvLayout *layout = &GPV_LAYOUTS[block.layout];
    const uint8_t *at = (const uint8_t *)(uintptr_t)block.gpvs_at;
    const uint8_t *end = at + block.gpvs_bytes;
    uint32_t packets = 0;
    for (int i = 0; i < block.gpvs; i++) {
        uint16_t count = gpv_get16(at + layout->count_at);
        count = layout->is_big_endian ? count : __builtin_bswap16(count);
        at += layout->header_bytes + count * layout->tuple_bytes;
        packets += count;
    }
    if (at != end || end != bytes + size || packets != block.packets) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check(data, size);
    return 0;
}

#ifndef WITH_LIBFUZZER
// Turns random bytes of sound blocks, of their exact length, so that ASan sees each step outside.
static uint64_t state;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static uint8_t *made(size_t *size) {
    uint8_t layout = (uint8_t)draw(GPV_LAYOUT_COUNT);
    const GpvLayout *l = &GPV_LAYOUTS[layout];
    uint32_t gpvs = draw(4);
    uint32_t count = 1 + draw(8);
    *size = GPV_HEADER_BYTES + gpvs * (l->header_bytes + count * l->tuple_bytes);
    uint8_t *bytes = calloc(1, *size);
    memcpy(bytes, "WGPV", 4);
    bytes[GPV_AT_VERSION] = GPV_VERSION;
    bytes[GPV_AT_LAYOUT] = layout;
    bytes[GPV_AT_GPVS + 1] = (uint8_t)gpvs;
    bytes[GPV_AT_PACKETS + 1] = (uint8_t)(gpvs * count);
    bytes[GPV_AT_WATERMARK + 7] = 1;
    for (uint32_t i = 0; i < gpvs; i++) {
        uint8_t *gpv = bytes + GPV_HEADER_BYTES + i * (l->header_bytes + count * l->tuple_bytes);
        gpv[l->count_at + (l->is_big_endian ? 1 : 0)] = (uint8_t)count;
    }
    return bytes;
}

int main(int argc, char **argv) {
    long runs = argc > 1 ? atol(argv[1]) : 1000000;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    long sound = 0;
    for (long run = 0; run < runs; run++) {
        size_t size;
        uint8_t *bytes = made(&size);
        for (uint32_t flips = draw(4); flips > 0; flips--) {
            bytes[draw((uint32_t)size)] ^= (uint8_t)(1 << draw(8));
        }
        size_t cut = draw(4) == 0 ? draw((uint32_t)size + 1) : size;
        uint8_t *exact = malloc(cut);
        memcpy(exact, bytes, cut);
        GpvBlock block;
        sound += gpv_check(exact, (uint32_t)cut, &block) == GPV_SOUND;
        check(exact, cut);
        free(exact);
        free(bytes);
    }
    printf("%ld of %ld sound\n", sound, runs);
    return sound > 0 && sound < runs ? 0 : 1;
}
#endif
