// Reads GPVs into a batch, or adds them up, where a kernel says as data what it wants of them
// (io.weir.operators.kernel.Gather): one loop, which asks for memory on the way. What a core waits
// for is then spread over the work for the next GPVs, as in no loop of Java's with a call in it.
// Here is which loop it is; they stand in entries.h and packets.h.
// Built once for any machine of its kind and once for those with AVX2: RUN says the function's name.
// Plain types instead of headers, as in memory.c.
#include "entries.h"
#include "packets.h"

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
    return p->entry_bytes == 8 * keys.words && p->fields <= KNOWN_FIELDS &&
           c->tables == 1 + is_set &&
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
                if (p->sums > 1) {                                \
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

// Whether tables have room for entries that wait, be it for their groups, and for those of the next GPVs.
static int has_room(const Plan *p, const Call *c, int64_t waiting) {
    int64_t all = waiting + c->left;
    int64_t entries = all < 3 * ENTRIES ? all : 3 * ENTRIES;
    entries = p->fields > 0 ? 3 * MOST_ENTRIES : entries;
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
static void add_some(Add *add, const Plan *p, Call *c, char *first, char *last, Waiting *made) {
    if (last > first || made->count > 0) {
        add(p, c, first, last, made);
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
    Waiting made;
    made.count = 0;
    int goes_on = 1;
    while (goes_on) {
        c->entry = (int64_t)place;
        c->end = c->entry + few;
        loop(p, c, which);
        char *end = (char *)c->entry;
        goes_on = c->entry >= c->end && c->left > 0;
        add_some(add, p, c, before, before_end, &made);
        before_end = end;
        char *other = before;
        before = place;
        place = other;
        goes_on = goes_on && !once && has_room(p, c, 2 * ENTRIES);
    }
    add_some(add, p, c, before, before_end, &made);
    add_some(add, p, c, before_end, before_end, &made);
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
