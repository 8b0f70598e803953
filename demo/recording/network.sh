# The network: one captured LAN with the servers, a router, and the outside. Sourced by record.sh.
#
#   web .10   ssh .22   dns .53   rack .101-.180                client  10.20.16.10
#     |          |         |         |                          attacker 10.20.16.66
#   ==+==========+=========+=========+=====br0=====[ gw ]=====+ bots    10.20.32.1-.80
#        switch: 10.20.0.0/24, captured       10.20.0.1        outside: 10.20.16.0/20, .32.0/20
#
# IPv6 is the same with fd20:20:0:1::/64 inside and fd20:20:0:2::/64 outside. Between gw and web
# there are also VLAN 20 (10.20.4.0/24) and VLAN 200 inside 802.1ad VLAN 100 (10.20.5.0/24).
# 10.20.48.0/24 is nobody: gw drops what is sent there, as a spoofed source's network would.

prefix=weir$$
bots=80
rack_first=101
rack_last=180

in_ns() {
    ip netns exec "$prefix-$1" "${@:2}"
}

# Starts a program that runs until remove_network. Its process id is left in $started; through
# in_ns it would be that of a shell around it.
start_in() {
    ip netns exec "$prefix-$1" "${@:2}" &
    started=$!
    disown
}

make_network() {
    local host
    for host in switch gw web ssh dns rack client attacker bots; do
        ip netns add "$prefix-$host"
        quieten "$host"
    done
    in_ns switch ip link add br0 type bridge stp_state 0 mcast_snooping 0
    in_ns switch ip link set br0 up
    in_ns gw ip link add br1 address 02:00:00:00:02:01 type bridge stp_state 0 mcast_snooping 0
    in_ns gw ip link set br1 up

    plug switch br0 gw 01
    plug switch br0 web 10
    plug switch br0 ssh 22
    plug switch br0 dns 53
    plug switch br0 rack 99
    plug gw br1 client aa
    plug gw br1 attacker 66
    plug gw br1 bots bb

    address_gateway
    address_inside
    address_outside
    make_vlans
}

# No automatic IPv6 chatter before the first phase, and no reverse-path filter: spoofed sources
# must reach the victim.
quieten() {
    in_ns "$1" sysctl -q -w net.ipv6.conf.default.accept_ra=0 \
        net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.default.router_solicitations=0 \
        net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0
    in_ns "$1" ip link set lo up
}

# plug <namespace of the bridge> <bridge> <host> <last byte of its MAC>
plug() {
    local port="p-$3"
    ip link add name "$port" netns "$prefix-$1" type veth \
        peer name eth0 address "02:00:00:00:01:$4" netns "$prefix-$3"
    in_ns "$1" ip link set "$port" master "$2" up
    in_ns "$3" ip link set eth0 up
    # Without this the capture would hold 64 kB "frames" and unfilled checksums, which no wire has.
    in_ns "$1" ethtool -K "$port" tso off gso off gro off tx off > /dev/null
    in_ns "$3" ethtool -K eth0 tso off gso off gro off tx off > /dev/null
}

address_gateway() {
    in_ns gw ip addr add 10.20.0.1/24 dev eth0
    in_ns gw ip addr add fd20:20:0:1::1/64 dev eth0 nodad
    in_ns gw ip addr add 10.20.16.1/20 dev br1
    in_ns gw ip addr add 10.20.32.254/20 dev br1
    in_ns gw ip addr add fd20:20:0:2::1/64 dev br1 nodad
    in_ns gw ip route add blackhole 10.20.48.0/24
    in_ns gw sysctl -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 \
        net.ipv4.conf.all.send_redirects=0
}

# host <namespace> <IPv4/length> <IPv4 router> <IPv6> <IPv6 router>
host() {
    in_ns "$1" ip addr add "$2" dev eth0
    in_ns "$1" ip addr add "$4/64" dev eth0 nodad
    in_ns "$1" ip route add default via "$3"
    in_ns "$1" ip -6 route add default via "$5"
}

address_inside() {
    local n
    host web 10.20.0.10/24 10.20.0.1 fd20:20:0:1::10 fd20:20:0:1::1
    host ssh 10.20.0.22/24 10.20.0.1 fd20:20:0:1::22 fd20:20:0:1::1
    host dns 10.20.0.53/24 10.20.0.1 fd20:20:0:1::53 fd20:20:0:1::1
    host rack 10.20.0.$rack_first/24 10.20.0.1 fd20:20:0:1::$rack_first fd20:20:0:1::1
    for (( n = rack_first + 1; n <= rack_last; n++ )); do
        printf 'addr add 10.20.0.%d/24 dev eth0\n' "$n"
    done | in_ns rack ip -batch -
}

address_outside() {
    local n
    host client 10.20.16.10/20 10.20.16.1 fd20:20:0:2::10 fd20:20:0:2::1
    host attacker 10.20.16.66/20 10.20.16.1 fd20:20:0:2::66 fd20:20:0:2::1
    host bots 10.20.32.1/20 10.20.32.254 fd20:20:0:2::b001 fd20:20:0:2::1
    for (( n = 2; n <= bots; n++ )); do
        printf 'addr add 10.20.32.%d/20 dev eth0\n' "$n"
        printf 'addr add fd20:20:0:2::b%03d/64 dev eth0 nodad\n' "$n"
    done | in_ns bots ip -batch -
}

# The tags are added and removed by a small program, so that no kernel module is asked for.
make_vlans() {
    vlan_end gw 1 01
    vlan_end web 10 10
}

# vlan_end <namespace> <last part of its addresses> <last byte of its MAC>
vlan_end() {
    local name
    for name in vlan20 inner200; do
        in_ns "$1" ip tuntap add dev "$name" mode tap
        in_ns "$1" ip link set "$name" address "02:00:00:00:01:$3"
    done
    # Both tags' bytes have to fit into the port's MTU.
    in_ns "$1" ip link set inner200 mtu 1492
    in_ns "$1" ip addr add "10.20.4.$2/24" dev vlan20
    in_ns "$1" ip addr add "fd20:20:0:20::$2/64" dev vlan20 nodad
    in_ns "$1" ip addr add "10.20.5.$2/24" dev inner200
    start_in "$1" python3 "$here/recording/vlan.py" eth0 vlan20=20 inner200=100.200
    in_ns "$1" ip link set vlan20 up
    in_ns "$1" ip link set inner200 up
}

# Only processes inside the namespaces made here are ended.
remove_network() {
    local name
    for name in $(ip netns list | awk -v p="$prefix-" 'index($1, p) == 1 { print $1 }'); do
        ip netns pids "$name" | xargs -r kill -KILL 2> /dev/null || true
        ip netns del "$name"
    done
}
