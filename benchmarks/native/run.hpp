// One way to do one work, and the hash of its rows.
#pragma once

#include <memory>
#include <string>

#include "trace.hpp"

namespace weir {

// A hash of a result, whatever the order of its rows: that of io.weir.bench.ResultHash. A row is
// its columns one after the other; an address is its family, high and low words.
class RowHash {
  public:
    RowHash& word(uint64_t word) {
        row_ = mix(row_ ^ word);
        return *this;
    }
    RowHash& address(const Key4& key) { return word(4).word(0).word(key.raw); }
    RowHash& address(const Key6& key) { return word(6).word(key.high).word(key.low); }
    void end() {
        sum_ += row_;
        row_ = kSeed;
        rows_++;
    }

    uint64_t sum() const { return sum_; }
    uint64_t rows() const { return rows_; }

  private:
    static constexpr uint64_t kSeed = 0x57656972;

    static uint64_t mix(uint64_t z) {
        z = (z ^ z >> 33) * 0xff51afd7ed558ccdull;
        z = (z ^ z >> 33) * 0xc4ceb9fe1a85ec53ull;
        return z ^ z >> 33;
    }

    uint64_t row_ = kSeed;
    uint64_t sum_ = 0;
    uint64_t rows_ = 0;
};

class Run {
  public:
    virtual ~Run() = default;

    // The whole trace once more. Windows that close go to `rows`; without it they are only emptied.
    virtual void pass(const Trace& trace, RowHash* rows) = 0;

    // The totals of all passes; nothing when the work has windows.
    virtual void totals(RowHash& rows) const = 0;

    // Rows of the last window, or of the totals: how large a table has to be.
    virtual size_t groups() const { return 0; }
};

// What a work is told.
struct Options {
    size_t groups;     // so many are expected at once; 0: the table shall grow
    int64_t threshold; // TH of the query
};

using Factory = std::unique_ptr<Run> (*)(const Options&);

struct Work {
    const char* name;
    Factory plain;
    Factory best;
};

template <class R>
std::unique_ptr<Run> make(const Options& options) {
    return std::make_unique<R>(options);
}

}  // namespace weir
