// A trace of GPV blocks as `weir bench` dumps it, read into memory. The layouts are those of
// operators/src/main/java/io/weir/operators/gpv/{BlockLayout,GpvLayout}.java.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace weir {

constexpr size_t kBlockStride = 64 << 10;
constexpr size_t kBlockHeader = 48;
constexpr size_t kSegmentHeader = 16;

template <class T>
inline T load(const uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// Address words as Weir has them: an IPv4 address is `low`, and `high` is 0.
struct Key4 {
    static constexpr int kFamily = 4;
    uint32_t raw;

    bool operator==(const Key4& other) const { return raw == other.raw; }
    uint64_t hash() const { return raw * 0x9e3779b97f4a7c15ull; }
};

struct Key6 {
    static constexpr int kFamily = 6;
    uint64_t high;
    uint64_t low;

    bool operator==(const Key6& other) const { return high == other.high && low == other.low; }
    uint64_t hash() const {
        return (high * 0xff51afd7ed558ccdull ^ low) * 0x9e3779b97f4a7c15ull;
    }
};

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

template <bool kFull>
struct Source4 {
    using Key = Key4;
    static Key key(const uint8_t* gpv) { return {Words<!kFull>::u32(gpv)}; }
    static uint32_t count(const uint8_t* gpv) { return Words<!kFull>::u16(gpv + 14); }
};

template <bool kFull>
struct Source6 {
    using Key = Key6;
    static Key key(const uint8_t* gpv) {
        return {Words<!kFull>::u64(gpv), Words<!kFull>::u64(gpv + 8)};
    }
    static uint32_t count(const uint8_t* gpv) { return Words<!kFull>::u16(gpv + 38); }
};

template <class Source, int kHeader>
struct Flow32 : Source {
    static constexpr size_t kHeaderBytes = kHeader;
    static constexpr size_t kTupleBytes = 4;
    static uint32_t bytes(const uint8_t* tuple) { return Words<true>::u32(tuple) >> 1 & 0x7ff; }
};

template <class Source, int kHeader>
struct Full : Source {
    static constexpr size_t kHeaderBytes = kHeader;
    static constexpr size_t kTupleBytes = 48;
    static uint32_t bytes(const uint8_t* tuple) { return Words<false>::u32(tuple + 4); }
};

using Flow32V4 = Flow32<Source4<false>, 24>;
using Flow32V6 = Flow32<Source6<false>, 48>;
using FullV4 = Full<Source4<true>, 56>;
using FullV6 = Full<Source6<true>, 80>;

// A run of GPVs of one layout.
struct Segment {
    int layout;
    uint32_t gpvs;
    const uint8_t* first;
};

class Trace {
  public:
    explicit Trace(const std::string& path) {
        FILE* file = std::fopen(path.c_str(), "rb");
        if (file == nullptr || std::fseek(file, 0, SEEK_END) != 0) {
            std::perror(path.c_str());
            std::exit(2);
        }
        size_ = static_cast<size_t>(std::ftell(file));
        std::rewind(file);
        bytes_ = static_cast<uint8_t*>(std::aligned_alloc(4096, (size_ + 4095) & ~size_t{4095}));
        if (bytes_ == nullptr || std::fread(bytes_, 1, size_, file) != size_) {
            std::fprintf(stderr, "%s: cannot be read into memory\n", path.c_str());
            std::exit(2);
        }
        std::fclose(file);
    }
    ~Trace() { std::free(bytes_); }
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
    uint8_t* bytes_;
    size_t size_;
};

}  // namespace weir
