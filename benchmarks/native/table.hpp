// A flat open-addressing table: linear probing, entries inline, powers of two, grown at a load of
// 0.6, or made for a load of at most 0.4 where it is told how many groups will come. A Slot has
// `bool holds(key)`, `bool is_empty()`, `void start(key)`, `Key key()` and a type Key; a key has
// hash(). All zero is empty.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "trace.hpp"

namespace weir {

struct Key64 {
    uint64_t raw;

    bool operator==(const Key64& other) const { return raw == other.raw; }
    uint64_t hash() const { return raw * 0x9e3779b97f4a7c15ull; }
};

template <class Slot>
class Table {
  public:
    using Key = typename Slot::Key;

    explicit Table(size_t groups = 0) {
        size_t slots = 64;
        while (slots * 4 < groups * 10) {
            slots *= 2;
        }
        allocate(slots);
    }
    ~Table() { release(slots_, mask_ + 1); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    // A key's home and the slot behind it, which often is on the next line. Where it seldom is
    // wanted there, L2 may be near enough.
    template <bool kIsNextNear = true>
    void prefetch(uint64_t hash) const {
        const Slot* home = slots_ + (hash >> shift_);
        __builtin_prefetch(home, 1);
        if constexpr (kIsNextNear) {
            __builtin_prefetch(home + 1, 1);
        } else {
            __builtin_prefetch(home + 1, 0, 2);
        }
    }

    // The key's slot, where a new key starts empty but for its key.
    Slot& at(const Key& key, uint64_t hash) {
        size_t i = hash >> shift_;
        while (true) {
            Slot& slot = slots_[i];
            if (slot.holds(key)) {
                return slot;
            }
            if (slot.is_empty()) {
                return insert(slot, key, hash);
            }
            i = (i + 1) & mask_;
        }
    }
    Slot& at(const Key& key) { return at(key, key.hash()); }

    size_t groups() const { return groups_; }

    void clear() {
        if (groups_ != 0) {
            std::memset(static_cast<void*>(slots_), 0, (mask_ + 1) * sizeof(Slot));
            groups_ = 0;
        }
    }

    template <class Visit>
    void each(Visit visit) const {
        for (size_t i = 0; i <= mask_; i++) {
            if (!slots_[i].is_empty()) {
                visit(slots_[i]);
            }
        }
    }

  private:
    Slot& insert(Slot& slot, const Key& key, uint64_t hash) {
        if (__builtin_expect((groups_ + 1) * 10 > (mask_ + 1) * 6, 0)) {
            grow();
            return at(key, hash);
        }
        groups_++;
        slot.start(key);
        return slot;
    }

    // Huge pages where the machine gives them on advice.
    void allocate(size_t slots) {
        size_t bytes = slots * sizeof(Slot);
        void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) {
            die("no memory for " + std::to_string(bytes) + " bytes");
        }
        if (bytes >= size_t{2} << 20) {
            madvise(at, bytes, MADV_HUGEPAGE);
        }
        slots_ = static_cast<Slot*>(at);
        mask_ = slots - 1;
        shift_ = 64 - __builtin_ctzll(slots);
    }

    static void release(Slot* slots, size_t count) { munmap(slots, count * sizeof(Slot)); }

    __attribute__((noinline)) void grow() {
        Slot* old = slots_;
        size_t old_slots = mask_ + 1;
        allocate(2 * old_slots);
        for (size_t i = 0; i < old_slots; i++) {
            if (!old[i].is_empty()) {
                size_t at = old[i].key().hash() >> shift_;
                while (!slots_[at].is_empty()) {
                    at = (at + 1) & mask_;
                }
                slots_[at] = old[i];
            }
        }
        release(old, old_slots);
    }

    Slot* slots_;
    size_t mask_;
    int shift_;
    size_t groups_ = 0;
};

}  // namespace weir
