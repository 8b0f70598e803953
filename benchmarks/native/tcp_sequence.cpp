// TCP packets per 5-tuple whose sequence number is below the greatest before; totals, rows with TH
// or more of them.
//   plain  a loop with a flat table
//   best   batches of 64 GPVs: keys and prefetches; then updates. slots of 32 bytes in both, so that none lies across two lines
#include "table.hpp"
#include "windows.hpp"
#include "works.hpp"

namespace weir {
namespace {

struct Flow {
    uint64_t pair;
    uint32_t ports;

    bool operator==(const Flow& o) const { return pair == o.pair && ports == o.ports; }
    uint64_t hash() const {
        return (pair * 0xff51afd7ed558ccdull ^ ports) * 0x9e3779b97f4a7c15ull;
    }
};

struct alignas(32) Slot {
    using Key = Flow;
    uint64_t pair;
    uint32_t ports;
    uint32_t greatest;
    uint32_t packets;
    uint32_t below;

    bool holds(const Flow& key) const { return packets != 0 && Flow{pair, ports} == key; }
    bool is_empty() const { return packets == 0; }
    void start(const Flow& key) {
        pair = key.pair;
        ports = key.ports;
    }
    Flow key() const { return {pair, ports}; }

    template <class L>
    void add(const uint8_t* gpv, uint32_t count) {
        const uint8_t* at = tuple<L>(gpv, 0);
        uint32_t most = packets == 0 ? 0 : greatest;
        uint32_t lower = 0;
        for (uint32_t i = 0; i < count; i++, at += L::kTupleBytes) {
            uint32_t seq = L::tcp_seq(at);
            lower += seq < most;
            most = std::max(most, seq);
        }
        greatest = most;
        packets += count;
        below += lower;
    }
};

class Sequence : public Run {
  public:
    Sequence(size_t groups, int64_t threshold) : table_(groups), threshold_(threshold) {}

    void totals(RowHash& rows) const override {
        table_.each([&](const Slot& slot) {
            if (slot.below >= threshold_) {
                rows.address(Key4{static_cast<uint32_t>(slot.pair >> 32)});
                rows.address(Key4{static_cast<uint32_t>(slot.pair)}).word(6);
                rows.word(slot.ports >> 16).word(slot.ports & 0xffff);
                rows.word(slot.packets).word(slot.below).end();
            }
        });
    }

    size_t groups() const override { return table_.groups(); }

  protected:
    template <class L>
    static Flow flow(const uint8_t* gpv) {
        return {L::pair(gpv), L::src_port(gpv) << 16 | L::dst_port(gpv)};
    }

    Table<Slot> table_;

  private:
    int64_t threshold_;
};

class Plain : public Sequence {
  public:
    explicit Plain(const Options& o) : Sequence(0, o.threshold) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

  private:
    template <class L>
    void run(const Segment& segment) {
        if constexpr (!L::kIsV4 || !L::kIsFull) {
            die("this work is for IPv4 and the layout full");
        } else {
            const uint8_t* gpv = segment.first;
            for (uint32_t g = 0; g < segment.gpvs; g++) {
                uint32_t count = L::count(gpv);
                if (L::proto(gpv) == 6) {
                    table_.at(flow<L>(gpv)).template add<L>(gpv, count);
                }
                gpv += L::kHeaderBytes + count * L::kTupleBytes;
            }
        }
    }
};

class Best : public Sequence {
  public:
    explicit Best(const Options& o) : Sequence(o.groups, o.threshold) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

  private:
    template <class L>
    void run(const Segment& segment) {
        if constexpr (!L::kIsV4 || !L::kIsFull) {
            die("this work is for IPv4 and the layout full");
        } else {
            const uint8_t* gpvs[kBatch];
            Flow flows[kBatch];
            uint64_t hashes[kBatch];
            const uint8_t* gpv = segment.first;
            uint32_t left = segment.gpvs;
            while (left != 0) {
                uint32_t b = 0;
                for (; left != 0 && b < kBatch; left--) {
                    gpvs[b] = gpv;
                    flows[b] = flow<L>(gpv);
                    hashes[b] = flows[b].hash();
                    table_.prefetch(hashes[b]);
                    b += L::proto(gpv) == 6;
                    uint32_t count = L::count(gpv);
                    stream_ahead<L>(gpv, count);
                    gpv += L::kHeaderBytes + count * L::kTupleBytes;
                }
                for (uint32_t i = 0; i < b; i++) {
                    table_.at(flows[i], hashes[i]).template add<L>(gpvs[i], L::count(gpvs[i]));
                }
            }
        }
    }
};

}  // namespace

const Work kTcpNonMonotonic{"tcp_non_monotonic", make<Plain>, make<Best>};

}  // namespace weir
