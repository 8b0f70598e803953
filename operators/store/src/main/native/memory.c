// What Java cannot say, or not as fast. Loaded by io.weir.operators.memory.NativeCode; plain types
// and declarations instead of headers, so that a C compiler is all it takes.
#include <stdint.h>

#include "hash.h"

enum { LINE = 64, MOST_WORDS = 32 };

typedef __SIZE_TYPE__ size;

void *memset(void *, int, size);

// Asks for lines of memory that will be needed, to be read: waits for nothing and faults on
// nothing. By a name like this it is called without a change of the thread's state, where the JVM
// was told to (-XX:+CriticalJNINatives of JDK 17).
void JavaCritical_io_weir_operators_memory_NativeCode_ask(int64_t from, int64_t to) {
    for (; from < to; from += LINE) {
        __builtin_prefetch((const void *)(intptr_t)from, 0, 3);
    }
}

// The same for any other JVM.
void Java_io_weir_operators_memory_NativeCode_ask(void *env, void *type, int64_t from, int64_t to) {
    (void)env;
    (void)type;
    JavaCritical_io_weir_operators_memory_NativeCode_ask(from, to);
}

static inline int is_empty(const char *entry, int32_t key_bytes) {
    if (key_bytes == 4) {
        return *(const uint32_t *)entry == 0;
    }
    uint64_t any = 0;
    for (int32_t i = 0; i < key_bytes; i += 8) {
        any |= *(const uint64_t *)(entry + i);
    }
    return any == 0;
}

enum { ALL_SPLIT, IS_SPLIT };

// Writes before each key where a table (io.weir.operators.map.SlotTable) has its home, and asks for
// that, to be written. What is the same for all keys is known where this is called, so that each
// call is a loop of its own.
static inline __attribute__((always_inline)) void homes(char *at, const char *end, int32_t step,
                                                        int32_t words, int64_t table, int64_t slots,
                                                        int64_t stride, int64_t zero, int split,
                                                        int64_t old_slots, int64_t unsplit,
                                                        int32_t lines) {
#ifndef __clang__
#pragma GCC unroll 4
#endif
    for (; at != end; at += step) {
        uint64_t *key = (uint64_t *)at;
        uint64_t any = key[0];
        for (int32_t w = 1; w < words; w++) {
            any |= key[w];
        }
        uint64_t hashed = hash(key, words);
        int64_t slot = (int64_t)(hashed & (uint64_t)(slots - 1));
        if (split == IS_SPLIT) {
            int64_t old = (int64_t)(hashed & (uint64_t)(old_slots - 1));
            slot = old >= unsplit ? old : slot;
        }
        int64_t home = any == 0 ? zero : table + slot * stride;
        key[-1] = (uint64_t)home;
        if (lines > 0) {
            const char *line = (const char *)(intptr_t)home;
            __builtin_prefetch(line, 1, 3);
            __builtin_prefetch(line + stride, 1, 3);
            if (lines > 1) {
                __builtin_prefetch(line + LINE, 1, 3);
            }
        }
    }
}

void JavaCritical_io_weir_operators_memory_NativeCode_homes(int64_t keys, int32_t step,
                                                            int32_t count, int32_t words,
                                                            int64_t table, int64_t slots,
                                                            int32_t stride, int64_t zero,
                                                            int64_t old_slots, int64_t unsplit,
                                                            int32_t lines, int64_t from,
                                                            int64_t to) {
    char *at = (char *)(intptr_t)keys;
    const char *end = at + (int64_t)count * step;
    if (unsplit < INT64_MAX) {
        homes(at, end, step, words, table, slots, stride, zero, IS_SPLIT, old_slots, unsplit, lines);
    } else if (words == 1 && lines == 0) {
        homes(at, end, step, 1, table, slots, stride, zero, ALL_SPLIT, 0, 0, 0);
    } else if (words == 1 && lines == 1) {
        homes(at, end, step, 1, table, slots, stride, zero, ALL_SPLIT, 0, 0, 1);
    } else if (words == 1) {
        homes(at, end, step, 1, table, slots, stride, zero, ALL_SPLIT, 0, 0, lines);
    } else if (words == 2) {
        homes(at, end, step, 2, table, slots, stride, zero, ALL_SPLIT, 0, 0, lines);
    } else {
        homes(at, end, step, words, table, slots, stride, zero, ALL_SPLIT, 0, 0, lines);
    }
    JavaCritical_io_weir_operators_memory_NativeCode_ask(from, to);
}

void Java_io_weir_operators_memory_NativeCode_homes(void *env, void *type, int64_t keys,
                                                    int32_t step, int32_t count, int32_t words,
                                                    int64_t table, int64_t slots, int32_t stride,
                                                    int64_t zero, int64_t old_slots,
                                                    int64_t unsplit,
                                                    int32_t lines, int64_t from, int64_t to) {
    (void)env;
    (void)type;
    JavaCritical_io_weir_operators_memory_NativeCode_homes(keys, step, count, words, table, slots,
                                                           stride, zero, old_slots, unsplit, lines,
                                                           from, to);
}

// Puts each entry of 64 slots, one after the other, into the first slot from its home on that is
// empty then, its own among them. The table has just grown: an entry belongs to its old part or to
// a new one, and is as far on there, so that the next lines of all are asked for.
static inline __attribute__((always_inline)) void place64(char *from, int32_t key_bytes,
                                                          int32_t stride, char *table,
                                                          int64_t slots, int64_t old_slots) {
    char *end = table + slots * stride;
    char *next = from + 64 * stride;
    uint64_t full = 0;
    for (int i = 0; i < 64; i++) {
        full |= (uint64_t)!is_empty(from + i * stride, key_bytes) << i;
    }
    for (int64_t at = 0; at < 64 * stride; at += LINE) {
        for (int64_t part = 0; part < slots; part += old_slots) {
            __builtin_prefetch(next + part * stride + at, 1, 3);
        }
    }
    for (; full != 0; full &= full - 1) {
        char *entry = from + __builtin_ctzll(full) * stride;
        uint64_t words[MOST_WORDS];
        for (int32_t w = 0; w < stride / 8; w++) {
            words[w] = ((uint64_t *)entry)[w];
            ((uint64_t *)entry)[w] = 0;
        }
        uint64_t narrow = (uint32_t)words[0];
        const uint64_t *key = key_bytes == 4 ? &narrow : words;
        int32_t key_words = key_bytes == 4 ? 1 : key_bytes / 8;
        char *slot = table + (int64_t)(hash(key, key_words) & (uint64_t)(slots - 1)) * stride;
        while (!is_empty(slot, key_bytes)) {
            slot += stride;
            slot = slot == end ? table : slot;
        }
        for (int32_t w = 0; w < stride / 8; w++) {
            ((uint64_t *)slot)[w] = words[w];
        }
    }
}

// The same for more slots, a multiple of 64. Entries have MOST_WORDS words at most.
void JavaCritical_io_weir_operators_memory_NativeCode_place(int64_t from, int64_t until,
                                                            int32_t key_bytes, int32_t stride,
                                                            int64_t table, int64_t slots,
                                                            int64_t old_slots) {
    char *at = (char *)(intptr_t)from;
    const char *end = (const char *)(intptr_t)until;
    char *first = (char *)(intptr_t)table;
    for (; at < end; at += 64 * stride) {
        if (key_bytes == 4 && stride == 16) {
            place64(at, 4, 16, first, slots, old_slots);
        } else if (key_bytes == 8 && stride == 16) {
            place64(at, 8, 16, first, slots, old_slots);
        } else if (key_bytes == 16 && stride == 16) {
            place64(at, 16, 16, first, slots, old_slots);
        } else if (key_bytes == 16 && stride == 32) {
            place64(at, 16, 32, first, slots, old_slots);
        } else {
            place64(at, key_bytes, stride, first, slots, old_slots);
        }
    }
}

void Java_io_weir_operators_memory_NativeCode_place(void *env, void *type, int64_t from,
                                                    int64_t until, int32_t key_bytes,
                                                    int32_t stride, int64_t table, int64_t slots,
                                                    int64_t old_slots) {
    (void)env;
    (void)type;
    JavaCritical_io_weir_operators_memory_NativeCode_place(from, until, key_bytes, stride, table,
                                                           slots, old_slots);
}

void gather(int64_t plan, int64_t call);
#ifdef __x86_64__
#include <cpuid.h>

void gather_avx2(int64_t plan, int64_t call);

// Whether the machine has AVX2 and BMI2, and the kernel keeps what AVX needs.
static int has_avx2(void) {
    enum { OSXSAVE = 1 << 27, BMI2 = 1 << 8, AVX2 = 1 << 5, STATES = 6 };
    unsigned a, b, c, d, kept;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE)) {
        return 0;
    }
    __asm__("xgetbv" : "=a"(kept), "=d"(d) : "c"(0));
    return (kept & STATES) == STATES && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
           (b & (BMI2 | AVX2)) == (BMI2 | AVX2);
}
#endif

static void (*gather_here)(int64_t, int64_t) = gather;

void Java_io_weir_operators_memory_NativeCode_choose(void *env, void *type) {
    (void)env;
    (void)type;
#ifdef __x86_64__
    if (has_avx2()) {
        gather_here = gather_avx2;
    }
#endif
}

// gather.c
void JavaCritical_io_weir_operators_memory_NativeCode_gather(int64_t plan, int64_t call) {
    gather_here(plan, call);
}

void Java_io_weir_operators_memory_NativeCode_gather(void *env, void *type, int64_t plan,
                                                     int64_t call) {
    (void)env;
    (void)type;
    gather_here(plan, call);
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
