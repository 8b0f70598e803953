// The hash of keys, as io.weir.operators.map.Hash has it. native-ingest/wire uses it, too.
#pragma once

#include <stdint.h>

#define HASH static inline __attribute__((always_inline)) uint64_t

// Hash.of(key, words).
HASH hash_of(const uint64_t *key, int64_t words) {
    uint64_t hash = key[0] * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
    for (int64_t i = 1; i < words; i++) {
        hash = ((hash << 29 | hash >> 35) ^ key[i]) * 0xD6E8FEB86659FD93;
        hash ^= hash >> 32;
    }
    return hash;
}

// The place of a key in a table, in the low bits: Hash.spread for one word.
HASH hash(const uint64_t *key, int64_t words) {
    return words == 1 ? key[0] * 0x9E3779B97F4A7C15 >> 32 : hash_of(key, words);
}
