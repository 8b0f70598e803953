// Works on TCP, by host and second: new connections, SYN flood, Slowloris.
//   plain  a loop with flat tables
//   best   batches of 64 GPVs with something to count: flags tested eight packets at a time,
//          prefetches; then updates
#include "table.hpp"
#include "tuples.hpp"
#include "windows.hpp"
#include "works.hpp"

namespace weir {
namespace {

// ---- SYNs per destination, TH or more

struct Syns {
    using Key = Key4;
    Key4 host;
    uint32_t count;

    bool holds(const Key4& key) const { return count != 0 && host == key; }
    bool is_empty() const { return count == 0; }
    void start(const Key4& key) { host = key; }
    Key4 key() const { return host; }
};

class NewConnections {
  public:
    NewConnections(size_t groups, int64_t threshold) : table_(groups), threshold_(threshold) {}

    void close(RowHash& rows, int64_t start_ns, int64_t end_ns) const {
        table_.each([&](const Syns& slot) {
            if (slot.count >= threshold_) {
                rows.word(start_ns).word(end_ns).address(slot.host).word(slot.count).end();
            }
        });
    }
    void clear() { table_.clear(); }
    size_t groups() const { return table_.groups(); }

  protected:
    Table<Syns> table_;

  private:
    int64_t threshold_;
};

class NewConnectionsPlain : public NewConnections {
  public:
    static constexpr bool kStreams = false;

    explicit NewConnectionsPlain(const Options& o) : NewConnections(0, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (L::proto(gpv) == 6) {
            for (uint32_t i = from; i < to; i++) {
                if (kSyn(L::tcp_flags(tuple<L>(gpv, i)))) {
                    table_.at(L::dst(gpv)).count++;
                }
            }
        }
        return 0;
    }
    void drain(uint32_t) {}
};

class NewConnectionsBest : public NewConnections {
  public:
    static constexpr bool kStreams = true;

    explicit NewConnectionsBest(const Options& o) : NewConnections(o.groups, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t b, const uint8_t* gpv, uint32_t from, uint32_t to) {
        uint32_t syns = count_flags<L>(tuple<L>(gpv, from), to - from, kSyn);
        hosts_[b] = L::dst(gpv);
        counts_[b] = syns;
        return b + ((syns != 0) & (L::proto(gpv) == 6));
    }
    void drain(uint32_t b) {
        for (uint32_t i = 0; i < b; i++) {
            table_.prefetch(hosts_[i].hash());
        }
        for (uint32_t i = 0; i < b; i++) {
            table_.at(hosts_[i]).count += counts_[i];
        }
    }

  private:
    Key4 hosts_[kBatch + 1];
    uint32_t counts_[kBatch + 1];
};

// ---- SYNs, SYN-ACKs and ACKs per host: a SYN-ACK counts for its source, the others for their
// destination; score = SYNs + SYN-ACKs - ACKs, TH or more

struct Handshakes {
    using Key = Key4;
    Key4 host;
    uint32_t syns;
    uint32_t syn_acks;
    uint32_t acks;

    bool holds(const Key4& key) const { return host == key && !is_empty(); }
    bool is_empty() const { return (syns | syn_acks | acks) == 0; }
    void start(const Key4& key) { host = key; }
    Key4 key() const { return host; }
};

class SynFlood {
  public:
    SynFlood(size_t groups, int64_t threshold) : table_(groups), threshold_(threshold) {}

    void close(RowHash& rows, int64_t start_ns, int64_t end_ns) const {
        table_.each([&](const Handshakes& slot) {
            int64_t score = int64_t{slot.syns} + slot.syn_acks - slot.acks;
            if (score >= threshold_) {
                rows.word(start_ns).word(end_ns).address(slot.host).word(slot.syns);
                rows.word(slot.syn_acks).word(slot.acks).word(score).end();
            }
        });
    }
    void clear() { table_.clear(); }
    size_t groups() const { return table_.groups(); }

  protected:
    Table<Handshakes> table_;

  private:
    int64_t threshold_;
};

class SynFloodPlain : public SynFlood {
  public:
    static constexpr bool kStreams = false;

    explicit SynFloodPlain(const Options& o) : SynFlood(0, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (L::proto(gpv) == 6) {
            for (uint32_t i = from; i < to; i++) {
                uint32_t flags = L::tcp_flags(tuple<L>(gpv, i));
                if (kSyn(flags)) {
                    table_.at(L::dst(gpv)).syns++;
                } else if (kSynAck(flags)) {
                    table_.at(L::src(gpv)).syn_acks++;
                } else if (kAck(flags)) {
                    table_.at(L::dst(gpv)).acks++;
                }
            }
        }
        return 0;
    }
    void drain(uint32_t) {}
};

class SynFloodBest : public SynFlood {
  public:
    static constexpr bool kStreams = true;

    explicit SynFloodBest(const Options& o) : SynFlood(o.groups, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t b, const uint8_t* gpv, uint32_t from, uint32_t to) {
        const uint8_t* first = tuple<L>(gpv, from);
        uint32_t syns = count_flags<L>(first, to - from, kSyn);
        uint32_t syn_acks = count_flags<L>(first, to - from, kSynAck);
        uint32_t acks = count_flags<L>(first, to - from, kAck);
        bool is_tcp = L::proto(gpv) == 6;
        entries_[b] = {L::dst(gpv), syns, 0, acks};
        b += ((syns | acks) != 0) & is_tcp;
        entries_[b] = {L::src(gpv), 0, syn_acks, 0};
        return b + ((syn_acks != 0) & is_tcp);
    }
    void drain(uint32_t b) {
        for (uint32_t i = 0; i < b; i++) {
            table_.prefetch(entries_[i].host.hash());
        }
        for (uint32_t i = 0; i < b; i++) {
            Handshakes& slot = table_.at(entries_[i].host);
            slot.syns += entries_[i].syns;
            slot.syn_acks += entries_[i].syn_acks;
            slot.acks += entries_[i].acks;
        }
    }

  private:
    Handshakes entries_[kBatch + 2];
};

// ---- Slowloris: distinct (source, port) and bytes per destination; 5 or more connections, 500
// bytes or more, at most TH bytes a connection

struct Connection {
    uint64_t pair;
    uint64_t port;

    bool operator==(const Connection& o) const { return pair == o.pair && port == o.port; }
    uint64_t hash() const {
        return (pair * 0xff51afd7ed558ccdull ^ port) * 0x9e3779b97f4a7c15ull;
    }
};

// The port's word is never 0.
struct ConnectionSlot {
    using Key = Connection;
    Connection key_;

    bool holds(const Connection& key) const { return key_ == key; }
    bool is_empty() const { return key_.port == 0; }
    void start(const Connection& key) { key_ = key; }
    Connection key() const { return key_; }
};

struct HostLoad {
    using Key = Key4;
    Key4 host;
    uint32_t connections;
    uint64_t bytes;

    bool holds(const Key4& key) const { return bytes != 0 && host == key; }
    bool is_empty() const { return bytes == 0; }
    void start(const Key4& key) { host = key; }
    Key4 key() const { return host; }
};

class Slowloris {
  public:
    Slowloris(size_t groups, int64_t threshold)
        : connections_(groups), hosts_(groups), threshold_(threshold) {}

    void close(RowHash& rows, int64_t start_ns, int64_t end_ns) const {
        hosts_.each([&](const HostLoad& slot) {
            bool many = slot.connections >= 5 && slot.bytes >= 500;
            if (many && static_cast<int64_t>(slot.bytes) <= threshold_ * slot.connections) {
                rows.word(start_ns).word(end_ns).address(slot.host);
                rows.word(slot.bytes).word(slot.connections).end();
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
        return {L::pair(gpv), L::src_port(gpv) << 1 | 1};
    }

    void add(const Connection& connection, uint64_t hash, Key4 host, uint64_t bytes) {
        size_t before = connections_.groups();
        connections_.at(connection, hash);
        HostLoad& load = hosts_.at(host);
        load.connections += connections_.groups() != before;
        load.bytes += bytes;
    }

    Table<ConnectionSlot> connections_;
    Table<HostLoad> hosts_;

  private:
    int64_t threshold_;
};

class SlowlorisPlain : public Slowloris {
  public:
    static constexpr bool kStreams = false;

    explicit SlowlorisPlain(const Options& o) : Slowloris(0, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t, const uint8_t* gpv, uint32_t from, uint32_t to) {
        if (L::proto(gpv) == 6 && from < to) {
            Connection key = connection<L>(gpv);
            add(key, key.hash(), L::dst(gpv),
                sum_bytes_plain<L>(tuple<L>(gpv, from), to - from));
        }
        return 0;
    }
    void drain(uint32_t) {}
};

class SlowlorisBest : public Slowloris {
  public:
    static constexpr bool kStreams = true;

    explicit SlowlorisBest(const Options& o) : Slowloris(o.groups, o.threshold) {}

    template <class L>
    uint32_t stage(uint32_t b, const uint8_t* gpv, uint32_t from, uint32_t to) {
        keys_[b] = connection<L>(gpv);
        hashes_[b] = keys_[b].hash();
        connections_.prefetch(hashes_[b]);
        destinations_[b] = L::dst(gpv);
        hosts_.prefetch(destinations_[b].hash());
        bytes_[b] = sum_bytes<L>(tuple<L>(gpv, from), to - from);
        return b + ((L::proto(gpv) == 6) & (from < to));
    }
    void drain(uint32_t b) {
        for (uint32_t i = 0; i < b; i++) {
            add(keys_[i], hashes_[i], destinations_[i], bytes_[i]);
        }
    }

  private:
    Connection keys_[kBatch + 1];
    uint64_t hashes_[kBatch + 1];
    Key4 destinations_[kBatch + 1];
    uint64_t bytes_[kBatch + 1];
};

}  // namespace

const Work kNewTcpConnections{"new_tcp_connections", make<Windowed<NewConnectionsPlain>>,
                              make<Windowed<NewConnectionsBest>>};
const Work kSynFlood{"syn_flood", make<Windowed<SynFloodPlain>>, make<Windowed<SynFloodBest>>};
const Work kSlowloris{"slowloris", make<Windowed<SlowlorisPlain>>, make<Windowed<SlowlorisBest>>};

}  // namespace weir
