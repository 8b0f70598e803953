// Tumbling windows. A State is the groups of one window:
//   stage<L>(b, gpv, from, to)  takes packets [from, to) of a GPV; returns how many entries wait
//                               in its batch: b and what it added, less what it did itself
//   drain(b)                    does the b that wait
//   close(rows, start, end)     writes the rows
//   kStreams                    whether the trace is asked for ahead
//   clear()                     empties the tables and keeps their memory
#pragma once

#include <algorithm>

#include "run.hpp"

namespace weir {

constexpr uint32_t kBatch = 64;

template <class State, int kSeconds = 1>
class Windowed : public Run {
  public:
    explicit Windowed(const Options& options) : one_(options), other_(options) {}

    void pass(const Trace& trace, RowHash* rows) override {
        rows_ = rows;
        end_ns_ = kNone;
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
        roll();
        roll();
    }

    void totals(RowHash&) const override {}

    size_t groups() const override { return largest_; }

  private:
    static constexpr int64_t kNone = INT64_MIN;
    static constexpr int64_t kSizeNs = kSeconds * int64_t{1'000'000'000};

    template <class L>
    void run(const Segment& segment) {
        if constexpr (!L::kIsV4) {
            die("this work is for IPv4");
        } else {
            const uint8_t* gpv = segment.first;
            State* state = current_;
            int64_t end_ns = end_ns_;
            uint32_t b = 0;
            for (uint32_t g = 0; g < segment.gpvs; g++) {
                uint32_t count = L::count(gpv);
                int64_t last_ns = L::start_ns(gpv) + L::delta_ns(tuple<L>(gpv, count - 1));
                if (__builtin_expect(last_ns >= end_ns, 0)) {
                    state->drain(b);
                    b = 0;
                    edge<L>(gpv, count);
                    state = current_;
                    end_ns = end_ns_;
                } else {
                    b = state->template stage<L>(b, gpv, 0, count);
                    if (b >= kBatch) {
                        state->drain(b);
                        b = 0;
                    }
                }
                if constexpr (State::kStreams) {
                    stream_ahead<L>(gpv, count);
                }
                gpv += L::kHeaderBytes + count * L::kTupleBytes;
            }
            state->drain(b);
        }
    }

    // A GPV that does not lie within the current window.
    template <class L>
    __attribute__((noinline)) void edge(const uint8_t* gpv, uint32_t count) {
        int64_t start_ns = L::start_ns(gpv);
        if (end_ns_ == kNone) {
            end_ns_ = start_ns / kSizeNs * kSizeNs + kSizeNs;
        }
        while (start_ns >= end_ns_) {
            roll();
        }
        uint32_t in = 0;
        while (in < count && start_ns + L::delta_ns(tuple<L>(gpv, in)) < end_ns_) {
            in++;
        }
        if (start_ns + L::delta_ns(tuple<L>(gpv, count - 1)) >= end_ns_ + kSizeNs) {
            die("a GPV over three windows");
        }
        current_->drain(current_->template stage<L>(0, gpv, 0, in));
        if (in < count) {
            next_->drain(next_->template stage<L>(0, gpv, in, count));
        }
    }

    void roll() {
        largest_ = std::max(largest_, current_->groups());
        if (rows_ != nullptr) {
            current_->close(*rows_, end_ns_ - kSizeNs, end_ns_);
        }
        current_->clear();
        std::swap(current_, next_);
        end_ns_ += kSizeNs;
    }

    State one_;
    State other_;
    State* current_ = &one_;
    State* next_ = &other_;
    int64_t end_ns_ = kNone;
    size_t largest_ = 0;
    RowHash* rows_ = nullptr;
};

}  // namespace weir
