// Flat open-addressing tables of packets and bytes per source: linear probing, entries inline,
// powers of two, grown at a load of 0.6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "trace.hpp"

namespace weir {

// 24 bytes for IPv4, 32 for IPv6: whole 64-bit sums.
template <class K>
struct WideSlot {
    using Key = K;
    K key;
    uint64_t packets;
    uint64_t bytes;
};

// 16 bytes for IPv4: good for 4 billion packets per source.
template <class K>
struct SmallSlot {
    using Key = K;
    K key;
    uint32_t packets;
    uint64_t bytes;
};

// A slot without packets is empty.
template <class Slot>
class Table {
  public:
    using Key = typename Slot::Key;

    explicit Table(size_t groups) {
        size_t slots = 64;
        while (slots * 6 < groups * 10) {
            slots *= 2;
        }
        allocate(slots);
    }
    ~Table() { std::free(slots_); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    const Slot* home(uint64_t hash) const { return slots_ + (hash >> shift_); }

    void add(const Key& key, uint64_t hash, uint32_t packets, uint64_t bytes) {
        size_t at = hash >> shift_;
        while (true) {
            Slot& slot = slots_[at];
            if (slot.packets == 0) {
                insert(slot, key, packets, bytes);
                return;
            }
            if (slot.key == key) {
                slot.packets += packets;
                slot.bytes += bytes;
                return;
            }
            at = (at + 1) & mask_;
        }
    }

    size_t groups() const { return groups_; }

    template <class Visit>
    void each(Visit visit) const {
        for (size_t i = 0; i <= mask_; i++) {
            if (slots_[i].packets != 0) {
                visit(slots_[i]);
            }
        }
    }

  private:
    void insert(Slot& slot, const Key& key, uint32_t packets, uint64_t bytes) {
        slot.key = key;
        slot.packets = packets;
        slot.bytes = bytes;
        if (++groups_ * 10 > (mask_ + 1) * 6) {
            grow();
        }
    }

    void allocate(size_t slots) {
        slots_ = static_cast<Slot*>(std::calloc(slots, sizeof(Slot)));
        if (slots_ == nullptr) {
            std::fprintf(stderr, "no memory for %zu slots\n", slots);
            std::exit(2);
        }
        mask_ = slots - 1;
        shift_ = 64 - __builtin_ctzll(slots);
    }

    __attribute__((noinline)) void grow() {
        Slot* old = slots_;
        size_t old_slots = mask_ + 1;
        allocate(2 * old_slots);
        for (size_t i = 0; i < old_slots; i++) {
            if (old[i].packets != 0) {
                size_t at = old[i].key.hash() >> shift_;
                while (slots_[at].packets != 0) {
                    at = (at + 1) & mask_;
                }
                slots_[at] = old[i];
            }
        }
        std::free(old);
    }

    Slot* slots_;
    size_t mask_;
    int shift_;
    size_t groups_ = 0;
};

}  // namespace weir
