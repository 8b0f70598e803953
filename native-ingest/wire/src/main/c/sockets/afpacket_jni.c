// The calls of io.weir.ingest.wire.afpacket.AfPacket.
#include <stddef.h>

#include "afpacket.h"

_Static_assert(offsetof(Settings, block_bytes) == 16, "AfPacket.BLOCK_BYTES");
_Static_assert(offsetof(Settings, hardware_type) == 80, "AfPacket.HARDWARE_TYPE");
_Static_assert(offsetof(Settings, text) == 88, "AfPacket.TEXT");
_Static_assert(sizeof(Settings) == 248, "AfPacket.BYTES");
_Static_assert(offsetof(Frame, ts_ns) == 16 && sizeof(Frame) == 32, "BurstCursor");

#define CALL(type, name) \
    __attribute__((visibility("default"))) type Java_io_weir_ingest_wire_afpacket_AfPacket_##name

CALL(int64_t, open)(void *env, void *type, int64_t settings) {
    (void)env;
    (void)type;
    return ring_open((Settings *)settings);
}

CALL(int64_t, receive)(void *env, void *type, int64_t ring, int64_t frames, int64_t most) {
    (void)env;
    (void)type;
    return ring_receive((Ring *)ring, (Frame *)frames, most);
}

CALL(int64_t, poll)(void *env, void *type, int64_t ring, int64_t timeout_ms) {
    (void)env;
    (void)type;
    return ring_poll((Ring *)ring, timeout_ms);
}

CALL(void, close)(void *env, void *type, int64_t ring) {
    (void)env;
    (void)type;
    ring_close((Ring *)ring);
}
