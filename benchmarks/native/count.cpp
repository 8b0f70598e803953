// Works without a key: passthrough (the packets that the GPVs' headers tell of) and traffic count.
#include "tuples.hpp"
#include "works.hpp"

namespace weir {
namespace {

// Every GPV is visited: where one ends is only known from its own header.
template <bool kStreams>
class Passthrough : public Run {
  public:
    explicit Passthrough(const Options&) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

    void totals(RowHash& rows) const override { rows.word(packets_).end(); }

  private:
    template <class L>
    void run(const Segment& segment) {
        const uint8_t* gpv = segment.first;
        uint64_t packets = 0;
        for (uint32_t g = 0; g < segment.gpvs; g++) {
            uint32_t count = L::count(gpv);
            packets += count;
            if constexpr (kStreams) {
                stream_ahead<L, Beside::kNothing>(gpv, count);
            }
            gpv += L::kHeaderBytes + count * L::kTupleBytes;
        }
        packets_ += packets;
    }

    uint64_t packets_ = 0;
};

class CountPlain : public Run {
  public:
    explicit CountPlain(const Options&) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

    void totals(RowHash& rows) const override { rows.word(packets_).word(bytes_).end(); }

  private:
    template <class L>
    void run(const Segment& segment) {
        const uint8_t* gpv = segment.first;
        uint64_t packets = 0;
        uint64_t bytes = 0;
        for (uint32_t g = 0; g < segment.gpvs; g++) {
            uint32_t count = L::count(gpv);
            packets += count;
            bytes += sum_bytes_plain<L>(tuple<L>(gpv, 0), count);
            gpv += L::kHeaderBytes + count * L::kTupleBytes;
        }
        packets_ += packets;
        bytes_ += bytes;
    }

    uint64_t packets_ = 0;
    uint64_t bytes_ = 0;
};

// Lengths are added in lanes, which are added up once a segment: it has less than 2^32 bytes in
// any lane, as long as a packet has less than 2^16 and a block is 64 KiB.
class CountBest : public Run {
  public:
    explicit CountBest(const Options&) {}

    void pass(const Trace& trace, RowHash*) override {
        trace.segments([this](const Segment& segment) {
            segment.with_layout([&](auto layout) { run<decltype(layout)>(segment); });
        });
    }

    void totals(RowHash& rows) const override { rows.word(packets_).word(bytes_).end(); }

  private:
    template <class L>
    void run(const Segment& segment) {
        const uint8_t* gpv = segment.first;
        uint64_t packets = 0;
#ifdef __AVX2__
        __m256i bytes = _mm256_setzero_si256();
        for (uint32_t g = 0; g < segment.gpvs; g++) {
            uint32_t count = L::count(gpv);
            const uint8_t* first = tuple<L>(gpv, 0);
            packets += count;
            stream_ahead<L, Beside::kNothing>(gpv, count);
            bytes = _mm256_add_epi32(bytes, lengths<L>(first, count));
            for (uint32_t done = 8; __builtin_expect(done < count, 0); done += 8) {
                bytes = _mm256_add_epi32(bytes, lengths<L>(tuple<L>(gpv, done), count - done));
            }
            gpv = first + count * L::kTupleBytes;
        }
        bytes_ += sum(bytes);
#else
        for (uint32_t g = 0; g < segment.gpvs; g++) {
            uint32_t count = L::count(gpv);
            packets += count;
            bytes_ += sum_bytes<L>(tuple<L>(gpv, 0), count);
            gpv += L::kHeaderBytes + count * L::kTupleBytes;
        }
#endif
        packets_ += packets;
    }

    uint64_t packets_ = 0;
    uint64_t bytes_ = 0;
};

}  // namespace

const Work kPassthrough{"passthrough", make<Passthrough<false>>, make<Passthrough<true>>};
const Work kTrafficCount{"traffic_count", make<CountPlain>, make<CountBest>};

}  // namespace weir
