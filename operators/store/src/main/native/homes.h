// Where tables have the keys of entries; and memory that is asked for before it is needed. For
// gather.c alone.
#pragma once

#include "gather.h"
#include "hash.h"
#include "tuples.h"

// Further where nothing else is asked for: on the way from one block to the next nothing is.
enum { LINE = 64, AHEAD = 2048, FAR_AHEAD = 3072 };

// Writes before a key where the table has its home.
INLINE const char *home(uint64_t *key, const Table *t, int64_t words, int all_split) {
    uint64_t any = key[0];
    for (int64_t w = 1; w < words; w++) {
        any |= key[w];
    }
    uint64_t hashed = hash(key, words);
    int64_t slot = (int64_t)(hashed & (uint64_t)(t->slots - 1));
    if (!all_split) {
        int64_t old = (int64_t)(hashed & (uint64_t)(t->old_slots - 1));
        slot = old >= t->unsplit ? old : slot;
    }
    slot = any == 0 ? t->zero : slot;
    int64_t at = t->table + slot * t->stride;
    key[-1] = (uint64_t)at;
    return (const char *)at;
}

// And asks for that, to be written, and for the slot behind it; not where the entry does not stay.
// The slot behind may come as far as the second cache, where it often has a line of its own and
// seldom is needed.
INLINE void ask_home(uint64_t *key, const Table *t, int64_t words, int all_split, uint64_t stays,
                     int is_near) {
    const char *at = home(key, t, words, all_split);
    const char *line = stays ? at : (const char *)key;
    __builtin_prefetch(line, 1, 3);
    if (is_near) {
        __builtin_prefetch(line + t->stride, 1, 3);
    } else {
        __builtin_prefetch(line + t->stride, 0, 2);
    }
    if (t->stride > LINE / 2) {
        __builtin_prefetch(line + LINE, 1, 3);
    }
}

INLINE void ask_line(const char *line, int is_near) {
    if (is_near) {
        __builtin_prefetch(line, 0, 3);
    } else {
        __builtin_prefetch(line, 0, 2);
    }
}

// Asks for the lines that lie as much behind those of a GPV: whether it is one more nobody could
// guess, so that all are asked for that a small GPV may have, which costs nothing to ask for twice.
// The nearest cache has few lines on their way at once. Where homes are asked for as well, and small
// GPVs have more than a line, it leaves theirs to the second one.
INLINE void ask_ahead(const char *gpv, const char *to, Layout l, int beside_homes) {
    const int lines = is_little(l) ? 1 : (l.header + STEP * l.tuple + LINE - 1) / LINE;
    const int is_near = !beside_homes || lines == 1;
    const int ahead = beside_homes ? AHEAD : FAR_AHEAD;
    ask_line(to + ahead, is_near);
    for (int i = 1; i < lines; i++) {
        ask_line(gpv + ahead + i * LINE, is_near);
    }
    if (is_little(l) || __builtin_expect(to > gpv + l.header + STEP * l.tuple, 0)) {
        for (const char *ask = gpv + lines * LINE; ask < to; ask += LINE) {
            ask_line(ask + ahead, is_near);
        }
    }
}

// Whether groups of a set are asked for: add.c asks for those of keys that are new in it.
INLINE uint64_t asks_groups(const Plan *p) { return p->adds != SET; }

INLINE void ask_homes(const Plan *p, const Call *c, char *entry, uint64_t stays) {
    for (int64_t i = 0; i < c->tables; i++) {
        const Table *t = &c->table[i];
        int all_split = t->unsplit == INT64_MAX;
        uint64_t asks = stays & (i == 0 || asks_groups(p));
        ask_home((uint64_t *)(entry + t->key), t, t->words, all_split, asks, 1);
    }
}
