// Tests of header fields, and words of keys made of them. For gather.c alone.
#pragma once

#include "gather.h"
#include "tuples.h"

// Bits of a word of the header that must have a value.
typedef struct {
    int64_t at;
    uint64_t mask, value;
} Masked;

// Tests of fields that lie near each other are one. Without any the first is always passed.
typedef struct {
    Masked first;
    int64_t others;
    Masked other[MOST_TESTS];
} Filter;

// Makes one of both, if a word has their bits; whether it does.
INLINE int joins(Masked *word, Masked test, Layout l) {
    int64_t right = 8 * (is_little(l) ? word->at - test.at : test.at - word->at);
    Masked first = right >= 0 ? *word : test;
    Masked other = right >= 0 ? test : *word;
    right = right >= 0 ? right : -right;
    if (word->mask == 0 || right > 56 || other.mask >> right << right != other.mask) {
        return 0;
    }
    word->at = first.at;
    word->mask = first.mask | other.mask >> right;
    word->value = first.value | other.value >> right;
    return 1;
}

// Called for few GPVs at a time: it writes no more of it than is used.
INLINE void set_filter(Filter *f, const Plan *p, const Call *c, Layout l) {
    f->first.at = 0;
    f->first.mask = 0;
    f->first.value = 0;
    f->others = 0;
    for (int64_t i = 0; i < p->tests; i++) {
        const int64_t left = p->test[i].right;
        const Masked test = {p->test[i].at, UINT64_MAX << left, c->value[i] << left};
        if (!joins(&f->first, test, l)) {
            f->other[f->others] = f->first;
            f->others += f->first.mask != 0;
            f->first = test;
        }
    }
}

INLINE uint64_t passes(const Filter *f, const char *gpv, Layout l) {
    uint64_t all = (word(gpv + f->first.at, l) & f->first.mask) == f->first.value;
    for (int64_t i = 0; i < f->others; i++) {
        all &= (word(gpv + f->other[i].at, l) & f->other[i].mask) == f->other[i].value;
    }
    return all;
}

// Whether a GPV, whose tuples end there, has packets before the first time or from the last one on.
INLINE uint64_t is_outside(const char *gpv, const char *to, Layout l, int64_t from_ns,
                           int64_t until_ns) {
    int64_t start = (int64_t)word(gpv + l.start_at, l);
    int64_t last = start + delta_ns(to - l.tuple, l);
    return (uint64_t)(start < from_ns) | (uint64_t)(last >= until_ns);
}

// Words of the one key of a canonical entry; or PAIR: two keys of a word, the count between them;
// TOTAL: there are no entries; ANY: others.
enum { PAIR = -2, TOTAL = -1, ANY = 0 };

// The words of keys; `to` of the first is known where there is one for each word of one key.
INLINE void put_keys(const Piece *piece, int64_t pieces, const char *gpv, char *entry,
                     int key_words, Layout l) {
    uint64_t bits = 0;
    for (int64_t i = 0; i < pieces; i++) {
        uint64_t more = word(gpv + piece[i].at, l) >> piece[i].right;
        if (key_words == 0) {
            bits = (bits & piece[i].kept) | more << piece[i].left;
            *(uint64_t *)(entry + piece[i].to) = bits;
        } else {
            *(uint64_t *)(entry + KEY_TO + i * 8) = more;
        }
    }
}
