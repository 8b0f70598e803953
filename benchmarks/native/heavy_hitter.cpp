// Bytes per (source, destination) and second; rows with more than TH.
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

}  // namespace

const Work kHeavyHitter{"heavy_hitter", make<Windowed<Plain>>, make<Windowed<Best>>};

}  // namespace weir
