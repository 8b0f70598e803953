// Grouping by a column of the packet: by tcp_flags (packets and bytes), by bytes (packets).
//   plain  a hash table, once a packet
//   best   an array with an entry for each value below 2^16; a hash table for values above. Of
//          short tuples eight of a GPV are copied, whatever its count, and those of few GPVs
//          counted in one loop, whose end is guessed once: 7 to 12 % faster. Of `full` that was
//          11 % slower by flags, and no faster by bytes; there a loop over each GPV's packets
#include <algorithm>

#include "table.hpp"
#include "works.hpp"

namespace weir {
namespace {

struct Totals {
    uint64_t packets;
    uint64_t bytes;
};

struct Slot {
    using Key = Key64;
    uint64_t key_;
    Totals totals;

    bool holds(const Key64& key) const { return totals.packets != 0 && key_ == key.raw; }
    bool is_empty() const { return totals.packets == 0; }
    void start(const Key64& key) { key_ = key.raw; }
    Key64 key() const { return {key_}; }
};

struct ByTcpFlags {
    static constexpr bool kSums = true;
    template <class L>
    static uint32_t key(const uint8_t* at) {
        return L::tcp_flags(at);
    }
};

struct ByBytes {
    static constexpr bool kSums = false;
    template <class L>
    static uint32_t key(const uint8_t* at) {
        return L::bytes(at);
    }
};

template <class By, class L>
inline void count(Totals& into, const uint8_t* at) {
    into.packets++;
    if constexpr (By::kSums) {
        into.bytes += L::bytes(at);
    }
}

template <class By>
void row(RowHash& rows, uint64_t key, const Totals& totals) {
    rows.word(key).word(totals.packets);
    if constexpr (By::kSums) {
        rows.word(totals.bytes);
    }
    rows.end();
}

template <class By>
class Plain : public Run {
  public:
    explicit Plain(const Options&) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

    void totals(RowHash& rows) const override {
        table_.each([&](const Slot& slot) { row<By>(rows, slot.key_, slot.totals); });
    }

    size_t groups() const override { return table_.groups(); }

  private:
    template <class L>
    void run(const Segment& segment) {
        const uint8_t* gpv = segment.first;
        for (uint32_t g = 0; g < segment.gpvs; g++) {
            uint32_t packets = L::count(gpv);
            const uint8_t* at = tuple<L>(gpv, 0);
            for (uint32_t i = 0; i < packets; i++, at += L::kTupleBytes) {
                count<By, L>(table_.at({By::template key<L>(at)}).totals, at);
            }
            gpv = at;
        }
    }

    Table<Slot> table_;
};

template <class By>
class Best : public Run {
  public:
    explicit Best(const Options&) : direct_(new Totals[2 * kKeys]()) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

    void totals(RowHash& rows) const override {
        table_.each([&](const Slot& slot) { row<By>(rows, slot.key_, slot.totals); });
        for (uint32_t key = 0; key < kKeys; key++) {
            const Totals& one = direct_[key];
            const Totals& other = direct_[kKeys + key];
            if (one.packets + other.packets != 0) {
                row<By>(rows, key, {one.packets + other.packets, one.bytes + other.bytes});
            }
        }
    }

  private:
    static constexpr uint32_t kKeys = 1 << 16;
    static constexpr uint32_t kStep = 8;

    // What is needed of a packet.
    struct Short {
        uint32_t key;
        uint32_t bytes;
    };

    template <class L>
    void run(const Segment& segment) {
        if constexpr (L::kIsFull) {
            const uint8_t* gpv = segment.first;
            for (uint32_t g = 0; g < segment.gpvs; g++) {
                uint32_t packets = L::count(gpv);
                stream_ahead<L>(gpv, packets);
                gpv = add_each<L>(tuple<L>(gpv, 0), packets);
            }
        } else {
            run_short<L>(segment);
        }
    }

    template <class L>
    void run_short(const Segment& segment) {
        constexpr uint32_t few = 48;
        Short packets[few * kStep];
        const uint8_t* gpv = segment.first;
        for (uint32_t g = 0; g < segment.gpvs;) {
            uint32_t n = 0;
            uint32_t stop = std::min(segment.gpvs, g + few);
            for (; g < stop; g++) {
                uint32_t count = L::count(gpv);
                const uint8_t* at = tuple<L>(gpv, 0);
                stream_ahead<L>(gpv, count);
                if (__builtin_expect(count > kStep, 0)) {
                    gpv = add_each<L>(at, count);
                    continue;
                }
                for (uint32_t i = 0; i < kStep; i++) {
                    const uint8_t* one = at + i * L::kTupleBytes;
                    packets[n + i] = {By::template key<L>(one), By::kSums ? L::bytes(one) : 0};
                }
                n += count;
                gpv = at + count * L::kTupleBytes;
            }
            // Each entry is there twice, for packets in turn, so that equal keys that follow each
            // other do not wait for one another's stores.
            for (uint32_t i = 0; i < n; i++) {
                add(packets[i].key, (i & 1) * kKeys, packets[i].bytes);
            }
        }
    }

    template <class L>
    const uint8_t* add_each(const uint8_t* at, uint32_t packets) {
        for (uint32_t i = 0; i < packets; i++, at += L::kTupleBytes) {
            add(By::template key<L>(at), 0, L::bytes(at));
        }
        return at;
    }

    void add(uint32_t key, uint32_t turn, uint32_t bytes) {
        bool has_entry = __builtin_expect(key < kKeys, 1);
        Totals& into = has_entry ? direct_[turn + key] : table_.at({key}).totals;
        into.packets++;
        if constexpr (By::kSums) {
            into.bytes += bytes;
        }
    }

    std::unique_ptr<Totals[]> direct_;
    Table<Slot> table_;
};

}  // namespace

const Work kByTcpFlags{"by_tcp_flags", make<Plain<ByTcpFlags>>, make<Best<ByTcpFlags>>};
const Work kByBytes{"by_bytes", make<Plain<ByBytes>>, make<Best<ByBytes>>};

}  // namespace weir
