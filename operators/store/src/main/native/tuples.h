// Reads the parts of GPVs: words of headers, and fields of all tuples of one. For gather.c alone.
#pragma once

#include "gather.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { STEP = 8 };

// Of a layout (io.weir.operators.gpv.GpvLayout): where the parts are that GPVs are walked by.
typedef struct {
    int tuple, header, count_at, start_at;
} Layout;

INLINE uint64_t u64(const char *at) { return *(const uint64_t *)at; }

// `full` alone is little endian.
INLINE int is_little(Layout l) { return l.tuple == 48; }

INLINE uint64_t word(const char *at, Layout l) {
    return is_little(l) ? u64(at) : __builtin_bswap64(u64(at));
}

// Where the next GPV begins is waited for at each: the low byte of a count is there first, and the
// high one hardly ever has a bit.
INLINE uint64_t packets(const char *gpv, Layout l) {
    const uint8_t *at = (const uint8_t *)gpv + l.count_at;
    if (is_little(l)) {
        return *(const uint16_t *)at;
    }
    return __builtin_expect(at[0] != 0, 0) ? (uint64_t)at[0] << 8 | at[1] : at[1];
}

INLINE int64_t delta_ns(const char *tuple, Layout l) {
    uint32_t first = *(const uint32_t *)tuple;
    return is_little(l) ? (int64_t)first : (int64_t)(__builtin_bswap32(first) >> 12) * 1000;
}

// Of words of large tuples: a guess where they end costs less than to read what is not there yet.
INLINE uint64_t words(const char *at, uint64_t count, int tuple) {
    const char *end = at + count * (uint64_t)tuple;
    uint64_t total = 0;
    for (; at != end; at += tuple) {
        total += *(const uint32_t *)at;
    }
    return total;
}

// Up to eight tuples of four bytes, whose field of up to 13 bits is added to lanes that are summed
// up later: so many times, at most, as all of them have room for.
enum { MOST_TIMES = 1 << 15 };

#ifdef __AVX2__
typedef __m256i Lanes;

INLINE Lanes no_lanes(void) { return _mm256_setzero_si256(); }

// The field's bits in each lane, of tuples of four bytes: two bytes of the masks, the high one first.
INLINE Lanes kept_of(const Sum *sum, Layout l) {
    if (is_little(l)) {
        return no_lanes();
    }
    uint32_t masks = *(const uint32_t *)(sum->masks - 4);
    return _mm256_set1_epi32((int)((masks & 0xff00) | (masks >> 16 & 0xff)));
}

// No more is loaded than there is: the line behind a GPV may not have come yet.
INLINE Lanes lanes(Lanes so_far, const char *at, uint64_t left, const Sum *sum, Lanes kept) {
    (void)sum;
    const __m256i turn =
        _mm256_set_epi8(-1, -1, 14, 15, -1, -1, 10, 11, -1, -1, 6, 7, -1, -1, 2, 3, -1, -1, 14, 15,
                        -1, -1, 10, 11, -1, -1, 6, 7, -1, -1, 2, 3);
    __m256i are = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)left),
                                     _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i tuples = _mm256_maskload_epi32((const int *)at, are);
    return _mm256_add_epi32(so_far, _mm256_and_si256(_mm256_shuffle_epi8(tuples, turn), kept));
}

INLINE uint64_t summed(Lanes lanes, const Sum *sum) {
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    __m128i one = _mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1));
    return (uint64_t)(uint32_t)_mm_cvtsi128_si32(one) >> sum->right;
}

// Sums of words, their halves apart, so that lanes have room for MOST_TIMES of them.
typedef struct {
    Lanes low, high;
} Halves;

INLINE Halves no_halves(void) { return (Halves){no_lanes(), no_lanes()}; }

// Of up to eight large tuples: those that there are not are not loaded.
INLINE Halves halves(Halves so_far, const char *at, uint64_t left, int tuple) {
    const __m256i eight = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i are = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)left), eight);
    __m256i places = _mm256_mullo_epi32(eight, _mm256_set1_epi32(tuple));
    __m256i some =
        _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)at, places, are, 1);
    return (Halves){
        _mm256_add_epi32(so_far.low, _mm256_and_si256(some, _mm256_set1_epi32(0xffff))),
        _mm256_add_epi32(so_far.high, _mm256_srli_epi32(some, 16))};
}

INLINE uint64_t total(Lanes lanes) {
    uint32_t each[8];
    _mm256_storeu_si256((__m256i *)each, lanes);
    uint64_t sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += each[i];
    }
    return sum;
}

INLINE uint64_t summed_halves(Halves sums) { return total(sums.low) + (total(sums.high) << 16); }
#else
typedef uint64_t Lanes;

INLINE Lanes no_lanes(void) { return 0; }

INLINE Lanes kept_of(const Sum *sum, Layout l) {
    (void)sum;
    (void)l;
    return 0;
}

INLINE Lanes lanes(Lanes so_far, const char *at, uint64_t left, const Sum *sum, Lanes kept) {
    (void)kept;
    const uint64_t *mask = (const uint64_t *)(sum->masks - (int64_t)left * 4);
    uint64_t sums = (u64(at + 1) & mask[0]) + (u64(at + 9) & mask[1]) + (u64(at + 17) & mask[2]) +
                    (u64(at + 25) & mask[3]);
    return so_far + (sums * 0x0001000100010001 >> (48 + sum->right));
}

INLINE uint64_t summed(Lanes lanes, const Sum *sum) {
    (void)sum;
    return lanes;
}

typedef uint64_t Halves;

INLINE Halves no_halves(void) { return 0; }

INLINE Halves halves(Halves so_far, const char *at, uint64_t left, int tuple) {
    return so_far + words(at, left, tuple);
}

INLINE uint64_t summed_halves(Halves sums) { return sums; }
#endif

static __attribute__((noinline)) uint64_t many_lanes(const Sum *sum, Lanes kept, const char *at,
                                                     uint64_t left) {
    Lanes total = no_lanes();
    for (; left > STEP; left -= STEP, at += STEP * 4) {
        total = lanes(total, at, STEP, sum, kept);
    }
    return summed(lanes(total, at, left, sum, kept), sum);
}

INLINE uint64_t add_up(const Sum *sum, Lanes kept, const char *tuples, uint64_t count,
                       Layout l) {
    const char *at = tuples + sum->at;
    if (is_little(l)) {
        return words(at, count, l.tuple);
    }
    return __builtin_expect(count > STEP, 0) ? many_lanes(sum, kept, at, count)
                                             : summed(lanes(no_lanes(), at, count, sum, kept), sum);
}

// Packets whose field is as the call wants it: as with words, a guess where they end.
INLINE uint64_t matching(const Plan *p, const Call *c, const char *tuples, const char *to,
                         int tuple) {
    const uint16_t mask = (uint16_t)c->mask;
    const uint16_t wanted = (uint16_t)c->wanted;
    const char *end = to + p->match_at;
    uint64_t count = 0;
    for (const char *at = tuples + p->match_at; at != end; at += tuple) {
        count += (*(const uint16_t *)at & mask) == wanted;
    }
    return count;
}
