#!/usr/bin/env bash
# Weir on an interface: real programs talk between two network namespaces, and Weir reads one end of
# the pair of virtual interfaces between them. Its counts are then held against tcpdump's.
set -euo pipefail

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
near=weir-near-$$ far=weir-far-$$

# shellcheck source=demo/netns.sh
. "$here/netns.sh"

need ip=iproute2 tcpdump=tcpdump iperf3=iperf3 curl=curl nmap=nmap hping3=hping3 \
    python3=python3
make_namespaces "$far" "$near"

ip link add weir0 netns "$near" type veth peer name weir1 netns "$far"
within "$near" ip addr add 10.98.0.1/24 dev weir0
within "$far" ip addr add 10.98.0.2/24 dev weir1
within "$near" ip link set weir0 up
within "$far" ip link set weir1 up

say "weir run --sql demo/demo.sql --source afpacket:weir0 --idle 4s"
ip netns exec "$near" "$here/../weir" run --sql "$here/demo.sql" --source afpacket:weir0 --idle 4s \
    --stats "$work/stats" >"$work/rows" 2>"$work/notes" &
weir=$!
ip netns exec "$near" tcpdump -U -B 65536 -s 128 -nn -i weir0 -w "$work/pcap" 2>"$work/tcpdump" &
tcpdump=$!
await() { # until a command in the near namespace succeeds, at most 20 s
    for _ in {1..200}; do
        ! within "$near" "$@" || return 0
        sleep 0.1
    done
    fail "not ready after 20 s: $*"
}

# Both are ready when their sockets are there, and servers when they listen.
await awk 'END { exit NR < 3 }' /proc/net/packet

within "$near" iperf3 -s -D -1 >/dev/null
within "$near" python3 -m http.server -d "$here/recording" 80 >/dev/null 2>&1 &
await grep -q ':1451 0*:0000 0A' /proc/net/tcp /proc/net/tcp6
await grep -q ':0050 0*:0000 0A' /proc/net/tcp /proc/net/tcp6
say "iperf3: 3 s of TCP at 50 Mbit/s"
within "$far" iperf3 -c 10.98.0.1 -t 3 -b 50M | tail -n 4 | head -n 2
say "nmap: 1000 ports"
within "$far" nmap -n -Pn -sS --max-retries 0 -p 1-1000 10.98.0.1 | tail -n 1
say "curl"
within "$far" curl -s -m 2 -o /dev/null -w '%{http_code} in %{time_total} s\n' http://10.98.0.1/ || true
say "hping3: 3000 SYNs with random senders"
within "$far" hping3 -q -S -p 80 --rand-source -i u500 -c 3000 10.98.0.1 2>&1 | tail -n 2 | head -n 1 || true

wait "$weir" || { cat "$work/notes" >&2 && fail "weir has failed"; }
kill -TERM "$tcpdump"
wait "$tcpdump" || true

say "rows of Weir, while it happened (the first 25 lines)"
head -n 25 "$work/rows"
say "Weir's notes and account"
cat "$work/notes"

offered=$(sed -n 's/.*"stage": "capture", "offered": \([0-9]*\).*/\1/p' "$work/stats")
lost=$(sed -n 's/.*"stage": "capture".*"lost": {\([^}]*\)}.*/\1/p' "$work/stats")
seen=$(tcpdump -nn -r "$work/pcap" 2>/dev/null | wc -l)
say "packets: tcpdump $seen, Weir $offered (lost: ${lost:-none})"
((seen == offered)) || fail "the two differ"
