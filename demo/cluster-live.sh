#!/usr/bin/env bash
# A cluster on interfaces: all of it runs in a network namespace that routes between three others.
# Each of its workers reads one of the three links. Real programs talk over them.
set -euo pipefail

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=demo/netns.sh
. "$here/netns.sh"

router=weir-router-$$
hosts=(weir-clients-$$ weir-servers-$$ weir-lab-$$)

need ip=iproute2 iperf3=iperf3 curl=curl hping3=hping3 python3=python3
make_namespaces "$router" "${hosts[@]}"

within "$router" sysctl -qw net.ipv4.ip_forward=1
for i in 0 1 2; do
    ip link add "tap$((i + 1))" netns "$router" type veth peer name eth0 netns "${hosts[i]}"
    within "$router" ip addr add "10.98.$i.1/24" dev "tap$((i + 1))"
    within "$router" ip link set "tap$((i + 1))" up
    within "${hosts[i]}" ip addr add "10.98.$i.2/24" dev eth0
    within "${hosts[i]}" ip link set eth0 up
    within "${hosts[i]}" ip route add default via "10.98.$i.1"
done
# Answers to random senders go back over tap1, and end there: hosts forward nothing.
within "$router" ip route add default via 10.98.0.2

# Both serve until the namespaces go.
within "${hosts[1]}" python3 -m http.server -d "$here/recording" 80 >/dev/null 2>&1 &
within "${hosts[2]}" iperf3 -s >/dev/null &

say "weir cluster demo --source Node1=afpacket:tap1 … Node2=afpacket:tap2 … Node3=afpacket:tap3"
within "$router" "${WEIR:-$here/../weir}" cluster demo --sql "$here/cluster.sql" \
    --source Node1=afpacket:tap1 --source Node2=afpacket:tap2 --source Node3=afpacket:tap3 \
    "$@" > >(tee "$work/said") &
demo=$!

# The programs begin once the workers read, and go on until the demo ends.
is_running() { kill -0 "$demo" 2>/dev/null; }
while is_running && ! grep -q 'workers have the catalogue' "$work/said" 2>/dev/null; do
    sleep 0.2
done
say "iperf3 at 5 Mbit/s, curl, and hping3: 200 SYNs a second with random senders"
while is_running; do
    within "${hosts[0]}" iperf3 -c 10.98.2.2 -t 5 -b 5M >/dev/null 2>&1 || true
done &
while is_running; do
    within "${hosts[0]}" curl -s -m 2 -o /dev/null http://10.98.1.2/ || true
    sleep 0.2
done &
while is_running; do
    within "${hosts[0]}" hping3 -q -S -p 80 --rand-source -i u5000 -c 1000 10.98.1.2 >/dev/null 2>&1 || true
done &
wait "$demo" || fail_with $? "the cluster demo has failed"
