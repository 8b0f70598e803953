// The calls of io.weir.ingest.wire.gpv.UdpBlocks.
#define _GNU_SOURCE
#include "gpv_udp.h"

// The places that io.weir.ingest.wire.gpv.ReceivedBlock has.
_Static_assert(sizeof(GpvBlock) == 80, "ReceivedBlock.BYTES");
_Static_assert(offsetof(GpvBlock, fault) == 12, "ReceivedBlock.FAULT");
_Static_assert(offsetof(GpvBlock, source) == 16, "ReceivedBlock.SOURCE");
_Static_assert(offsetof(GpvBlock, instance) == 28, "ReceivedBlock.INSTANCE");
_Static_assert(offsetof(GpvBlock, packets) == 32, "ReceivedBlock.PACKETS");
_Static_assert(offsetof(GpvBlock, total) == 40, "ReceivedBlock.TOTAL");
_Static_assert(offsetof(GpvBlock, newest_ns) == 56, "ReceivedBlock.NEWEST");
_Static_assert(offsetof(GpvBlock, sender_high) == 64, "ReceivedBlock.SENDER_HIGH");
// The places that UdpBlocks has.
_Static_assert(offsetof(GpvUdp, dropped) == 8, "UdpBlocks.DROPPED");
_Static_assert(offsetof(GpvUdp, port) == 24, "UdpBlocks.PORT");
_Static_assert(offsetof(GpvUdp, allowed) == 32, "UdpBlocks.ALLOWED");
_Static_assert(offsetof(GpvUdp, blocks) == 32 + 24 * GPV_ALLOWED, "UdpBlocks.BLOCKS");

#define EXPORTED __attribute__((visibility("default")))
#define NATIVE(name) Java_io_weir_ingest_wire_gpv_UdpBlocks_##name

EXPORTED int32_t NATIVE(size)(void *env, void *type) {
    (void)env;
    (void)type;
    return sizeof(GpvUdp);
}

EXPORTED int32_t NATIVE(open)(void *env, void *type, int64_t udp, int64_t high, int64_t low,
                              int32_t port, int32_t buffer_bytes) {
    (void)env;
    (void)type;
    return gpv_open((GpvUdp *)udp, (uint64_t)high, (uint64_t)low, port, buffer_bytes);
}

EXPORTED int32_t NATIVE(receive)(void *env, void *type, int64_t udp, int32_t timeout_ms) {
    (void)env;
    (void)type;
    return gpv_receive((GpvUdp *)udp, timeout_ms);
}

EXPORTED int32_t NATIVE(check)(void *env, void *type, int64_t bytes, int32_t length,
                               int64_t block) {
    (void)env;
    (void)type;
    return (int32_t)gpv_check((const uint8_t *)bytes, (uint32_t)length, (GpvBlock *)block);
}

EXPORTED void NATIVE(close)(void *env, void *type, int64_t udp) {
    (void)env;
    (void)type;
    gpv_close((GpvUdp *)udp);
}
