// What Java cannot say, or not as fast. Loaded by io.weir.operators.memory.NativeCode; plain types
// and declarations instead of headers, so that a C compiler is all it takes.
#include <stdint.h>

enum { LINE = 64 };

typedef __SIZE_TYPE__ size;

void *memset(void *, int, size);

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
    memset((void *)(intptr_t)address, 0, (size)bytes);
}

#ifdef __linux__

enum {
    LARGE = 2 << 20,  // a large page, and so that page tables can be moved instead of pages
    PAGE = 64 << 10,  // the largest usual small page
    SPARE = 2048,     // readable behind each piece, as NativeAllocator has it
    READ_WRITE = 1 | 2,
    PRIVATE_ANONYMOUS = 0x02 | 0x20,
    NO_RESERVE = 0x4000,
    MOVE_TO = 1 | 2,
    LARGE_PAGES = 14
};

void *mmap(void *, size, int, int, int, long);
void *mremap(void *, size, size, int, ...);
int munmap(void *, size);
int madvise(void *, size, int);

static size whole_pages(size bytes) { return (bytes + PAGE - 1) & -(size)PAGE; }

// A range of addresses that begins at a large page; 0 where there is none.
static char *range(size bytes, int access, int flags) {
    char *all = mmap(0, bytes + LARGE, access, PRIVATE_ANONYMOUS | flags, -1, 0);
    if (all == (char *)-1) {
        return 0;
    }
    size before = -(size)all & (LARGE - 1);
    if (before > 0) {
        munmap(all, before);
    }
    munmap(all + before + bytes, LARGE - before);
    return all + before;
}

// Zeroed memory on pages of its own, large ones where the kernel has them; 0 when it refuses.
int64_t Java_io_weir_operators_memory_NativeCode_map(void *env, void *type, int64_t bytes) {
    (void)env;
    (void)type;
    size length = whole_pages((size)bytes + SPARE);
    char *address = range(length, READ_WRITE, 0);
    if (address != 0) {
        madvise(address, length, LARGE_PAGES);
    }
    return (int64_t)(intptr_t)address;
}

void Java_io_weir_operators_memory_NativeCode_unmap(void *env, void *type, int64_t address,
                                                    int64_t bytes) {
    (void)env;
    (void)type;
    munmap((void *)(intptr_t)address, whole_pages((size)bytes + SPARE));
}

// Makes a piece of mapped memory larger, without a copy of it. Its first bytes stay, and zeros
// follow. Returns its new address; 0 when the kernel refuses, and the piece is as it was.
int64_t Java_io_weir_operators_memory_NativeCode_remap(void *env, void *type, int64_t address,
                                                       int64_t kept, int64_t bytes,
                                                       int64_t newBytes) {
    (void)env;
    (void)type;
    char *old = (char *)(intptr_t)address;
    size length = whole_pages((size)bytes + SPARE);
    size newLength = whole_pages((size)newBytes + SPARE);
    // No page behind what stays goes along: small ones there would be in a large one's place.
    size stays = whole_pages((size)kept);
    char *target = range(newLength, 0, NO_RESERVE);
    if (target == 0) {
        return 0;
    }
    if (mremap(old, stays, newLength, MOVE_TO, target) == (void *)-1) {
        munmap(target, newLength);
        return 0;
    }
    if (length > stays) {
        munmap(old + stays, length - stays);
    }
    memset(target + kept, 0, stays - (size)kept);
    return (int64_t)(intptr_t)target;
}

#endif
