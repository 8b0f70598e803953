// The calls of io.weir.ingest.wire.dpdk.DpdkLibrary.
#include <stddef.h>

#include "dpdk.h"

// The places that Java has.
_Static_assert(offsetof(Frame, ts_ns) == 16 && sizeof(Frame) == 32, "BurstCursor");
_Static_assert(offsetof(Settings, hash) == 40 && sizeof(Settings) == 48, "PortSettings");
_Static_assert(offsetof(Queue, gone) == 24, "DpdkCursor");
_Static_assert(offsetof(Queue, port) == 32 && offsetof(Queue, queue) == 34, "DpdkCursor");
_Static_assert(offsetof(Queue, spins) == 44, "DpdkCursor");
_Static_assert(offsetof(Queue, on) == 72, "DpdkCursor");
_Static_assert(sizeof(Queue) == 80 + 8 * BURST, "DpdkCursor");

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
