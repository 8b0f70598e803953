// The calls of io.weir.ingest.wire.dpdk.DpdkLibrary.
#include <stddef.h>

#include "blocks.h"

// The places that Java has.
_Static_assert(offsetof(Frame, ts_ns) == 16 && sizeof(Frame) == 32, "BurstCursor");
_Static_assert(offsetof(Settings, hash) == 40 && sizeof(Settings) == 48, "PortSettings");
_Static_assert(offsetof(Queue, gone) == 24, "DpdkQueue");
_Static_assert(offsetof(Queue, port) == 32 && offsetof(Queue, queue) == 34, "DpdkQueue");
_Static_assert(offsetof(Queue, spins) == 44, "DpdkQueue");
_Static_assert(offsetof(Queue, on) == 72, "DpdkQueue");
_Static_assert(sizeof(Queue) == 88 + 8 * BURST, "DpdkQueue");
_Static_assert(offsetof(Blocks, not_allowed) == 40, "DpdkBlocks");
_Static_assert(offsetof(Blocks, frames) == 48, "DpdkBlocks");
_Static_assert(offsetof(Blocks, first_port) == 52, "DpdkBlocks");
_Static_assert(offsetof(Blocks, allowed_count) == 56, "DpdkBlocks");
_Static_assert(offsetof(Blocks, allowed) == 64, "DpdkBlocks");
_Static_assert(offsetof(Blocks, blocks) == 64 + 24 * GPV_ALLOWED, "DpdkBlocks");
_Static_assert(sizeof(Blocks) == 64 + 24 * GPV_ALLOWED + (80 + 32) * BURST, "DpdkBlocks");

#define CALL(type, name) \
    __attribute__((visibility("default"))) type Java_io_weir_ingest_wire_dpdk_DpdkLibrary_##name

CALL(int32_t, start)(void *env, void *type, int64_t options, int64_t error) {
    (void)env;
    (void)type;
    return environment_start((const char *)options, (char *)error);
}

CALL(int32_t, openPort)(void *env, void *type, int64_t device, int64_t settings, int64_t error) {
    (void)env;
    (void)type;
    return port_open((const char *)device, (const Settings *)settings, (char *)error);
}

CALL(void, closePort)(void *env, void *type, int32_t port) {
    (void)env;
    (void)type;
    port_close(port);
}

CALL(int32_t, isLinkDown)(void *env, void *type, int32_t port) {
    (void)env;
    (void)type;
    return port_link_is_down((uint16_t)port);
}

CALL(int32_t, openQueue)(void *env, void *type, int64_t queue, int32_t core, int64_t error) {
    (void)env;
    (void)type;
    return queue_open((Queue *)queue, core, (char *)error);
}

CALL(int32_t, receive)(void *env, void *type, int64_t queue, int64_t frames) {
    (void)env;
    (void)type;
    return queue_receive((Queue *)queue, (Frame *)frames);
}

CALL(int32_t, receiveBlocks)(void *env, void *type, int64_t queue, int64_t blocks) {
    (void)env;
    (void)type;
    return blocks_receive((Queue *)queue, (Blocks *)blocks);
}

CALL(int32_t, waitForFrames)(void *env, void *type, int64_t queue, int64_t timeout_ns) {
    (void)env;
    (void)type;
    return queue_wait((Queue *)queue, timeout_ns);
}

CALL(void, closeQueue)(void *env, void *type, int64_t queue) {
    (void)env;
    (void)type;
    queue_close((Queue *)queue);
}
