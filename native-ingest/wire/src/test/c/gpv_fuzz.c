// Checks any bytes as a block of GPVs.
#include "fuzz.h"

#include "../../main/c/gpv/block.h"

// A sound block's GPVs lie in the datagram, and have as many packets as its header says.
static int try_bytes(const uint8_t *bytes, size_t size) {
    GpvBlock block;
    if (gpv_check(bytes, (uint32_t)size, &block) != GPV_SOUND) {
        return 0;
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
    return 1;
}

static size_t make(uint8_t *bytes) {
    uint8_t layout = (uint8_t)draw(GPV_LAYOUT_COUNT);
    const GpvLayout *l = &GPV_LAYOUTS[layout];
    uint32_t gpvs = draw(3), count = 1 + draw(8);
    memcpy(bytes, "WGPV", 4);
    bytes[GPV_AT_VERSION] = GPV_VERSION;
    bytes[GPV_AT_LAYOUT] = layout;
    bytes[GPV_AT_GPVS + 1] = (uint8_t)gpvs;
    bytes[GPV_AT_PACKETS + 1] = (uint8_t)(gpvs * count);
    bytes[GPV_AT_WATERMARK + 7] = 1;
    uint8_t *gpv = bytes + GPV_HEADER_BYTES;
    for (uint32_t i = 0; i < gpvs; i++) {
        gpv[l->count_at + (l->is_big_endian ? 1 : 0)] = (uint8_t)count;
        gpv += l->header_bytes + count * l->tuple_bytes;
    }
    return (size_t)(gpv - bytes);
}
