// What Java cannot say: lines of memory that will be needed. Asking for one waits for nothing and
// faults on nothing. Loaded by io.weir.operators.memory.Prefetch; plain types instead of jni.h, so
// that a C compiler is all it takes.
#include <stdint.h>

enum { LINE = 64 };

// The lines at these addresses, which lie so many bytes apart, to be written; and those from one
// address to another, to be read.
void Java_io_weir_operators_memory_Prefetch_ask(void *env, void *type, int64_t addresses,
                                                int32_t step, int32_t count, int64_t from,
                                                int64_t to) {
    (void)env;
    (void)type;
    const char *at = (const char *)(intptr_t)addresses;
    for (int32_t i = 0; i < count; i++, at += step) {
        __builtin_prefetch((const void *)(intptr_t) * (const int64_t *)at, 1, 3);
    }
    for (; from < to; from += LINE) {
        __builtin_prefetch((const void *)(intptr_t)from, 0, 3);
    }
}
