// heavy_hitter: bytes per (source, destination) and second; rows with more than TH.
// heavy_hitter_packets: packets and bytes per source and second; rows with more packets than TH.
//   plain  a loop with a flat table
//   best   batches of 64: keys, sums by SIMD, prefetches; then updates. 16-byte slots in both
#include "table.hpp"
#include "tuples.hpp"
#include "windows.hpp"
#include "works.hpp"

namespace weir {
namespace {

struct Slot {
    using Key = Key64;
    uint64_t pair;
    uint64_t bytes;

    bool holds(const Key64& key) const { return pair == key.raw && bytes != 0; }
    bool is_empty() const { return bytes == 0; }
    void start(const Key64& key) { pair = key.raw; }
    Key64 key() const { return {pair}; }
};

class Pairs {
  public:
    Pairs(size_t groups, int64_t threshold) : table_(groups), threshold_(threshold) {}

    void close(RowHash& rows, int64_t start_ns, int64_t end_ns) const {
        table_.each([&](const Slot& slot) {
            if (static_cast<int64_t>(slot.bytes) > threshold_) {
                rows.word(start_ns).word(end_ns);
                rows.address(Key4{static_cast<uint32_t>(slot.pair >> 32)});
                rows.address(Key4{static_cast<uint32_t>(slot.pair)});
                rows.word(slot.bytes).end();
            }
        });
    }
    void clear() { table_.clear(); }
    size_t groups() const { return table_.groups(); }

  protected:
    Table<Slot> table_;

  private:
    int64_t threshold_;
};

class Plain : public Pairs {
  public:
    static constexpr bool kStreams = false;

    explicit Plain(const Options& o) : Pairs(0, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (from < to) {
            table_.at({L::pair(gpv)}).bytes +=
                sum_bytes_plain<L>(tuple<L>(gpv, from), to - from);
        }
        return 0;
    }
    void drain(uint32_t) {}
};

class Best : public Pairs {
  public:
    static constexpr bool kStreams = true;

    explicit Best(const Options& o) : Pairs(o.groups, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t b, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (from == to) {
            return b;
        }
        keys_[b] = {L::pair(gpv)};
        hashes_[b] = keys_[b].hash();
        table_.prefetch(hashes_[b]);
        bytes_[b] = sum_bytes<L>(tuple<L>(gpv, from), to - from);
        return b + 1;
    }
    void drain(uint32_t b) {
        for (uint32_t i = 0; i < b; i++) {
            table_.at(keys_[i], hashes_[i]).bytes += bytes_[i];
        }
    }

  private:
    Key64 keys_[kBatch];
    uint64_t hashes_[kBatch];
    uint64_t bytes_[kBatch];
};

// ---- by source

struct SourceSlot {
    using Key = Key4;
    Key4 source;
    uint32_t packets;
    uint64_t bytes;

    bool holds(const Key4& key) const { return packets != 0 && source == key; }
    bool is_empty() const { return packets == 0; }
    void start(const Key4& key) { source = key; }
    Key4 key() const { return source; }
};

class Sources {
  public:
    Sources(size_t groups, int64_t threshold) : table_(groups), threshold_(threshold) {}

    void close(RowHash& rows, int64_t start_ns, int64_t end_ns) const {
        table_.each([&](const SourceSlot& slot) {
            if (slot.packets > threshold_) {
                rows.word(start_ns).word(end_ns).address(slot.source);
                rows.word(slot.packets).word(slot.bytes).end();
            }
        });
    }
    void clear() { table_.clear(); }
    size_t groups() const { return table_.groups(); }

  protected:
    Table<SourceSlot> table_;

  private:
    int64_t threshold_;
};

class SourcesPlain : public Sources {
  public:
    static constexpr bool kStreams = false;

    explicit SourcesPlain(const Options& o) : Sources(0, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (from < to) {
            SourceSlot& slot = table_.at(L::src(gpv));
            slot.packets += to - from;
            slot.bytes += sum_bytes_plain<L>(tuple<L>(gpv, from), to - from);
        }
        return 0;
    }
    void drain(uint32_t) {}
};

class SourcesBest : public Sources {
  public:
    static constexpr bool kStreams = true;

    explicit SourcesBest(const Options& o) : Sources(o.groups, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t b, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (from == to) {
            return b;
        }
        keys_[b] = L::src(gpv);
        hashes_[b] = keys_[b].hash();
        table_.prefetch(hashes_[b]);
        packets_[b] = to - from;
        bytes_[b] = sum_bytes<L>(tuple<L>(gpv, from), to - from);
        return b + 1;
    }
    void drain(uint32_t b) {
        for (uint32_t i = 0; i < b; i++) {
            SourceSlot& slot = table_.at(keys_[i], hashes_[i]);
            slot.packets += packets_[i];
            slot.bytes += bytes_[i];
        }
    }

  private:
    Key4 keys_[kBatch];
    uint64_t hashes_[kBatch];
    uint32_t packets_[kBatch];
    uint64_t bytes_[kBatch];
};

}  // namespace

const Work kHeavyHitterPackets{"heavy_hitter_packets", make<Windowed<SourcesPlain>>,
                               make<Windowed<SourcesBest>>};
const Work kHeavyHitter{"heavy_hitter", make<Windowed<Plain>>, make<Windowed<Best>>};

}  // namespace weir
