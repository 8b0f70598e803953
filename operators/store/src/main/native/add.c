// Adds entries of a batch to the tables whose homes were found for their keys: first, without a
// branch on whether they are, those that are at home, which nobody could guess; then the others.
// Plain types instead of headers, as in memory.c.
#include "gather.h"

// Of the one key of a canonical entry, of so many bytes in the table; else 0.
typedef struct {
    int key_bytes, has_count, has_sum;
} Shape;

// Many keys are new where one of so many was.
enum { NEW_PART = 8 };

INLINE Key key_of(const char *slot, int64_t bytes) {
    Key key = {bytes == 4 ? *(const uint32_t *)slot : *(const uint64_t *)slot,
               bytes == 16 ? ((const uint64_t *)slot)[1] : 0};
    return key;
}

INLINE void put_key(char *slot, Key key, int64_t bytes) {
    if (bytes == 4) {
        *(uint32_t *)slot = (uint32_t)key.first;
    } else {
        *(uint64_t *)slot = key.first;
    }
    if (bytes == 16) {
        ((uint64_t *)slot)[1] = key.second;
    }
}

// In an entry all words are whole.
INLINE Key key_at(const char *entry, int64_t at, int64_t bytes) {
    return key_of(entry + at, bytes == 16 ? 16 : 8);
}

INLINE char *home_at(const char *entry, int64_t key) { return ((char **)(entry + key))[-1]; }

INLINE int is_none(Key key) { return (key.first | key.second) == 0; }

INLINE int is_other(Key a, Key b) {
    return ((a.first ^ b.first) | (a.second ^ b.second)) != 0;
}

// Takes the slot for the key, if it is empty; whether it was. Not for the all-zero key.
INLINE uint64_t claim(char *slot, Key there, Key key, int64_t bytes) {
    uint64_t empty = is_none(there) & !is_none(key);
    Key now = {there.first | (key.first & -empty), there.second | (key.second & -empty)};
    put_key(slot, now, bytes);
    return empty;
}

// The first slot from the home on that is the key's, or empty.
INLINE char *find(const Table *t, char *home, Key key, int64_t bytes) {
    char *first = (char *)t->table;
    char *end = first + t->slots * t->stride;
    char *slot = home;
    for (;;) {
        Key there = key_of(slot, bytes);
        if (is_none(there) || !is_other(there, key)) {
            return slot;
        }
        slot += t->stride;
        slot = slot == end ? first : slot;
    }
}

// Slot of the all-zero key's entry, which is made where there is none.
static char *take_zero(Table *t) {
    int64_t is_new = t->zero != t->slots;
    t->zero = t->slots;
    t->inserted += is_new;
    t->room -= is_new;
    return (char *)(t->table + t->slots * t->stride);
}

// The slot of the key's entry, which is made where there is none.
INLINE char *take(Table *t, char *home, Key key, int64_t bytes) {
    if (is_none(key)) {
        return take_zero(t);
    }
    char *slot = find(t, home, key, bytes);
    if (is_none(key_of(slot, bytes))) {
        put_key(slot, key, bytes);
        t->inserted++;
        t->room--;
    }
    return slot;
}

INLINE uint32_t add_narrow(char *to, uint64_t more) {
    uint32_t sum = *(uint32_t *)to + (uint32_t)more;
    *(uint32_t *)to = sum;
    return sum;
}

// Adds an entry's words to a value, those bits that are asked for. What words of four bytes have
// come to, put together.
INLINE uint32_t add_words(const Plan *p, char *value, const char *entry, uint64_t kept, Shape s) {
    uint32_t high = 0;
    if (s.key_bytes == 0) {
        for (int64_t w = 0; w < p->words; w++) {
            int64_t from = p->word[w].from;
            uint64_t more = (from < 0 ? 1 : *(const uint64_t *)(entry + from)) & kept;
            if (w < p->narrow) {
                high |= add_narrow(value + p->word[w].to, more);
            } else {
                *(uint64_t *)(value + p->word[w].to) += more;
            }
        }
        return high;
    }
    int64_t sum_to = 0;
    if (s.has_count) {
        uint64_t count = *(const uint64_t *)(entry + COUNT_TO) & kept;
        sum_to = s.key_bytes == 4 ? 4 : 8;
        if (s.key_bytes == 4) {
            high = add_narrow(value, count);
        } else {
            *(uint64_t *)value += count;
        }
    }
    if (s.has_sum) {
        int sum_at = KEY_TO + (s.key_bytes == 16 ? 16 : 8);
        *(uint64_t *)(value + sum_to) += *(const uint64_t *)(entry + sum_at) & kept;
    }
    return high;
}

INLINE void heed_new(Table *t, int64_t fresh, int64_t entries) {
    t->claims = fresh * NEW_PART >= entries;
}

INLINE void groups(const Plan *p, Call *c, char *first, char *last, Shape s) {
    Table *t = &c->table[0];
    const int64_t bytes = s.key_bytes == 0 ? t->key_bytes : s.key_bytes;
    const int64_t key_to = s.key_bytes == 0 ? t->key : KEY_TO;
    const int64_t canonical = KEY_TO + (s.key_bytes == 16 ? 16 : 8) + 8 * s.has_sum;
    const int64_t step = s.key_bytes == 0 ? p->entry_bytes : canonical;
    const int64_t before = t->inserted;
    char *others[MOST_ENTRIES];
    uint64_t away = 0;
    uint32_t high = 0;
    if (t->claims) {
        uint64_t claimed = 0;
        for (char *entry = first; entry < last; entry += step) {
            char *home = home_at(entry, key_to);
            claimed += claim(home, key_of(home, bytes), key_at(entry, key_to, bytes), bytes);
        }
        t->inserted += (int64_t)claimed;
        t->room -= (int64_t)claimed;
    }
    for (char *entry = first; entry < last; entry += step) {
        char *home = home_at(entry, key_to);
        uint64_t other = is_other(key_of(home, bytes), key_at(entry, key_to, bytes));
        others[away] = entry;
        away += other;
        high |= add_words(p, home + bytes, entry, other - 1, s);
    }
    for (uint64_t i = 0; i < away; i++) {
        Key key = key_at(others[i], key_to, bytes);
        char *slot = take(t, home_at(others[i], key_to), key, bytes);
        high |= add_words(p, slot + bytes, others[i], ~UINT64_C(0), s);
    }
    c->high |= high >> 31;
    heed_new(t, t->inserted - before, (last - first) / step);
}

INLINE uint32_t count(const Plan *p, char *value, uint64_t more) {
    value += p->word[0].to;
    if (p->narrow > 0) {
        return add_narrow(value, more);
    }
    *(uint64_t *)value += more;
    return 0;
}

// Adds one to the group of each that waits, for which memory was asked when it was found to be new.
INLINE uint32_t count_each(const Plan *p, Table *t, Waiting *made, int64_t bytes) {
    const uint64_t claims = t->claims != 0;
    const int64_t before = t->inserted;
    uint64_t others[MOST_ENTRIES];
    uint64_t claimed = 0;
    uint64_t away = 0;
    uint32_t high = 0;
    for (uint64_t i = 0; i < made->count; i++) {
        char *home = made->home[i];
        Key key = made->key[i];
        if (claims) {
            claimed += claim(home, key_of(home, bytes), key, bytes);
        }
        uint64_t other = is_other(key_of(home, bytes), key);
        others[away] = i;
        away += other;
        high |= count(p, home + bytes, other ^ 1);
    }
    t->inserted += (int64_t)claimed;
    t->room -= (int64_t)claimed;
    for (uint64_t i = 0; i < away; i++) {
        char *slot = take(t, made->home[others[i]], made->key[others[i]], bytes);
        high |= count(p, slot + bytes, 1);
    }
    if (made->count > 0) {
        heed_new(t, t->inserted - before, (int64_t)made->count);
    }
    made->count = 0;
    return high;
}

// What is new in the set has its group asked for, and is counted the next time.
INLINE void await_group(Waiting *made, const Table *g, const char *entry, int64_t bytes,
                        uint64_t is_new) {
    char *home = home_at(entry, g->key);
    made->home[made->count] = home;
    made->key[made->count] = key_at(entry, g->key, bytes);
    made->count += is_new;
    const char *line = is_new ? home : entry;
    __builtin_prefetch(line, 1, 3);
    __builtin_prefetch(line + g->stride, 1, 3);
}

INLINE void set(const Plan *p, Call *c, char *first, char *last, Waiting *made, int64_t bytes,
                int64_t group_bytes) {
    Table *t = &c->table[0];
    Table *g = &c->table[1];
    c->high |= count_each(p, g, made, group_bytes) >> 31;
    if (first == last) {
        return;
    }
    const int64_t before = t->inserted;
    char *others[MOST_ENTRIES];
    uint64_t away = 0;
    uint64_t fresh = 0;
    const uint64_t claims = t->claims != 0;
    for (char *entry = first; entry < last; entry += p->entry_bytes) {
        char *home = home_at(entry, t->key);
        Key key = key_at(entry, t->key, bytes);
        Key there = key_of(home, bytes);
        if (claims) {
            uint64_t is_new = claim(home, there, key, bytes);
            await_group(made, g, entry, group_bytes, is_new);
            fresh += is_new;
            there = key_of(home, bytes);
        }
        others[away] = entry;
        away += is_other(there, key);
    }
    t->inserted += (int64_t)fresh;
    t->room -= (int64_t)fresh;
    for (uint64_t i = 0; i < away; i++) {
        Key key = key_at(others[i], t->key, bytes);
        int64_t known = t->inserted;
        take(t, home_at(others[i], t->key), key, bytes);
        if (t->inserted > known) {
            await_group(made, g, others[i], group_bytes, 1);
        }
    }
    heed_new(t, t->inserted - before, (last - first) / p->entry_bytes);
}

// Of a canonical entry the words of its group: 1 where there is a count, 2 where a sum; 0 where
// it is not one, or they are others.
static int words_of(const Plan *p, const Table *t) {
    int64_t key_words = t->key_bytes == 16 ? 2 : 1;
    int64_t sum_from = KEY_TO + 8 * key_words;
    int64_t count_bytes = t->key_bytes == 4 ? 4 : 8;
    const Word *word = p->word;
    if (t->key != KEY_TO || p->entry_bytes != sum_from + 8 * p->sums || p->count_to != COUNT_TO ||
        p->sums > 1 || p->words < 1 || word[0].to != 0 ||
        p->narrow != (t->key_bytes == 4 ? 1 : 0)) {
        return 0;
    } else if (p->words == 1) {
        return word[0].from == COUNT_TO && p->sums == 0     ? 1
               : word[0].from == sum_from && p->sums == 1 ? 2
                                                            : 0;
    }
    int both = p->words == 2 && word[0].from == COUNT_TO && word[1].from == sum_from &&
               word[1].to == count_bytes && p->sums == 1;
    return both ? 3 : 0;
}

#define ARGUMENTS const Plan *p, Call *c, char *first, char *last, Waiting *made

#define GROUPS_OF(name, key_bytes, has_count, has_sum)       \
    static void name(ARGUMENTS) {                            \
        const Shape shape = {key_bytes, has_count, has_sum}; \
        (void)made;                                          \
        groups(p, c, first, last, shape);                    \
    }

GROUPS_OF(counts4, 4, 1, 0)
GROUPS_OF(both4, 4, 1, 1)
GROUPS_OF(counts8, 8, 1, 0)
GROUPS_OF(sums8, 8, 0, 1)
GROUPS_OF(both8, 8, 1, 1)
GROUPS_OF(counts16, 16, 1, 0)
GROUPS_OF(sums16, 16, 0, 1)
GROUPS_OF(both16, 16, 1, 1)
GROUPS_OF(any, 0, 0, 0)

#define SET_OF(name, key_bytes, group_bytes)            \
    static void name(ARGUMENTS) {                       \
        set(p, c, first, last, made, key_bytes, group_bytes); \
    }

SET_OF(set8_4, 8, 4)
SET_OF(set8_8, 8, 8)
SET_OF(set16_4, 16, 4)
SET_OF(set16_8, 16, 8)
SET_OF(any_set, c->table[0].key_bytes, c->table[1].key_bytes)

Add *add_of(const Plan *p, const Call *c) {
    const int64_t bytes = c->table[0].key_bytes;
    if (p->adds == SET) {
        switch (bytes * 32 + c->table[1].key_bytes) {
            case 8 * 32 + 4: return set8_4;
            case 8 * 32 + 8: return set8_8;
            case 16 * 32 + 4: return set16_4;
            case 16 * 32 + 8: return set16_8;
            default: return any_set;
        }
    }
    switch (bytes * 4 + words_of(p, &c->table[0])) {
        case 4 * 4 + 1: return counts4;
        case 4 * 4 + 3: return both4;
        case 8 * 4 + 1: return counts8;
        case 8 * 4 + 2: return sums8;
        case 8 * 4 + 3: return both8;
        case 16 * 4 + 1: return counts16;
        case 16 * 4 + 2: return sums16;
        case 16 * 4 + 3: return both16;
        default: return any;
    }
}
