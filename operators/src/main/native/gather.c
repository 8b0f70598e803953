// Reads GPVs into a batch, or adds them up, where a kernel says as data what it wants of them
// (io.weir.operators.kernel.Gather): one loop, which asks for memory on the way. What a core waits
// for is then spread over the work for the next GPVs, as in no loop of Java's with a call in it.
// Built once for any machine of its kind and once for those with AVX2: RUN says the function's name.
// Plain types instead of headers, as in memory.c.
#include <stdint.h>

#include "gather.h"
#include "hash.h"
#include "tuples.h"

enum { LINE = 64, AHEAD = 2048 };

// Of an entry of a packet.
enum { MOST_PACKET_WORDS = 16 };

// Where a canonical entry of two keys has its parts: the key of a set, and of the groups that its
// counts are of.
enum { FIRST_KEY_TO = 8, PAIR_COUNT_TO = 16, SECOND_KEY_TO = 32, PAIR_BYTES = 40 };

// Writes before a key where the table has its home, and asks for that, to be written, and for the
// slot behind it; not where the entry does not stay.
INLINE void home(uint64_t *key, const Table *t, int64_t words, int all_split, uint64_t stays) {
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
    const char *line = stays ? (const char *)at : (const char *)key;
    __builtin_prefetch(line, 1, 3);
    __builtin_prefetch(line + t->stride, 1, 3);
    if (t->stride > LINE / 2) {
        __builtin_prefetch(line + LINE, 1, 3);
    }
}

// Asks for the lines that lie as much behind those of a GPV. Small ones have a line or so: whether it
// is one more nobody could guess, and to ask twice costs nothing.
INLINE void ask_ahead(const char *gpv, const char *to, Layout l) {
    const char *ask = gpv + LINE;
    __builtin_prefetch(to + AHEAD, 0, 3);
    for (; is_little(l) ? ask < to : __builtin_expect(ask < to, 0); ask += LINE) {
        __builtin_prefetch(ask + AHEAD, 0, 3);
    }
}

INLINE uint64_t passes(const Plan *p, const Call *c, const char *gpv, Layout l) {
    uint64_t all = 1;
    for (int64_t i = 0; i < p->tests; i++) {
        all &= word(gpv + p->test[i].at, l) >> p->test[i].right == c->value[i];
    }
    return all;
}

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

enum { PAIR = -2, TOTAL = -1, ANY = 0 };

// What is the same for all GPVs is known where this is called, so that each call is a loop of its
// own. `key_words`: of the one key of a canonical entry; PAIR: two keys of a word, the count between
// them; TOTAL: there are no entries; ANY: others. Only packets that match count, where `matches`.
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
    const int64_t one_key = KEY_TO + 8 * key_words + 8 * has_sum;
    const int64_t canonical = key_words == PAIR ? PAIR_BYTES : one_key;
    const int64_t bytes = key_words == ANY ? p->entry_bytes : canonical;
    const int64_t pieces = p->pieces;
    Lanes total = no_lanes();
    Piece piece[MOST_PIECES];
    for (int i = 0; i < key_words; i++) {
        piece[i] = p->piece[i];
    }
    // Where all tuples are read that are large, the hardware knows what comes.
    const int asks = !matches && !(is_little(l) && (key_words == ANY ? p->sums > 0 : has_sum));
    uint64_t all = 0;
    const int64_t last_left = key_words == TOTAL && left > MOST_TIMES ? left - MOST_TIMES : 0;
    for (; left > last_left && (key_words == TOTAL || entry < end); left--) {
        uint64_t count = packets(gpv, l);
        const char *tuples = gpv + l.header;
        const char *to = tuples + count * (uint64_t)l.tuple;
        uint64_t stays = 1;
        if (is_bounded) {
            stays = passes(p, c, gpv, l);
            int64_t start = (int64_t)word(gpv + l.start_at, l);
            int64_t last = start + delta_ns(to - l.tuple, l);
            uint64_t outside = (uint64_t)(start < from_ns) | (uint64_t)(last >= until_ns);
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
            if (has_sum && !is_little(l) && !is_bounded && count <= STEP && p->sums == 1) {
                total = lanes(total, tuples + sum.at, count, &sum);
            } else if (has_sum) {
                for (int64_t i = 0; i < p->sums; i++) {
                    c->sum[i] += add_up(&p->sum[i], tuples, count, l) & -stays;
                }
            }
        } else if (key_words == ANY) {
            put_keys(p->piece, p->pieces, gpv, entry, ANY, l);
            *(uint64_t *)(entry + p->count_to) = count;
            for (int64_t i = 0; i < p->sums; i++) {
                *(uint64_t *)(entry + p->sum[i].to) = add_up(&p->sum[i], tuples, count, l);
            }
            for (int64_t i = 0; i < c->tables; i++) {
                const Table *t = &c->table[i];
                int all_split = t->unsplit == INT64_MAX;
                home((uint64_t *)(entry + t->key), t, t->words, all_split, stays);
            }
        } else if (key_words == PAIR) {
            put_keys(p->piece, pieces, gpv, entry, ANY, l);
            *(uint64_t *)(entry + PAIR_COUNT_TO) = count;
            home((uint64_t *)(entry + FIRST_KEY_TO), &table, 1, 1, stays);
            home((uint64_t *)(entry + SECOND_KEY_TO), &second, 1, 1, stays);
        } else {
            put_keys(piece, key_words, gpv, entry, key_words, l);
            *(uint64_t *)(entry + COUNT_TO) = count;
            if (has_sum) {
                *(uint64_t *)(entry + KEY_TO + 8 * key_words) = add_up(&sum, tuples, count, l);
            }
            home((uint64_t *)(entry + KEY_TO), &table, key_words, 1, stays);
        }
        entry += bytes & -(int64_t)stays;
        if (asks) {
            ask_ahead(gpv, to, l);
        }
        gpv = to;
    }
    if (key_words == TOTAL && has_sum && !is_bounded) {
        c->sum[0] += summed(total, &sum);
    }
    c->next = (int64_t)gpv;
    c->left = left;
    c->entry = (int64_t)entry;
    c->count = (int64_t)all;
}

// Makes entries of packets: what the header has of their words is the same for those of a GPV.
INLINE void read_packets(const Plan *p, Call *c, Layout l) {
    const char *gpv = (const char *)c->next;
    char *entry = (char *)c->entry;
    const char *end = (const char *)c->end;
    const int64_t words = p->entry_bytes / 8;
    int64_t left = c->left;
    uint64_t same[MOST_PACKET_WORDS] = {0};
    for (; left > 0 && entry < end; left--) {
        uint64_t count = packets(gpv, l);
        const char *to = gpv + l.header + count * (uint64_t)l.tuple;
        uint64_t stays = passes(p, c, gpv, l);
        int64_t start = (int64_t)word(gpv + l.start_at, l);
        uint64_t outside = (uint64_t)(start < c->from_ns) |
                           (uint64_t)(start + delta_ns(to - l.tuple, l) >= c->until_ns) |
                           (uint64_t)(count > ENTRIES);
        if (__builtin_expect(outside & (stays | (uint64_t)p->gated), 0)) {
            break;
        }
        ask_ahead(gpv, to, l);
        if (stays) {
            put_keys(p->piece, p->pieces, gpv, (char *)same, ANY, l);
            for (const char *tuple = gpv + l.header; tuple != to; tuple += l.tuple) {
                for (int64_t w = 0; w < words; w++) {
                    ((uint64_t *)entry)[w] = same[w];
                }
                for (int64_t f = 0; f < p->fields; f++) {
                    const Piece *field = &p->field[f];
                    uint64_t bits = word(tuple + field->at, l) >> field->right & field->kept;
                    *(uint64_t *)(entry + field->to) |= bits << field->left;
                }
                for (int64_t i = 0; i < c->tables; i++) {
                    const Table *t = &c->table[i];
                    int all_split = t->unsplit == INT64_MAX;
                    home((uint64_t *)(entry + t->key), t, t->words, all_split, 1);
                }
                entry += p->entry_bytes;
            }
        }
        gpv = to;
    }
    c->next = (int64_t)gpv;
    c->left = left;
    c->entry = (int64_t)entry;
}

static int is_simple(const Table *t) {
    return t->unsplit == INT64_MAX && t->stride <= LINE / 2;
}

static int is_pair(const Plan *p, const Call *c) {
    return c->tables == 2 && p->sums == 0 && p->entry_bytes == PAIR_BYTES &&
           p->count_to == PAIR_COUNT_TO && c->table[0].key == FIRST_KEY_TO &&
           c->table[1].key == SECOND_KEY_TO && c->table[0].words == 1 &&
           c->table[1].words == 1 && is_simple(&c->table[0]) && is_simple(&c->table[1]);
}

// Words of the one key of a canonical entry; or what else there is a loop for. Tables that are
// being split are looked for in the loop for ANY.
static int shape(const Plan *p, const Call *c) {
    if (c->tables == 0) {
        return TOTAL;
    } else if (is_pair(p, c)) {
        return PAIR;
    }
    int64_t words = c->table[0].words;
    int is = c->tables == 1 && words == p->pieces && words <= 2 && p->sums <= 1 &&
             is_simple(&c->table[0]) && c->table[0].key == KEY_TO && p->count_to == COUNT_TO &&
             p->entry_bytes == KEY_TO + 8 * words + 8 * p->sums;
    for (int64_t i = 0; i < p->pieces; i++) {
        is = is && p->piece[i].to == KEY_TO + 8 * i && p->piece[i].left == 0;
    }
    return is ? (int)words : ANY;
}

// Which loop it is, of all there are of a layout: those after PACKETS are for packets that match.
enum { PACKETS = 12, MATCHES = 16 };

static int which(const Plan *p, const Call *c) {
    int bounded = p->tests > 0 || c->from_ns > INT64_MIN || c->until_ns < INT64_MAX;
    int words = shape(p, c);
    if (p->fields > 0) {
        return PACKETS;
    } else if (p->match_at >= 0) {
        return MATCHES + words;
    }
    return words * 4 + (p->sums > 0) * 2 + bounded;
}

#define LOOP(is_bounded, key_words, has_sum) read(p, c, l, is_bounded, key_words, has_sum, 0)

#define OF_LAYOUT(name, tuple, header, count_at)                  \
    static void name(const Plan *p, Call *c, int which) {         \
        const Layout l = {tuple, header, count_at, count_at + 2}; \
        switch (which) {                                          \
            case PAIR * 4: LOOP(0, PAIR, 0); break;               \
            case PAIR * 4 + 1: LOOP(1, PAIR, 0); break;           \
            case TOTAL * 4: LOOP(0, TOTAL, 0); break;             \
            case TOTAL * 4 + 1: LOOP(1, TOTAL, 0); break;         \
            case TOTAL * 4 + 2: LOOP(0, TOTAL, 1); break;         \
            case TOTAL * 4 + 3: LOOP(1, TOTAL, 1); break;         \
            case ANY: case ANY + 2: LOOP(0, ANY, 0); break;       \
            case 4: LOOP(0, 1, 0); break;                         \
            case 5: LOOP(1, 1, 0); break;                         \
            case 6: LOOP(0, 1, 1); break;                         \
            case 7: LOOP(1, 1, 1); break;                         \
            case 8: LOOP(0, 2, 0); break;                         \
            case 9: LOOP(1, 2, 0); break;                         \
            case 10: LOOP(0, 2, 1); break;                        \
            case 11: LOOP(1, 2, 1); break;                        \
            case PACKETS: read_packets(p, c, l); break;           \
            case MATCHES + TOTAL: MATCH(TOTAL); break;            \
            case MATCHES + 1: MATCH(1); break;                    \
            case MATCHES + PAIR: case MATCHES: case MATCHES + 2:  \
                MATCH(ANY); break;                                \
            default: LOOP(1, ANY, 0); break;                      \
        }                                                         \
    }

// Only tuples of `full` have fields of two bytes.
#define MATCH(key_words) (void)0
OF_LAYOUT(flow32_v4, 4, 24, 14)
OF_LAYOUT(flow32_v6, 4, 48, 38)
OF_LAYOUT(flow64_v4, 8, 24, 14)
OF_LAYOUT(flow64_v6, 8, 48, 38)
#undef MATCH
#define MATCH(key_words) read(p, c, l, 1, key_words, 0, 1)
OF_LAYOUT(full_v4, 48, 56, 14)
OF_LAYOUT(full_v6, 48, 80, 38)

// Whether tables have room for entries that wait, and for those of the next GPVs.
static int has_room(const Plan *p, const Call *c, int64_t waiting) {
    int64_t all = waiting + c->left;
    int64_t entries = all < 2 * ENTRIES ? all : 2 * ENTRIES;
    entries = p->fields > 0 ? 2 * MOST_ENTRIES : entries;
    int has = 1;
    for (int64_t i = 0; i < c->tables; i++) {
        has = has && c->table[i].room >= entries;
    }
    return has;
}

static int is_splitting(const Call *c) {
    int is = 0;
    for (int64_t i = 0; i < c->tables; i++) {
        is = is || c->table[i].unsplit < INT64_MAX;
    }
    return is;
}

typedef void Read(const Plan *p, Call *c, int which);

// Reads GPVs, few at a time, in turn into two places, and adds what the few before them brought:
// what was asked for is there then. A table that is being split goes on with that between two
// calls.
static void read_many(const Plan *p, Call *c, Read *loop, int which) {
    Add *const add = add_of(p, c);
    const int64_t few = ENTRIES * p->entry_bytes;
    const int64_t most = p->fields > 0 ? MOST_ENTRIES * p->entry_bytes : few;
    const int64_t left = c->entry;
    const int once = is_splitting(c);
    char *place = (char *)c->end;
    char *before = place + most;
    char *before_end = before;
    int goes_on = 1;
    while (goes_on) {
        c->entry = (int64_t)place;
        c->end = c->entry + few;
        loop(p, c, which);
        char *end = (char *)c->entry;
        goes_on = c->entry >= c->end && c->left > 0;
        if (before_end > before) {
            add(p, c, before, before_end);
        }
        before_end = end;
        char *other = before;
        before = place;
        place = other;
        goes_on = goes_on && !once && has_room(p, c, ENTRIES);
    }
    if (before_end > before) {
        add(p, c, before, before_end);
    }
    c->entry = left;
}

void RUN(int64_t plan, int64_t call) {
    static Read *const of_layout[] = {flow32_v4, flow32_v6, flow64_v4, flow64_v6, full_v4, full_v6};
    const Plan *p = (const Plan *)plan;
    Call *c = (Call *)call;
    Read *const loop = of_layout[p->layout];
    const int kind = which(p, c);
    if (p->adds == NOTHING || !has_room(p, c, 0)) {
        loop(p, c, kind);
    } else {
        read_many(p, c, loop, kind);
    }
}
