// Distinct things per host and second, exactly: superspreader (destinations per source), DDoS
// (sources per destination), port scan (TCP destination ports per source), SSH brute force
// (sources per destination and length, over TCP to port 22); rows with TH or more.
//   plain  a loop; a set of (host, thing), and a count that goes up when the set takes a new one
//   best   batches of 64: tuples and prefetches of the set; then the set, which names the hosts
//          whose counts go up and prefetches them; then the counts
#include "table.hpp"
#include "windows.hpp"
#include "works.hpp"

namespace weir {
namespace {

// A tuple as a word that is never 0, alone in its slot: 8 bytes.
struct Tuple64 {
    using Key = Key64;
    uint64_t word;

    bool holds(const Key64& key) const { return word == key.raw; }
    bool is_empty() const { return word == 0; }
    void start(const Key64& key) { word = key.raw; }
    Key64 key() const { return {word}; }
};

// Two words, the second never 0.
struct Key96 {
    uint64_t pair;
    uint64_t rest;

    bool operator==(const Key96& other) const { return pair == other.pair && rest == other.rest; }
    uint64_t hash() const {
        return (pair * 0xff51afd7ed558ccdull ^ rest) * 0x9e3779b97f4a7c15ull;
    }
};

struct Tuple96 {
    using Key = Key96;
    Key96 key_;

    bool holds(const Key96& key) const { return key_ == key; }
    bool is_empty() const { return key_.rest == 0; }
    void start(const Key96& key) { key_ = key; }
    Key96 key() const { return key_; }
};

struct HostCount {
    using Key = Key4;
    Key4 host;
    uint32_t count;

    bool holds(const Key4& key) const { return count != 0 && host == key; }
    bool is_empty() const { return count == 0; }
    void start(const Key4& key) { host = key; }
    Key4 key() const { return host; }
    void row(RowHash& rows) const { rows.address(host).word(count).end(); }
};

struct PairCount {
    using Key = Key64;
    uint64_t pair;
    uint64_t count;

    bool holds(const Key64& key) const { return count != 0 && pair == key.raw; }
    bool is_empty() const { return count == 0; }
    void start(const Key64& key) { pair = key.raw; }
    Key64 key() const { return {pair}; }
    void row(RowHash& rows) const {
        rows.address(Key4{static_cast<uint32_t>(pair >> 32)});
        rows.word(pair & 0xffffffff).word(count).end();
    }
};

// Host in the upper half. 0.0.0.0 to 0.0.0.0 would be 0: it becomes a word of its own, which is
// taken from 255.255.255.255 to itself; the two cannot be told apart, and neither is on any wire.
struct HostPair {
    using Set = Tuple64;
    using Group = HostCount;
    static constexpr bool kPerPacket = false;

    static Key64 tuple(uint64_t pair) { return {pair != 0 ? pair : ~0ull}; }
    static Key4 group(const Key64& tuple) { return {static_cast<uint32_t>(tuple.raw >> 32)}; }
};

struct Superspreader : HostPair {
    template <class L>
    static bool takes(const uint8_t*) {
        return true;
    }
    template <class L>
    static Key64 key(const uint8_t* gpv, const uint8_t*) {
        return tuple(L::pair(gpv));
    }
};

struct Ddos : HostPair {
    template <class L>
    static bool takes(const uint8_t*) {
        return true;
    }
    template <class L>
    static Key64 key(const uint8_t* gpv, const uint8_t*) {
        uint64_t pair = L::pair(gpv);
        return tuple(pair << 32 | pair >> 32);
    }
};

struct PortScan : HostPair {
    template <class L>
    static bool takes(const uint8_t* gpv) {
        return L::proto(gpv) == 6;
    }
    template <class L>
    static Key64 key(const uint8_t* gpv, const uint8_t*) {
        return {uint64_t{L::src(gpv).raw} << 32 | 1u << 16 | L::dst_port(gpv)};
    }
};

struct SshBruteForce {
    using Set = Tuple96;
    using Group = PairCount;
    static constexpr bool kPerPacket = true;

    template <class L>
    static bool takes(const uint8_t* gpv) {
        return L::proto(gpv) == 6 && L::dst_port(gpv) == 22;
    }
    template <class L>
    static Key96 key(const uint8_t* gpv, const uint8_t* packet) {
        return {L::pair(gpv), uint64_t{L::bytes(packet)} << 1 | 1};
    }
    static Key64 group(const Key96& tuple) { return {tuple.pair << 32 | tuple.rest >> 1}; }
};

template <class Q>
class Distinct {
  public:
    Distinct(size_t groups, int64_t threshold)
        : set_(groups), counts_(groups), threshold_(threshold) {}

    void close(RowHash& rows, int64_t start_ns, int64_t end_ns) const {
        counts_.each([&](const auto& slot) {
            if (static_cast<int64_t>(slot.count) >= threshold_) {
                rows.word(start_ns).word(end_ns);
                slot.row(rows);
            }
        });
    }
    void clear() {
        set_.clear();
        counts_.clear();
    }
    size_t groups() const { return set_.groups(); }

  protected:
    using Tuple = typename Q::Set::Key;
    using Host = typename Q::Group::Key;

    // Whether the set did not have it.
    bool takes_new(const Tuple& tuple, uint64_t hash) {
        size_t before = set_.groups();
        set_.at(tuple, hash);
        return set_.groups() != before;
    }

    Table<typename Q::Set> set_;
    Table<typename Q::Group> counts_;

  private:
    int64_t threshold_;
};

template <class Q>
class Plain : public Distinct<Q> {
  public:
    static constexpr bool kStreams = false;

    explicit Plain(const Options& o) : Distinct<Q>(0, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (!Q::template takes<L>(gpv)) {
            return 0;
        }
        uint32_t end = Q::kPerPacket ? to : std::min(to, from + 1);
        for (uint32_t i = from; i < end; i++) {
            auto key = Q::template key<L>(gpv, tuple<L>(gpv, i));
            if (this->takes_new(key, key.hash())) {
                this->counts_.at(Q::group(key)).count++;
            }
        }
        return 0;
    }
    void drain(uint32_t) {}
};

template <class Q>
class Best : public Distinct<Q> {
  public:
    static constexpr bool kStreams = true;

    explicit Best(const Options& o) : Distinct<Q>(o.groups, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t b, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if constexpr (Q::kPerPacket) {
            if (!Q::template takes<L>(gpv)) {
                return b;
            }
            for (uint32_t i = from; i < to; i++) {
                if (b == kBatch) {
                    drain(b);
                    b = 0;
                }
                put(b++, Q::template key<L>(gpv, tuple<L>(gpv, i)));
            }
            return b;
        } else {
            // What is not taken is put too, and overwritten by the next: no branch to mispredict.
            put(b, Q::template key<L>(gpv, nullptr));
            return b + (Q::template takes<L>(gpv) & (from < to));
        }
    }
    void drain(uint32_t b) {
        uint32_t fresh = 0;
        for (uint32_t i = 0; i < b; i++) {
            bool is_new = this->takes_new(keys_[i], hashes_[i]);
            hosts_[fresh] = Q::group(keys_[i]);
            host_hashes_[fresh] = hosts_[fresh].hash();
            this->counts_.prefetch(host_hashes_[fresh]);
            fresh += is_new;
        }
        for (uint32_t i = 0; i < fresh; i++) {
            this->counts_.at(hosts_[i], host_hashes_[i]).count++;
        }
    }

  private:
    void put(uint32_t b, const typename Q::Set::Key& key) {
        keys_[b] = key;
        hashes_[b] = key.hash();
        this->set_.prefetch(hashes_[b]);
    }

    typename Q::Set::Key keys_[kBatch + 1];
    uint64_t hashes_[kBatch + 1];
    typename Q::Group::Key hosts_[kBatch + 1];
    uint64_t host_hashes_[kBatch + 1];
};

template <class Q>
constexpr Work work(const char* name) {
    return {name, make<Windowed<Plain<Q>>>, make<Windowed<Best<Q>>>};
}

}  // namespace

const Work kSshBruteForce = work<SshBruteForce>("ssh_brute_force");
const Work kSuperspreader = work<Superspreader>("superspreader");
const Work kPortScan = work<PortScan>("port_scan");
const Work kDdos = work<Ddos>("ddos");

}  // namespace weir
