// Makes entries of packets, where keys have fields of theirs. For gather.c alone.
#pragma once

#include "header.h"
#include "homes.h"

// Of an entry of a packet.
enum { MOST_PACKET_WORDS = 16 };

// Words of a packet's entry that is known, of its key, and of that of a set's groups; or 0.
typedef struct {
    int64_t words, first, second;
} Keys;

// Bytes from an entry to the key of a set's groups.
INLINE int64_t second_key_to(Keys keys) { return FIRST_KEY_TO + 8 * keys.first + 8; }

// What is the same for all packets of a call. Of a field `in` is all ones at the word that it goes
// to: one of few, and a branch on which it is would wait for what was written last.
enum { KNOWN_WORDS = 5, KNOWN_FIELDS = 2 };

typedef struct {
    Table first, second;
    uint64_t asks_second;
    Piece field[KNOWN_FIELDS];
    uint64_t in[KNOWN_FIELDS][KNOWN_WORDS];
} Known;

INLINE void set_known(Known *known, const Plan *p, const Call *c, Keys keys) {
    known->first = c->table[0];
    known->second = keys.second > 0 ? c->table[1] : known->first;
    known->asks_second = asks_groups(p);
    for (int64_t f = 0; f < KNOWN_FIELDS; f++) {
        known->field[f] = p->field[f < p->fields ? f : 0];
        for (int64_t w = 0; w < keys.words; w++) {
            known->in[f][w] = known->field[f].to == 8 * w ? UINT64_MAX : 0;
        }
    }
}

INLINE uint64_t bits(const char *tuple, const Piece *field, Layout l) {
    return (word(tuple + field->at, l) >> field->right & field->kept) << field->left;
}

// The entry of a packet with keys that are known, beside what the header has of it.
INLINE void put_known(const Known *known, const uint64_t *same, const char *tuple, char *entry,
                      Keys keys, Layout l) {
    const uint64_t first = bits(tuple, &known->field[0], l);
    const uint64_t second = bits(tuple, &known->field[1], l);
    uint64_t made[KNOWN_WORDS];
#pragma GCC unroll 8
    for (int64_t w = 0; w < keys.words; w++) {
        made[w] = same[w] | (first & known->in[0][w]) | (second & known->in[1][w]);
    }
    ask_home(made + FIRST_KEY_TO / 8, &known->first, keys.first, 1, 1, 1);
    if (keys.second > 0) {
        ask_home(made + second_key_to(keys) / 8, &known->second, keys.second, 1, known->asks_second,
                 1);
    }
#pragma GCC unroll 8
    for (int64_t w = 0; w < keys.words; w++) {
        ((uint64_t *)entry)[w] = made[w];
    }
}

INLINE void put_any(const Plan *p, const Call *c, const uint64_t *same, const char *tuple,
                    char *entry, Layout l) {
    for (int64_t w = 0; w < p->entry_bytes / 8; w++) {
        ((uint64_t *)entry)[w] = same[w];
    }
    for (int64_t f = 0; f < p->fields; f++) {
        *(uint64_t *)(entry + p->field[f].to) |= bits(tuple, &p->field[f], l);
    }
    ask_homes(p, c, entry, 1);
}

// Makes entries of packets: what the header has of their words is the same for those of a GPV.
INLINE void read_packets(const Plan *p, Call *c, Layout l, Keys keys) {
    const char *gpv = (const char *)c->next;
    char *entry = (char *)c->entry;
    const char *end = (const char *)c->end;
    int64_t left = c->left;
    const int64_t from_ns = c->from_ns;
    const int64_t until_ns = c->until_ns;
    Filter filter;
    set_filter(&filter, p, c, l);
    const uint64_t gated = p->gated != 0;
    const int64_t words = keys.words > 0 ? keys.words : p->entry_bytes / 8;
    Known known;
    if (keys.words > 0) {
        set_known(&known, p, c, keys);
    }
    uint64_t same[MOST_PACKET_WORDS];
    for (int64_t w = 0; w < words; w++) {
        same[w] = 0;
    }
    for (; left > 0 && entry < end; left--) {
        uint64_t count = packets(gpv, l);
        const char *to = gpv + l.header + count * (uint64_t)l.tuple;
        uint64_t stays = passes(&filter, gpv, l);
        if ((stays | gated) &&
            (is_outside(gpv, to, l, from_ns, until_ns) | (count > ENTRIES))) {
            break;
        }
        ask_ahead(gpv, to, l, 1);
        if (stays) {
            put_keys(p->piece, p->pieces, gpv, (char *)same, ANY, l);
            for (const char *tuple = gpv + l.header; tuple != to; tuple += l.tuple) {
                if (keys.words > 0) {
                    put_known(&known, same, tuple, entry, keys, l);
                } else {
                    put_any(p, c, same, tuple, entry, l);
                }
                entry += words * 8;
            }
        }
        gpv = to;
    }
    c->next = (int64_t)gpv;
    c->left = left;
    c->entry = (int64_t)entry;
}
