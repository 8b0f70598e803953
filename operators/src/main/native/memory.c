// What Java cannot say, or not as fast. Loaded by io.weir.operators.memory.NativeCode; plain types
// and declarations instead of headers, so that a C compiler is all it takes.
#include <stdint.h>

enum { LINE = 64 };

void *memset(void *, int, __SIZE_TYPE__);

// Asks for lines of memory that will be needed: waits for nothing and faults on nothing. The lines
// at these addresses, which lie so many bytes apart, and so many bytes behind them, to be written;
// and those from one address to another, to be read. By this name it is called without a change of
// the thread's state, where the JVM was told to (-XX:+CriticalJNINatives of JDK 17).
void JavaCritical_io_weir_operators_memory_NativeCode_ask(int64_t addresses, int32_t step,
                                                          int32_t count, int32_t behind,
                                                          int64_t from, int64_t to) {
    const char *at = (const char *)(intptr_t)addresses;
    for (int32_t i = 0; i < count; i++, at += step) {
        const char *address = (const char *)(intptr_t) * (const int64_t *)at;
        __builtin_prefetch(address, 1, 3);
        if (behind > 0) {
            __builtin_prefetch(address + behind, 1, 3);
        }
    }
    for (; from < to; from += LINE) {
        __builtin_prefetch((const void *)(intptr_t)from, 0, 3);
    }
}

// The same for any other JVM.
void Java_io_weir_operators_memory_NativeCode_ask(void *env, void *type, int64_t addresses,
                                                  int32_t step, int32_t count, int32_t behind,
                                                  int64_t from, int64_t to) {
    (void)env;
    (void)type;
    JavaCritical_io_weir_operators_memory_NativeCode_ask(addresses, step, count, behind, from, to);
}

// The JDK's own fills eight bytes at a time.
void Java_io_weir_operators_memory_NativeCode_zero(void *env, void *type, int64_t address,
                                                   int64_t bytes) {
    (void)env;
    (void)type;
    memset((void *)(intptr_t)address, 0, (__SIZE_TYPE__)bytes);
}
