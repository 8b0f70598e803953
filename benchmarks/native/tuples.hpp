// What is read from the tuples of one GPV: branch-free where the machine has AVX2, since their
// number differs from GPV to GPV and a mispredicted loop costs more than the loop.
#pragma once

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "trace.hpp"

namespace weir {

template <class L>
inline uint64_t sum_bytes_plain(const uint8_t* first, uint32_t count) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += L::bytes(first + i * L::kTupleBytes);
    }
    return bytes;
}

#ifdef __AVX2__
// All ones in the first `count` of eight lanes.
inline __m256i first_lanes(uint32_t count) {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lanes);
}

// The 32-bit words at `offset` of up to eight tuples; 0 in the other lanes.
template <class L>
inline __m256i words(const uint8_t* first, uint32_t count, int offset) {
    const int* at = reinterpret_cast<const int*>(first + offset);
    __m256i mask = first_lanes(count);
    if constexpr (L::kTupleBytes == 4) {
        return _mm256_maskload_epi32(at, mask);
    } else {
        constexpr int s = L::kTupleBytes;
        const __m256i offsets = _mm256_setr_epi32(0, s, 2 * s, 3 * s, 4 * s, 5 * s, 6 * s, 7 * s);
        return _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), at, offsets, mask, 1);
    }
}

// Lengths of up to eight packets.
template <class L>
inline __m256i lengths(const uint8_t* first, uint32_t count) {
    if constexpr (L::kIsFull) {
        return words<L>(first, count, 4);
    } else {
        // Bits 1 to 11 of a big-endian word: its last byte, and half of the one before.
        __m256i raw = words<L>(first, count, 0);
        __m256i high = _mm256_and_si256(_mm256_srli_epi32(raw, 9), _mm256_set1_epi32(0x780));
        return _mm256_or_si256(_mm256_srli_epi32(raw, 25), high);
    }
}

inline uint32_t sum(__m256i lanes) {
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    __m128i one = _mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1));
    return static_cast<uint32_t>(_mm_cvtsi128_si32(one));
}
#endif

template <class L>
inline uint64_t sum_bytes(const uint8_t* first, uint32_t count) {
#ifdef __AVX2__
    uint64_t bytes = sum(lengths<L>(first, count));
    for (uint32_t done = 8; __builtin_expect(done < count, 0); done += 8) {
        bytes += sum(lengths<L>(first + done * L::kTupleBytes, count - done));
    }
    return bytes;
#else
    return sum_bytes_plain<L>(first, count);
#endif
}

// How many packets have (tcp_flags & mask) == value; `full` only.
struct FlagTest {
    uint32_t mask;
    uint32_t value;

    bool operator()(uint32_t flags) const { return (flags & mask) == value; }
};

// A bit for each of at most eight packets that passes, in a mask.
template <class L>
inline uint32_t flags_mask(const uint8_t* first, uint32_t count, FlagTest test) {
#ifdef __AVX2__
    __m256i wanted = _mm256_set1_epi32(static_cast<int>(test.mask << 16));
    __m256i value = _mm256_set1_epi32(static_cast<int>(test.value << 16));
    __m256i flags = _mm256_and_si256(words<L>(first, count, 24), wanted);
    __m256i equal = _mm256_and_si256(_mm256_cmpeq_epi32(flags, value), first_lanes(count));
    return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(equal)));
#else
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count && i < 8; i++) {
        bits |= uint32_t{test(L::tcp_flags(first + i * L::kTupleBytes))} << i;
    }
    return bits;
#endif
}

template <class L>
inline uint32_t count_flags(const uint8_t* first, uint32_t count, FlagTest test) {
    uint32_t passed = __builtin_popcount(flags_mask<L>(first, count, test));
    for (uint32_t done = 8; __builtin_expect(done < count, 0); done += 8) {
        const uint8_t* next = first + done * L::kTupleBytes;
        passed += __builtin_popcount(flags_mask<L>(next, count - done, test));
    }
    return passed;
}

constexpr FlagTest kSyn{0x12, 0x02};
constexpr FlagTest kSynAck{0xffff, 0x12};
constexpr FlagTest kAck{0xffff, 0x10};

}  // namespace weir
