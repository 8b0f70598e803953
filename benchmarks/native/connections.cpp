// Opened and closed, and opened and completed, per host.
//   plain  a loop with flat tables
//   best   batches: flags tested eight packets at a time, prefetches; then updates
#include "table.hpp"
#include "tuples.hpp"
#include "windows.hpp"
#include "works.hpp"

namespace weir {
namespace {

// ---- completed_flows: SYNs to a host less FINs from it in 30 s, TH or more; SYN goes before FIN

constexpr FlagTest kFin{0x01, 0x01};
constexpr FlagTest kSynAndFin{0x13, 0x03};

// The score is in the upper 31 bits; the lowest says that the slot is used. 8 bytes.
struct Score {
    using Key = Key4;
    Key4 host;
    int32_t twice_and_one;

    bool holds(const Key4& key) const { return twice_and_one != 0 && host == key; }
    bool is_empty() const { return twice_and_one == 0; }
    void start(const Key4& key) {
        host = key;
        twice_and_one = 1;
    }
    Key4 key() const { return host; }
    void add(int32_t change) { twice_and_one += 2 * change; }
};

class CompletedFlows {
  public:
    CompletedFlows(size_t groups, int64_t threshold) : table_(groups), threshold_(threshold) {}

    void close(RowHash& rows, int64_t start_ns, int64_t end_ns) const {
        table_.each([&](const Score& slot) {
            int64_t score = slot.twice_and_one >> 1;
            if (score >= threshold_) {
                rows.word(start_ns).word(end_ns).address(slot.host).word(score).end();
            }
        });
    }
    void clear() { table_.clear(); }
    size_t groups() const { return table_.groups(); }

  protected:
    Table<Score> table_;

  private:
    int64_t threshold_;
};

class CompletedFlowsPlain : public CompletedFlows {
  public:
    static constexpr bool kStreams = false;

    explicit CompletedFlowsPlain(const Options& o) : CompletedFlows(0, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (L::proto(gpv) == 6) {
            for (uint32_t i = from; i < to; i++) {
                uint32_t flags = L::tcp_flags(tuple<L>(gpv, i));
                if (kSyn(flags)) {
                    table_.at(L::dst(gpv)).add(1);
                } else if (kFin(flags)) {
                    table_.at(L::src(gpv)).add(-1);
                }
            }
        }
        return 0;
    }
    void drain(uint32_t) {}
};

class CompletedFlowsBest : public CompletedFlows {
  public:
    static constexpr bool kStreams = true;

    explicit CompletedFlowsBest(const Options& o) : CompletedFlows(o.groups, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t b, const uint8_t* gpv, uint32_t from, uint32_t to) {
        const uint8_t* first = tuple<L>(gpv, from);
        uint32_t syns = count_flags<L>(first, to - from, kSyn);
        uint32_t fins = count_flags<L>(first, to - from, kFin) -
                        count_flags<L>(first, to - from, kSynAndFin);
        bool is_tcp = L::proto(gpv) == 6;
        hosts_[b] = L::dst(gpv);
        changes_[b] = static_cast<int32_t>(syns);
        b += (syns != 0) & is_tcp;
        hosts_[b] = L::src(gpv);
        changes_[b] = -static_cast<int32_t>(fins);
        return b + ((fins != 0) & is_tcp);
    }
    void drain(uint32_t b) {
        for (uint32_t i = 0; i < b; i++) {
            table_.prefetch(hosts_[i].hash());
        }
        for (uint32_t i = 0; i < b; i++) {
            table_.at(hosts_[i]).add(changes_[i]);
        }
    }

  private:
    Key4 hosts_[kBatch + 2];
    int32_t changes_[kBatch + 2];
};

// ---- syn_flood_handshakes: SYNs less distinct (source, ports) that sent ACK without SYN and RST,
// per destination and second, more than TH

constexpr FlagTest kCompletes{0x16, 0x10};

struct Connection {
    uint64_t pair;
    uint64_t ports;

    bool operator==(const Connection& o) const { return pair == o.pair && ports == o.ports; }
    uint64_t hash() const {
        return (pair * 0xff51afd7ed558ccdull ^ ports) * 0x9e3779b97f4a7c15ull;
    }
};

// The ports' word is never 0.
struct ConnectionSlot {
    using Key = Connection;
    Connection key_;

    bool holds(const Connection& key) const { return key_ == key; }
    bool is_empty() const { return key_.ports == 0; }
    void start(const Connection& key) { key_ = key; }
    Connection key() const { return key_; }
};

struct HostSlot {
    using Key = Key4;
    Key4 host;
    uint32_t syns;
    uint32_t completed;
    uint32_t is_used;

    bool holds(const Key4& key) const { return host == key && is_used != 0; }
    bool is_empty() const { return is_used == 0; }
    void start(const Key4& key) {
        host = key;
        is_used = 1;
    }
    Key4 key() const { return host; }
};

class Handshakes {
  public:
    Handshakes(size_t groups, int64_t threshold)
        : connections_(groups), hosts_(groups), threshold_(threshold) {}

    void close(RowHash& rows, int64_t start_ns, int64_t end_ns) const {
        hosts_.each([&](const HostSlot& slot) {
            if (int64_t{slot.syns} - slot.completed > threshold_) {
                rows.word(start_ns).word(end_ns).address(slot.host);
                rows.word(slot.syns).word(slot.completed).end();
            }
        });
    }
    void clear() {
        connections_.clear();
        hosts_.clear();
    }
    size_t groups() const { return connections_.groups(); }

  protected:
    template <class L>
    static Connection connection(const uint8_t* gpv) {
        uint64_t ports = uint64_t{L::src_port(gpv)} << 16 | L::dst_port(gpv);
        return {L::pair(gpv), ports | uint64_t{1} << 32};
    }

    void add(const Connection& connection, uint64_t hash, Key4 host, uint32_t syns,
             bool completes) {
        HostSlot& slot = hosts_.at(host);
        slot.syns += syns;
        if (completes) {
            size_t before = connections_.groups();
            connections_.at(connection, hash);
            slot.completed += connections_.groups() != before;
        }
    }

    Table<ConnectionSlot> connections_;
    Table<HostSlot> hosts_;

  private:
    int64_t threshold_;
};

class HandshakesPlain : public Handshakes {
  public:
    static constexpr bool kStreams = false;

    explicit HandshakesPlain(const Options& o) : Handshakes(0, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (L::proto(gpv) != 6 || from == to) {
            return 0;
        }
        uint32_t syns = 0;
        bool completes = false;
        for (uint32_t i = from; i < to; i++) {
            uint32_t flags = L::tcp_flags(tuple<L>(gpv, i));
            syns += kSyn(flags);
            completes |= kCompletes(flags);
        }
        Connection key = connection<L>(gpv);
        add(key, key.hash(), L::dst(gpv), syns, completes);
        return 0;
    }
    void drain(uint32_t) {}
};

class HandshakesBest : public Handshakes {
  public:
    static constexpr bool kStreams = true;

    explicit HandshakesBest(const Options& o) : Handshakes(o.groups, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t b, const uint8_t* gpv, uint32_t from, uint32_t to) {
        const uint8_t* first = tuple<L>(gpv, from);
        keys_[b] = connection<L>(gpv);
        hashes_[b] = keys_[b].hash();
        connections_.prefetch(hashes_[b]);
        destinations_[b] = L::dst(gpv);
        hosts_.prefetch(destinations_[b].hash());
        syns_[b] = count_flags<L>(first, to - from, kSyn);
        completes_[b] = count_flags<L>(first, to - from, kCompletes) != 0;
        return b + ((L::proto(gpv) == 6) & (from < to));
    }
    void drain(uint32_t b) {
        for (uint32_t i = 0; i < b; i++) {
            add(keys_[i], hashes_[i], destinations_[i], syns_[i], completes_[i]);
        }
    }

  private:
    Connection keys_[kBatch + 1];
    uint64_t hashes_[kBatch + 1];
    Key4 destinations_[kBatch + 1];
    uint32_t syns_[kBatch + 1];
    bool completes_[kBatch + 1];
};

}  // namespace

const Work kCompletedFlows{"completed_flows", make<Windowed<CompletedFlowsPlain, 30>>,
                           make<Windowed<CompletedFlowsBest, 30>>};
const Work kSynFloodHandshakes{"syn_flood_handshakes", make<Windowed<HandshakesPlain>>,
                               make<Windowed<HandshakesBest>>};

}  // namespace weir
