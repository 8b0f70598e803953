// What gather.c and add.c are told, and tell.
#pragma once

#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

enum { MOST_PIECES = 8, MOST_SUMS = 4, MOST_TESTS = 4, MOST_WORDS = 6, MOST_FIELDS = 4 };

// Entries between which what others brought is added: the lines of so many, and of as many that
// wait, stay in the nearest cache. Where packets have entries, a GPV may have as many; the last one
// may thus bring as many more.
enum { ENTRIES = 32, MOST_ENTRIES = 2 * ENTRIES };

// Where the canonical entry of a batch has its parts: one key, then a sum.
enum { COUNT_TO = 0, KEY_TO = 16 };

// And one of two keys: of a set, and of the groups that its counts are of.
enum { FIRST_KEY_TO = 8, PAIR_COUNT_TO = 16, SECOND_KEY_TO = 32, PAIR_BYTES = 40 };

// What is done with entries: nothing; words of them are added to the groups of the first table; or
// where a key is new in the first table, one is added to the group in the second.
enum { NOTHING = 0, GROUPS = 1, SET = 2 };

// Bits of a GPV's header that go to a word of an entry: the word of 64 bits at `at`, moved right
// until only they are left, then left. `kept` is all ones where those of the piece before stay. Of
// a tuple those that are `kept` are, and go to a word beside what the header has there.
typedef struct {
    int64_t at, right, left, to;
    uint64_t kept;
} Piece;

// A field of all tuples, added up as io.weir.operators.gpv.TupleSum does: with its
// masks where tuples have four bytes.
typedef struct {
    int64_t at, right, to, masks;
} Sum;

// Bits of the header, as a piece's, that must have the call's value.
typedef struct {
    int64_t at, right;
} Test;

// A word of a group's value, those of four bytes first, and what of an entry is added to it: 1 where
// that is below 0.
typedef struct {
    int64_t to, from;
} Word;

typedef struct {
    int64_t layout, gated, entry_bytes, count_to, pieces, sums, tests, adds, words, narrow;
    // Of packets that have an entry each; 0 where GPVs have.
    int64_t fields;
    // Of two bytes that are as the call has it in packets that count; below 0 where all do.
    int64_t match_at;
    Piece piece[MOST_PIECES];
    Sum sum[MOST_SUMS];
    Test test[MOST_TESTS];
    Word word[MOST_WORDS];
    Piece field[MOST_FIELDS];
} Plan;

// As io.weir.operators.map.SlotTable has it. Until all is split, `unsplit` is less than the most. The
// all-zero key has its entry in the slot `zero`: behind the others, or if there is none, nobody's.
// So many entries have room; `claims`: many keys were new of late. `inserted`: those that were.
typedef struct {
    int64_t table, slots, stride, key, words, old_slots, unsplit, zero;
    int64_t key_bytes, room, claims, inserted;
} Table;

// What a call takes and leaves (io.weir.operators.map.GatherCall).
typedef struct {
    int64_t next, left, entry, end, from_ns, until_ns, count;
    uint64_t sum[MOST_SUMS];
    uint64_t value[MOST_TESTS];
    uint64_t mask, wanted;
    int64_t tables;
    int64_t high;
    Table table[];
} Call;

typedef struct {
    uint64_t first, second;
} Key;

// New in a set, by entries that were added last: keys of their groups, and where these are at home.
typedef struct {
    uint64_t count;
    char *home[MOST_ENTRIES + 1];
    Key key[MOST_ENTRIES + 1];
} Waiting;

// Adds entries of a batch, MOST_ENTRIES at most, for which all tables have room; of none it counts
// what waits.
typedef void Add(const Plan *p, Call *c, char *first, char *last, Waiting *made);

// The one for these tables.
Add *add_of(const Plan *p, const Call *c);
