// The hash of a table's keys, as io.weir.operators.map.Hash has it.
#pragma once

#include <stdint.h>

static inline __attribute__((always_inline)) uint64_t hash(const uint64_t *key, int64_t words) {
    uint64_t hash = key[0] * 0x9E3779B97F4A7C15;
    if (words == 1) {
        return hash >> 32;
    }
    hash ^= hash >> 32;
    for (int64_t i = 1; i < words; i++) {
        hash = ((hash << 29 | hash >> 35) ^ key[i]) * 0xD6E8FEB86659FD93;
        hash ^= hash >> 32;
    }
    return hash;
}
