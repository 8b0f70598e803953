// Grouping by a column of the packet: by tcp_flags (packets and bytes), by bytes (packets).
//   plain  a hash table, once a packet
//   best   an array with an entry for each value below 2^16; a hash table for values above. Copies
//          for packets in turn, so that equal keys that follow each other do not wait for one
//          another's stores, cost as much as they gain: four took 4 to 6 % longer
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
    explicit Best(const Options&) : direct_(new Totals[kKeys]()) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

    void totals(RowHash& rows) const override {
        table_.each([&](const Slot& slot) { row<By>(rows, slot.key_, slot.totals); });
        for (uint32_t key = 0; key < kKeys; key++) {
            if (direct_[key].packets != 0) {
                row<By>(rows, key, direct_[key]);
            }
        }
    }

  private:
    static constexpr uint32_t kKeys = 1 << 16;

    template <class L>
    void run(const Segment& segment) {
        const uint8_t* gpv = segment.first;
        for (uint32_t g = 0; g < segment.gpvs; g++) {
            uint32_t packets = L::count(gpv);
            const uint8_t* at = tuple<L>(gpv, 0);
            stream_ahead<L>(gpv, packets);
            for (uint32_t i = 0; i < packets; i++, at += L::kTupleBytes) {
                uint32_t key = By::template key<L>(at);
                if (__builtin_expect(key < kKeys, 1)) {
                    count<By, L>(direct_[key], at);
                } else {
                    count<By, L>(table_.at({key}).totals, at);
                }
            }
            gpv = at;
        }
    }

    std::unique_ptr<Totals[]> direct_;
    Table<Slot> table_;
};

}  // namespace

const Work kByTcpFlags{"by_tcp_flags", make<Plain<ByTcpFlags>>, make<Best<ByTcpFlags>>};
const Work kByBytes{"by_bytes", make<Plain<ByBytes>>, make<Best<ByBytes>>};

}  // namespace weir
