// Packets and bytes per source, totals.
//   plain  a loop; 64-bit counts and sums
//   best   batches of 64 with the trace asked for ahead: keys, sums by SIMD, prefetches for write; then updates. 16-byte slots for
//          IPv4: a count of 32 bits is good for 4 billion packets per source
#include "table.hpp"
#include "tuples.hpp"
#include "windows.hpp"
#include "works.hpp"

namespace weir {
namespace {

template <class K, class Count>
struct Slot {
    using Key = K;
    K key_;
    Count packets;
    uint64_t bytes;

    bool holds(const K& key) const { return packets != 0 && key_ == key; }
    bool is_empty() const { return packets == 0; }
    void start(const K& key) { key_ = key; }
    K key() const { return key_; }
};

template <class S4, class S6>
class PerSource : public Run {
  public:
    PerSource(size_t groups4, size_t groups6) : v4_(groups4), v6_(groups6) {}

    void totals(RowHash& rows) const override {
        v4_.each([&](const auto& slot) { row(rows, slot); });
        v6_.each([&](const auto& slot) { row(rows, slot); });
    }

    size_t groups() const override { return v4_.groups() + v6_.groups(); }

  protected:
    template <class L>
    auto& table() {
        if constexpr (L::kIsV4) {
            return v4_;
        } else {
            return v6_;
        }
    }

  private:
    template <class S>
    static void row(RowHash& rows, const S& slot) {
        rows.address(slot.key_).word(slot.packets).word(slot.bytes).end();
    }

    Table<S4> v4_;
    Table<S6> v6_;
};

class Plain : public PerSource<Slot<Key4, uint64_t>, Slot<Key6, uint64_t>> {
  public:
    explicit Plain(const Options&) : PerSource(0, 0) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

  private:
    template <class L>
    void run(const Segment& segment) {
        auto& table = this->template table<L>();
        const uint8_t* gpv = segment.first;
        for (uint32_t g = 0; g < segment.gpvs; g++) {
            uint32_t count = L::count(gpv);
            auto& slot = table.at(L::src(gpv));
            slot.packets += count;
            slot.bytes += sum_bytes_plain<L>(tuple<L>(gpv, 0), count);
            gpv += L::kHeaderBytes + count * L::kTupleBytes;
        }
    }
};

class Best : public PerSource<Slot<Key4, uint32_t>, Slot<Key6, uint64_t>> {
  public:
    // Either family may have all of them; what is not touched costs nothing.
    explicit Best(const Options& o) : PerSource(o.groups, o.groups) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

  private:
    template <class L>
    void run(const Segment& segment) {
        auto& table = this->template table<L>();
        decltype(L::src(nullptr)) keys[kBatch];
        uint64_t hashes[kBatch];
        uint32_t counts[kBatch];
        uint64_t bytes[kBatch];
        const uint8_t* gpv = segment.first;
        for (uint32_t done = 0; done < segment.gpvs; done += kBatch) {
            uint32_t batch = std::min(kBatch, segment.gpvs - done);
            for (uint32_t b = 0; b < batch; b++) {
                keys[b] = L::src(gpv);
                hashes[b] = keys[b].hash();
                table.template prefetch<L::kIsV4 || L::kIsFull>(hashes[b]);
                counts[b] = L::count(gpv);
                stream_ahead<L>(gpv, counts[b]);
                bytes[b] = sum_bytes<L>(tuple<L>(gpv, 0), counts[b]);
                gpv += L::kHeaderBytes + counts[b] * L::kTupleBytes;
            }
            for (uint32_t b = 0; b < batch; b++) {
                auto& slot = table.at(keys[b], hashes[b]);
                slot.packets += counts[b];
                slot.bytes += bytes[b];
            }
        }
    }
};

}  // namespace

const Work kPerSource{"per_source", make<Plain>, make<Best>};

}  // namespace weir
