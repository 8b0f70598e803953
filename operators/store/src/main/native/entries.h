// Makes entries of GPVs, or adds them up. For gather.c alone.
#pragma once

#include "header.h"
#include "homes.h"

// What is the same for all GPVs is known where this is called, so that each call is a loop of its
// own. Only packets that match count, where `matches`.
INLINE void read(const Plan *p, Call *c, Layout l, int is_bounded, int key_words, int has_sum,
                 int matches) {
    const char *gpv = (const char *)c->next;
    char *entry = (char *)c->entry;
    const char *end = (const char *)c->end;
    int64_t left = c->left;
    int64_t from_ns = c->from_ns;
    int64_t until_ns = c->until_ns;
    const Sum sum = p->sum[0];
    const Table table = c->table[0];
    const Table second = key_words == PAIR ? c->table[1] : table;
    const uint64_t groups = asks_groups(p);
    const int64_t one_key = KEY_TO + 8 * key_words + 8 * has_sum;
    const int64_t canonical = key_words == PAIR ? PAIR_BYTES : one_key;
    const int64_t bytes = key_words == ANY ? p->entry_bytes : canonical;
    const int64_t pieces = p->pieces;
    Filter filter;
    if (is_bounded) {
        set_filter(&filter, p, c, l);
    }
    Piece piece[MOST_PIECES];
    for (int i = 0; i < key_words; i++) {
        piece[i] = p->piece[i];
    }
    // Where all tuples are read that are large, the hardware knows what comes.
    const int asks = !matches && !(is_little(l) && (key_words == ANY ? p->sums > 0 : has_sum));
    // Large tuples run through the second cache.
    const int is_near = key_words == 1 || is_little(l);
    const Lanes kept = has_sum && key_words > 0 ? kept_of(&sum, l) : no_lanes();
    uint64_t all = 0;
    for (; left > 0 && (key_words == TOTAL || entry < end); left--) {
        uint64_t count = packets(gpv, l);
        const char *tuples = gpv + l.header;
        const char *to = tuples + count * (uint64_t)l.tuple;
        uint64_t stays = 1;
        if (is_bounded) {
            stays = passes(&filter, gpv, l);
            uint64_t outside = is_outside(gpv, to, l, from_ns, until_ns);
            if (__builtin_expect(outside & (stays | (uint64_t)p->gated), 0)) {
                break;
            }
        }
        if (matches) {
            count = matching(p, c, tuples, to, l.tuple);
            stays &= count != 0;
        }
        if (key_words == TOTAL) {
            all += count & -stays;
            if (has_sum) {
                for (int64_t i = 0; i < p->sums; i++) {
                    const Lanes its = kept_of(&p->sum[i], l);
                    c->sum[i] += add_up(&p->sum[i], its, tuples, count, l) & -stays;
                }
            }
        } else if (key_words == ANY) {
            put_keys(p->piece, p->pieces, gpv, entry, ANY, l);
            *(uint64_t *)(entry + p->count_to) = count;
            for (int64_t i = 0; i < p->sums; i++) {
                const Lanes its = kept_of(&p->sum[i], l);
                uint64_t total = add_up(&p->sum[i], its, tuples, count, l);
                *(uint64_t *)(entry + p->sum[i].to) = total;
            }
            ask_homes(p, c, entry, stays);
        } else if (key_words == PAIR) {
            put_keys(p->piece, pieces, gpv, entry, ANY, l);
            *(uint64_t *)(entry + PAIR_COUNT_TO) = count;
            ask_home((uint64_t *)(entry + FIRST_KEY_TO), &table, 1, 1, stays, 1);
            ask_home((uint64_t *)(entry + SECOND_KEY_TO), &second, 1, 1, stays & groups, 1);
        } else {
            put_keys(piece, key_words, gpv, entry, key_words, l);
            *(uint64_t *)(entry + COUNT_TO) = count;
            if (has_sum) {
                *(uint64_t *)(entry + KEY_TO + 8 * key_words) = add_up(&sum, kept, tuples, count, l);
            }
            ask_home((uint64_t *)(entry + KEY_TO), &table, key_words, 1, stays, is_near);
        }
        entry += bytes & -(int64_t)stays;
        if (asks) {
            ask_ahead(gpv, to, l, key_words != TOTAL);
        }
        gpv = to;
    }
    c->next = (int64_t)gpv;
    c->left = left;
    c->entry = (int64_t)entry;
    c->count = (int64_t)all;
}

// Adds up a field of all packets, of GPVs of which none is left out: lanes are summed at the end.
INLINE void add_all(const Plan *p, Call *c, Layout l) {
    const char *gpv = (const char *)c->next;
    const Sum sum = p->sum[0];
    const int64_t gpvs = c->left < MOST_TIMES ? c->left : MOST_TIMES;
    const Lanes kept = kept_of(&sum, l);
    Lanes few = no_lanes();
    Halves large = no_halves();
    uint64_t many = 0;
    uint64_t all = 0;
    for (int64_t i = 0; i < gpvs; i++) {
        uint64_t count = packets(gpv, l);
        const char *tuples = gpv + l.header;
        const char *to = tuples + count * (uint64_t)l.tuple;
        all += count;
        if (is_little(l)) {
            if (__builtin_expect(count > STEP, 0)) {
                many += words(tuples + sum.at, count, l.tuple);
            } else {
                large = halves(large, tuples + sum.at, count, l.tuple);
            }
        } else if (__builtin_expect(count > STEP, 0)) {
            many += many_lanes(&sum, kept, tuples + sum.at, count);
        } else {
            few = lanes(few, tuples + sum.at, count, &sum, kept);
        }
        ask_ahead(gpv, to, l, 0);
        gpv = to;
    }
    c->sum[0] += many + (is_little(l) ? summed_halves(large) : summed(few, &sum));
    c->count = (int64_t)all;
    c->next = (int64_t)gpv;
    c->left -= gpvs;
}
