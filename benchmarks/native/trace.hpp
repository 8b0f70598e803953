// A trace of GPV blocks as `weir bench` writes it, mapped. The layouts are those of
// operators/store/src/main/java/io/weir/operators/gpv/{BlockLayout,GpvLayout}.java.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace weir {

constexpr size_t kBlockStride = 64 << 10;
constexpr size_t kBlockHeader = 56;
constexpr size_t kSegmentHeader = 16;

[[noreturn]] inline void die(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(2);
}

template <class T>
inline T load(const uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <bool kBigEndian>
struct Words {
    static uint16_t u16(const uint8_t* at) {
        uint16_t v = load<uint16_t>(at);
        return kBigEndian ? __builtin_bswap16(v) : v;
    }
    static uint32_t u32(const uint8_t* at) {
        uint32_t v = load<uint32_t>(at);
        return kBigEndian ? __builtin_bswap32(v) : v;
    }
    static uint64_t u64(const uint8_t* at) {
        uint64_t v = load<uint64_t>(at);
        return kBigEndian ? __builtin_bswap64(v) : v;
    }
};

// Address words as Weir has them.
struct Key4 {
    uint32_t raw;

    bool operator==(const Key4& other) const { return raw == other.raw; }
    uint64_t hash() const { return raw * 0x9e3779b97f4a7c15ull; }
};

struct Key6 {
    uint64_t high;
    uint64_t low;

    bool operator==(const Key6& other) const { return high == other.high && low == other.low; }
    uint64_t hash() const {
        return (high * 0xff51afd7ed558ccdull ^ low) * 0x9e3779b97f4a7c15ull;
    }
};

// The flow key at the head of every GPV.
template <bool kBigEndian, int kAddress>
struct FlowKey {
    using W = Words<kBigEndian>;
    static constexpr bool kIsV4 = kAddress == 4;
    static constexpr int kPorts = 2 * kAddress;

    static auto address(const uint8_t* at) {
        if constexpr (kIsV4) {
            return Key4{W::u32(at)};
        } else {
            return Key6{W::u64(at), W::u64(at + 8)};
        }
    }
    static auto src(const uint8_t* gpv) { return address(gpv); }
    static auto dst(const uint8_t* gpv) { return address(gpv + kAddress); }
    // src << 32 | dst, of IPv4.
    static uint64_t pair(const uint8_t* gpv) {
        uint64_t both = W::u64(gpv);
        return kBigEndian ? both : both << 32 | both >> 32;
    }
    static uint32_t src_port(const uint8_t* gpv) { return W::u16(gpv + kPorts); }
    static uint32_t dst_port(const uint8_t* gpv) { return W::u16(gpv + kPorts + 2); }
    static uint32_t proto(const uint8_t* gpv) { return gpv[kPorts + 4]; }
    static uint32_t count(const uint8_t* gpv) { return W::u16(gpv + kPorts + 6); }
    static int64_t start_ns(const uint8_t* gpv) {
        return static_cast<int64_t>(W::u64(gpv + kPorts + 8));
    }
};

template <int kAddress>
struct Flow32 : FlowKey<true, kAddress> {
    static constexpr bool kIsFull = false;
    static constexpr size_t kHeaderBytes = 2 * kAddress + 16;
    static constexpr size_t kTupleBytes = 4;

    static int64_t delta_ns(const uint8_t* tuple) {
        return int64_t{Words<true>::u32(tuple) >> 12} * 1000;
    }
    static uint32_t bytes(const uint8_t* tuple) { return Words<true>::u32(tuple) >> 1 & 0x7ff; }
    static uint32_t tcp_flags(const uint8_t*) { die("flow32 has no tcp_flags"); }
    static uint32_t tcp_seq(const uint8_t*) { die("flow32 has no tcp_seq"); }
};

template <int kAddress>
struct Full : FlowKey<false, kAddress> {
    static constexpr bool kIsFull = true;
    static constexpr size_t kHeaderBytes = 2 * kAddress + 48;
    static constexpr size_t kTupleBytes = 48;

    static int64_t delta_ns(const uint8_t* tuple) { return load<uint32_t>(tuple); }
    static uint32_t bytes(const uint8_t* tuple) { return load<uint32_t>(tuple + 4); }
    static uint32_t tcp_flags(const uint8_t* tuple) { return load<uint16_t>(tuple + 26); }
    static uint32_t tcp_seq(const uint8_t* tuple) { return load<uint32_t>(tuple + 16); }
    static uint32_t fragment_offset(const uint8_t* tuple) { return load<uint16_t>(tuple + 30); }
    static uint32_t payload_bytes(const uint8_t* tuple) { return load<uint32_t>(tuple + 12); }
};

using Flow32V4 = Flow32<4>;
using Flow32V6 = Flow32<16>;
using FullV4 = Full<4>;
using FullV6 = Full<16>;

template <class L>
inline const uint8_t* tuple(const uint8_t* gpv, uint32_t i) {
    return gpv + L::kHeaderBytes + i * L::kTupleBytes;
}

// Asks for the lines on which GPVs lie 2 KiB further on: the hardware's own prefetch stops at the
// end of each page of 4 KiB. Whether a small GPV has one line more is a branch that nobody can
// guess, so that all are asked for that it may have; but where slots of tables are asked for as well
// and a GPV hardly ever has a line more, that costs a fifth (g++ 12). L1 has few lines on their way
// at once: beside slots, GPVs of more than a line go to L2. (Written so that slots are asked for
// first: after GPVs, IPv6 sources lose a fifth.)
enum class Beside { kNothing, kTables };

template <class L, Beside kBeside = Beside::kTables>
inline void stream_ahead(const uint8_t* gpv, uint32_t count) {
    constexpr int kAhead = 2048;
    constexpr int kLines = (L::kHeaderBytes + 8 * L::kTupleBytes + 63) / 64;
    constexpr bool kIsBesideTables = kBeside == Beside::kTables;
    if constexpr (L::kIsFull || (kIsBesideTables && kLines == 1)) {
        const uint8_t* at = gpv + kAhead;
        const uint8_t* end = at + L::kHeaderBytes + count * L::kTupleBytes;
        for (; at < end; at += 64) {
            __builtin_prefetch(at);
        }
    } else {
        constexpr int kLevel = kIsBesideTables ? 2 : 3;
        const uint8_t* end = gpv + L::kHeaderBytes + count * L::kTupleBytes;
        __builtin_prefetch(end + kAhead, 0, kLevel);
        for (int i = 1; i < kLines; i++) {
            __builtin_prefetch(gpv + 64 * i + kAhead, 0, kLevel);
        }
        const uint8_t* at = gpv + 64 * kLines;
        for (; __builtin_expect(at < end, 0); at += 64) {
            __builtin_prefetch(at + kAhead, 0, kLevel);
        }
    }
}

// A run of GPVs of one layout.
struct Segment {
    int layout;
    uint32_t gpvs;
    const uint8_t* first;

    // Calls visit.template operator()<Layout>(*this).
    template <class Visit>
    void with_layout(Visit visit) const {
        switch (layout) {
            case 0: visit(Flow32V4{}); break;
            case 1: visit(Flow32V6{}); break;
            case 4: visit(FullV4{}); break;
            case 5: visit(FullV6{}); break;
            default: die("layout " + std::to_string(layout));
        }
    }
};

class Trace {
  public:
    explicit Trace(const std::string& path) {
        int file = open(path.c_str(), O_RDONLY);
        struct stat status;
        if (file < 0 || fstat(file, &status) != 0) {
            die(path + ": cannot be opened");
        }
        size_ = static_cast<size_t>(status.st_size);
        void* at = mmap(nullptr, size_, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
        if (at == MAP_FAILED) {
            die(path + ": cannot be mapped");
        }
        close(file);
        bytes_ = static_cast<const uint8_t*>(at);
    }
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    uint64_t packets() const {
        uint64_t packets = 0;
        for (size_t at = 0; at < size_; at += kBlockStride) {
            packets += load<uint32_t>(bytes_ + at + 32);
        }
        return packets;
    }

    template <class Visit>
    void segments(Visit visit) const {
        for (size_t at = 0; at < size_; at += kBlockStride) {
            const uint8_t* block = bytes_ + at;
            uint32_t segments = load<uint32_t>(block + 36);
            const uint8_t* segment = block + kBlockHeader;
            for (uint32_t i = 0; i < segments; i++) {
                visit(Segment{load<uint16_t>(segment), load<uint32_t>(segment + 4),
                              segment + kSegmentHeader});
                size_t bytes = kSegmentHeader + load<uint32_t>(segment + 8);
                segment += (bytes + 7) & ~size_t{7};
            }
        }
    }

  private:
    const uint8_t* bytes_;
    size_t size_;
};

}  // namespace weir
