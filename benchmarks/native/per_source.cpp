// Packets and bytes per source over the very GPV bytes that Weir's kernels read: the native
// baseline of `weir bench`.
//
//   per_source TRACE GROUPS REPETITIONS
//
// prints a line per variant: variant=… state=fresh|warm mpps=… groups=… hash=…
//   plain     a loop with a flat table
//   prefetch  batches of 64: keys, sums and prefetches for write, then updates
//   …24, …16  bytes of an IPv4 slot: 64-bit sums, or a 32-bit count
//   fresh     a new table for each pass: plain grows it, prefetch is told GROUPS
//   warm      the table has all groups already
// mpps is the median over the repetitions; the hash is that of io.weir.bench.ResultHash.

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <memory>
#include <vector>

#include "table.hpp"
#include "trace.hpp"

namespace {

using namespace weir;

uint64_t mix(uint64_t z) {
    z = (z ^ z >> 33) * 0xff51afd7ed558ccdull;
    z = (z ^ z >> 33) * 0xc4ceb9fe1a85ec53ull;
    return z ^ z >> 33;
}

uint64_t row_hash(int family, uint64_t high, uint64_t low, uint64_t packets, uint64_t bytes) {
    uint64_t hash = mix(mix(mix(mix(family) ^ high) ^ low) ^ packets);
    return mix(hash ^ bytes);
}

template <class Layout>
uint64_t sum_bytes(const uint8_t* gpv, uint32_t count) {
    const uint8_t* tuple = gpv + Layout::kHeaderBytes;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += Layout::bytes(tuple + i * Layout::kTupleBytes);
    }
    return bytes;
}

struct Plain {
    template <class Layout, class Table>
    static void run(const Segment& segment, Table& table) {
        const uint8_t* gpv = segment.first;
        for (uint32_t g = 0; g < segment.gpvs; g++) {
            uint32_t count = Layout::count(gpv);
            auto key = Layout::key(gpv);
            table.add(key, key.hash(), count, sum_bytes<Layout>(gpv, count));
            gpv += Layout::kHeaderBytes + count * Layout::kTupleBytes;
        }
    }
};

struct Prefetch {
    static constexpr uint32_t kBatch = 64;

    template <class Layout, class Table>
    static void run(const Segment& segment, Table& table) {
        typename Layout::Key keys[kBatch];
        uint64_t hashes[kBatch];
        uint32_t counts[kBatch];
        uint64_t bytes[kBatch];
        const uint8_t* gpv = segment.first;
        for (uint32_t done = 0; done < segment.gpvs; done += kBatch) {
            uint32_t batch = std::min(kBatch, segment.gpvs - done);
            for (uint32_t b = 0; b < batch; b++) {
                keys[b] = Layout::key(gpv);
                hashes[b] = keys[b].hash();
                __builtin_prefetch(table.home(hashes[b]), 1);
                counts[b] = Layout::count(gpv);
                bytes[b] = sum_bytes<Layout>(gpv, counts[b]);
                gpv += Layout::kHeaderBytes + counts[b] * Layout::kTupleBytes;
            }
            for (uint32_t b = 0; b < batch; b++) {
                table.add(keys[b], hashes[b], counts[b], bytes[b]);
            }
        }
    }
};

// The tables of both families.
template <template <class> class Slot>
struct Tables {
    Table<Slot<Key4>> v4;
    Table<Slot<Key6>> v6;

    Tables(size_t groups4, size_t groups6) : v4(groups4), v6(groups6) {}

    template <class Loop>
    void run(const Trace& trace) {
        trace.segments([this](const Segment& segment) {
            switch (segment.layout) {
                case 0: Loop::template run<Flow32V4>(segment, v4); break;
                case 1: Loop::template run<Flow32V6>(segment, v6); break;
                case 4: Loop::template run<FullV4>(segment, v4); break;
                case 5: Loop::template run<FullV6>(segment, v6); break;
                default: std::fprintf(stderr, "layout %d\n", segment.layout); std::exit(2);
            }
        });
    }

    size_t groups() const { return v4.groups() + v6.groups(); }

    uint64_t hash(uint64_t passes) const {
        uint64_t sum = 0;
        v4.each([&](const auto& slot) {
            sum += row_hash(4, 0, slot.key.raw, slot.packets / passes, slot.bytes / passes);
        });
        v6.each([&](const auto& slot) {
            sum += row_hash(6, slot.key.high, slot.key.low, slot.packets / passes,
                            slot.bytes / passes);
        });
        return sum;
    }
};

template <class Work>
double mpps(uint64_t packets, Work work) {
    auto start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return static_cast<double>(packets) / seconds.count() / 1e6;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void report(const char* variant, const char* state, const std::vector<double>& rates,
            size_t groups, uint64_t hash) {
    std::printf("variant=%s state=%s mpps=%.2f groups=%zu hash=%016" PRIx64 "\n", variant, state,
                median(rates), groups, hash);
}

template <class Loop, template <class> class Slot>
void fresh(const char* variant, const Trace& trace, size_t groups4, size_t groups6,
           int repetitions) {
    std::vector<double> rates;
    size_t groups = 0;
    uint64_t hash = 0;
    for (int r = 0; r <= repetitions; r++) {
        std::unique_ptr<Tables<Slot>> tables;
        double rate = mpps(trace.packets(), [&] {
            tables = std::make_unique<Tables<Slot>>(groups4, groups6);
            tables->template run<Loop>(trace);
        });
        if (r > 0) {  // the first pass warms up
            rates.push_back(rate);
        }
        groups = tables->groups();
        hash = tables->hash(1);
    }
    report(variant, "fresh", rates, groups, hash);
}

template <class Loop, template <class> class Slot>
void warm(const char* variant, const Trace& trace, size_t groups4, size_t groups6,
          int repetitions) {
    std::vector<double> rates;
    Tables<Slot> tables(groups4, groups6);
    tables.template run<Loop>(trace);
    for (int r = 0; r < repetitions; r++) {
        rates.push_back(mpps(trace.packets(), [&] { tables.template run<Loop>(trace); }));
    }
    report(variant, "warm", rates, tables.groups(), tables.hash(repetitions + 1));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: per_source TRACE GROUPS REPETITIONS\n");
        return 2;
    }
    Trace trace(argv[1]);
    size_t groups = std::strtoull(argv[2], nullptr, 10);
    int repetitions = std::max(1, std::atoi(argv[3]));

    // How the groups fall into families, so that each table is sized for its own.
    Tables<WideSlot> counted(0, 0);
    counted.run<Plain>(trace);
    size_t v6 = counted.v6.groups();
    size_t v4 = groups > v6 ? groups - v6 : 0;

    fresh<Plain, WideSlot>("plain24", trace, 0, 0, repetitions);
    fresh<Plain, SmallSlot>("plain16", trace, 0, 0, repetitions);
    fresh<Prefetch, WideSlot>("prefetch24", trace, v4, v6, repetitions);
    fresh<Prefetch, SmallSlot>("prefetch16", trace, v4, v6, repetitions);
    warm<Plain, WideSlot>("plain24", trace, v4, v6, repetitions);
    warm<Plain, SmallSlot>("plain16", trace, v4, v6, repetitions);
    warm<Prefetch, WideSlot>("prefetch24", trace, v4, v6, repetitions);
    warm<Prefetch, SmallSlot>("prefetch16", trace, v4, v6, repetitions);
    return 0;
}
