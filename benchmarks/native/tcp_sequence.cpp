// TCP packets per 5-tuple whose sequence number is below the greatest before (tcp_non_monotonic),
// or is not the one after the packet before (tcp_out_of_sequence); totals, rows with TH or more.
// Later fragments have no TCP header and are left out; a flow of nothing else has no slot that
// lasts, and the expectation is set by the first packet that is none.
//   plain  a loop with a flat table
//   best   batches of 64 GPVs: keys and prefetches; then updates. slots of 32 bytes in both, so that none lies across two lines
#include <algorithm>

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

// What is kept of the packets before is one word.
struct NonMonotonic {
    template <class L>
    static bool counts(uint32_t greatest, const uint8_t* at) {
        return L::tcp_seq(at) < greatest;
    }
    template <class L>
    static uint32_t next(uint32_t greatest, const uint8_t* at) {
        return std::max(greatest, L::tcp_seq(at));
    }
    template <class L>
    static uint32_t first(const uint8_t*) {
        return 0;
    }
};

// SYN and FIN take a number each.
struct OutOfSequence {
    template <class L>
    static bool counts(uint32_t expected, const uint8_t* at) {
        return L::tcp_seq(at) != expected;
    }
    template <class L>
    static uint32_t next(uint32_t, const uint8_t* at) {
        uint32_t flags = L::tcp_flags(at);
        return L::tcp_seq(at) + L::payload_bytes(at) + (flags & 1) + (flags >> 1 & 1);
    }
    template <class L>
    static uint32_t first(const uint8_t* at) {
        return L::tcp_seq(at);
    }
};

template <class Fold>
struct alignas(32) Slot {
    using Key = Flow;
    uint64_t pair;
    uint32_t ports;
    uint32_t kept;
    uint32_t packets;
    uint32_t counted;

    bool holds(const Flow& key) const { return packets != 0 && Flow{pair, ports} == key; }
    bool is_empty() const { return packets == 0; }
    void start(const Flow& key) {
        pair = key.pair;
        ports = key.ports;
    }
    Flow key() const { return {pair, ports}; }

    // The first packet that is no later fragment; the last one if there is none.
    template <class L>
    static const uint8_t* whole(const uint8_t* at, uint32_t count) {
        while (__builtin_expect(L::fragment_offset(at) != 0 && --count != 0, 0)) {
            at += L::kTupleBytes;
        }
        return at;
    }

    template <class L>
    void add(const uint8_t* gpv, uint32_t count) {
        const uint8_t* at = tuple<L>(gpv, 0);
        uint32_t word = packets == 0 ? Fold::template first<L>(whole<L>(at, count)) : kept;
        uint32_t some = 0;
        uint32_t taken = 0;
        for (uint32_t i = 0; i < count; i++, at += L::kTupleBytes) {
            bool takes = L::fragment_offset(at) == 0;
            some += takes & Fold::template counts<L>(word, at);
            word = takes ? Fold::template next<L>(word, at) : word;
            taken += takes;
        }
        kept = word;
        packets += taken;
        counted += some;
    }
};

template <class Fold>
class Sequence : public Run {
  public:
    Sequence(size_t groups, int64_t threshold) : table_(groups), threshold_(threshold) {}

    void totals(RowHash& rows) const override {
        table_.each([&](const Slot<Fold>& slot) {
            if (slot.counted >= threshold_) {
                rows.address(Key4{static_cast<uint32_t>(slot.pair >> 32)});
                rows.address(Key4{static_cast<uint32_t>(slot.pair)}).word(6);
                rows.word(slot.ports >> 16).word(slot.ports & 0xffff);
                rows.word(slot.packets).word(slot.counted).end();
            }
        });
    }

    size_t groups() const override { return table_.groups(); }

  protected:
    template <class L>
    static Flow flow(const uint8_t* gpv) {
        return {L::pair(gpv), L::src_port(gpv) << 16 | L::dst_port(gpv)};
    }

    Table<Slot<Fold>> table_;

  private:
    int64_t threshold_;
};

template <class Fold>
class Plain : public Sequence<Fold> {
  public:
    explicit Plain(const Options& o) : Sequence<Fold>(0, o.threshold) {}

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
                    this->table_.at(this->template flow<L>(gpv)).template add<L>(gpv, count);
                }
                gpv += L::kHeaderBytes + count * L::kTupleBytes;
            }
        }
    }
};

template <class Fold>
class Best : public Sequence<Fold> {
  public:
    explicit Best(const Options& o) : Sequence<Fold>(o.groups, o.threshold) {}

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
                    flows[b] = this->template flow<L>(gpv);
                    hashes[b] = flows[b].hash();
                    this->table_.prefetch(hashes[b]);
                    b += L::proto(gpv) == 6;
                    uint32_t count = L::count(gpv);
                    stream_ahead<L>(gpv, count);
                    gpv += L::kHeaderBytes + count * L::kTupleBytes;
                }
                for (uint32_t i = 0; i < b; i++) {
                    auto& slot = this->table_.at(flows[i], hashes[i]);
                    slot.template add<L>(gpvs[i], L::count(gpvs[i]));
                }
            }
        }
    }
};

}  // namespace

const Work kTcpNonMonotonic{"tcp_non_monotonic", make<Plain<NonMonotonic>>,
                            make<Best<NonMonotonic>>};
const Work kTcpOutOfSequence{"tcp_out_of_sequence", make<Plain<OutOfSequence>>,
                             make<Best<OutOfSequence>>};

}  // namespace weir
