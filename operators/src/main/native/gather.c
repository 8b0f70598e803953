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
INLINE void ask_home(uint64_t *key, const Table *t, int64_t words, int all_split, uint64_t stays) {
    const char *at = home(key, t, words, all_split);
    const char *line = stays ? at : (const char *)key;
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

// Whether groups of a set are asked for: where few keys are new in it, add.c asks for theirs.
INLINE uint64_t asks_groups(const Plan *p, const Call *c) {
    return p->adds != SET || c->table[0].claims != 0;
}

INLINE void ask_homes(const Plan *p, const Call *c, char *entry, uint64_t stays) {
    for (int64_t i = 0; i < c->tables; i++) {
        const Table *t = &c->table[i];
        int all_split = t->unsplit == INT64_MAX;
        uint64_t asks = stays & (i == 0 || asks_groups(p, c));
        ask_home((uint64_t *)(entry + t->key), t, t->words, all_split, asks);
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
    const uint64_t groups = asks_groups(p, c);
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
    uint64_t all = 0;
    for (; left > 0 && (key_words == TOTAL || entry < end); left--) {
        uint64_t count = packets(gpv, l);
        const char *tuples = gpv + l.header;
        const char *to = tuples + count * (uint64_t)l.tuple;
        uint64_t stays = 1;
        if (is_bounded) {
            stays = passes(&filter, gpv, l);
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
            if (has_sum) {
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
            ask_homes(p, c, entry, stays);
        } else if (key_words == PAIR) {
            put_keys(p->piece, pieces, gpv, entry, ANY, l);
            *(uint64_t *)(entry + PAIR_COUNT_TO) = count;
            ask_home((uint64_t *)(entry + FIRST_KEY_TO), &table, 1, 1, stays);
            ask_home((uint64_t *)(entry + SECOND_KEY_TO), &second, 1, 1, stays & groups);
        } else {
            put_keys(piece, key_words, gpv, entry, key_words, l);
            *(uint64_t *)(entry + COUNT_TO) = count;
            if (has_sum) {
                *(uint64_t *)(entry + KEY_TO + 8 * key_words) = add_up(&sum, tuples, count, l);
            }
            ask_home((uint64_t *)(entry + KEY_TO), &table, key_words, 1, stays);
        }
        entry += bytes & -(int64_t)stays;
        if (asks) {
            ask_ahead(gpv, to, l);
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
    Lanes few = no_lanes();
    uint64_t many = 0;
    uint64_t all = 0;
    for (int64_t i = 0; i < gpvs; i++) {
        uint64_t count = packets(gpv, l);
        const char *tuples = gpv + l.header;
        const char *to = tuples + count * (uint64_t)l.tuple;
        all += count;
        if (__builtin_expect(count > STEP, 0)) {
            many += many_lanes(&sum, tuples + sum.at, count);
        } else {
            few = lanes(few, tuples + sum.at, count, &sum);
        }
        ask_ahead(gpv, to, l);
        gpv = to;
    }
    c->sum[0] += many + summed(few, &sum);
    c->count = (int64_t)all;
    c->next = (int64_t)gpv;
    c->left -= gpvs;
}

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
    known->asks_second = asks_groups(p, c);
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
    ask_home(made + 1, &known->first, keys.first, 1, 1);
    if (keys.second > 0) {
        ask_home(made + 2 + keys.first, &known->second, keys.second, 1, known->asks_second);
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
        if (stays | gated) {
            int64_t start = (int64_t)word(gpv + l.start_at, l);
            int64_t last = start + delta_ns(to - l.tuple, l);
            if ((start < from_ns) | (last >= until_ns) | (count > ENTRIES)) {
                break;
            }
        }
        ask_ahead(gpv, to, l);
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

// Whether a packet's entry has a key of so many words, and that of a set's groups, and no more.
static int is_of(const Plan *p, const Call *c, Keys keys) {
    const Table *t = c->table;
    int64_t second_to = second_key_to(keys);
    int is_set = keys.second > 0;
    return p->entry_bytes == 8 * keys.words && p->fields <= KNOWN_FIELDS && c->tables == 1 + is_set &&
           t[0].key == FIRST_KEY_TO && t[0].words == keys.first && is_simple(&t[0]) &&
           (!is_set || (p->adds == SET && t[1].key == second_to && t[1].words == keys.second &&
                        is_simple(&t[1])));
}

// Which loop it is, of all there are of a layout.
enum { PACKETS = 12, SET_OF_PACKETS, KEY_OF_PACKETS, MATCHES = 20 };

static const Keys ANY_KEYS = {0, 0, 0}, SET_KEYS = {5, 2, 1}, ONE_KEY = {2, 1, 0};

static int which(const Plan *p, const Call *c) {
    int bounded = p->tests > 0 || c->from_ns > INT64_MIN || c->until_ns < INT64_MAX;
    if (p->fields > 0) {
        return is_of(p, c, SET_KEYS)  ? SET_OF_PACKETS
               : is_of(p, c, ONE_KEY) ? KEY_OF_PACKETS
                                      : PACKETS;
    }
    int words = shape(p, c);
    return p->match_at >= 0 ? MATCHES + words : words * 4 + (p->sums > 0) * 2 + bounded;
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
            case TOTAL * 4 + 2:                                   \
                if (is_little(l) || p->sums > 1) {                \
                    LOOP(0, TOTAL, 1);                            \
                } else {                                          \
                    add_all(p, c, l);                             \
                }                                                 \
                break;                                            \
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
            case PACKETS: read_packets(p, c, l, ANY_KEYS); break; \
            case SET_OF_PACKETS: read_packets(p, c, l, SET_KEYS); break; \
            case KEY_OF_PACKETS: read_packets(p, c, l, ONE_KEY); break; \
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

// Not of none: they would tell that many keys are new.
static void add_some(Add *add, const Plan *p, Call *c, char *first, char *last) {
    if (last > first) {
        add(p, c, first, last);
    }
}

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
        add_some(add, p, c, before, before_end);
        before_end = end;
        char *other = before;
        before = place;
        place = other;
        goes_on = goes_on && !once && has_room(p, c, ENTRIES);
    }
    add_some(add, p, c, before, before_end);
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
