// The calls of io.weir.ingest.cache.NativeFrames.
#include <stddef.h>

#include "frames.h"

// The places that io.weir.ingest.cache.CacheMemory and io.weir.ingest.packets.LentFrames have.
_Static_assert(offsetof(Cache, wheel) == 88, "CacheMemory.WHEEL");
_Static_assert(sizeof(Wheel) == 808, "CacheMemory.WHEEL");
_Static_assert(offsetof(Cache, gpvs) == 896, "CacheMemory.GPVS");
_Static_assert(offsetof(Cache, packets) == 1024, "CacheMemory.PACKETS");
_Static_assert(offsetof(Cache, room_layout) == 1040, "CacheMemory.ROOM_LAYOUT");
_Static_assert(offsetof(Cache, writer) == 1064, "CacheMemory.WRITER");
_Static_assert(offsetof(Cache, due_slot) == 1080, "CacheMemory.DUE_SLOT");
_Static_assert(sizeof(Cache) <= 6144, "CacheMemory.BYTES");
_Static_assert(sizeof(Writer) == 40, "LentSegment.BYTES");
_Static_assert(offsetof(Pass, clock) == 88, "LentFrames.CLOCK");
_Static_assert(offsetof(Pass, times) == 128, "LentFrames.TIMES");
_Static_assert(offsetof(Pass, wire_bytes) == 1184, "LentFrames.WIRE_BYTES");
_Static_assert(sizeof(Pass) == 1192, "LentFrames.BYTES");
_Static_assert(offsetof(Frame, ts_ns) == 16 && sizeof(Frame) == 32, "BurstCursor");

__attribute__((visibility("default")))
int32_t Java_io_weir_ingest_cache_NativeFrames_pass(void *env, void *type, int64_t frames,
                                                    int64_t cache) {
    (void)env;
    (void)type;
    return pass((Pass *)frames, (Cache *)cache);
}
