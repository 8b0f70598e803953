# What happens, in order, and the table that says when. Sourced by record.sh.
#
# A phase starts on a whole second, so that windows aligned to the epoch begin with it, and is
# bounded in count and in time. Its programs may fail: refused log-ins are what is recorded.

web4=10.20.0.10
web6='fd20:20:0:1::10'
ssh4=10.20.0.22
ssh6='fd20:20:0:1::22'
dns4=10.20.0.53
dns6='fd20:20:0:1::53'
attackers=70
second_ns=1000000000

run_phases() {
    : > "$scratch/phases"
    phase web 4 'client → web' 'curl from nginx: small, medium and large, IPv4 and IPv6'
    phase dns 2 'client → dns' 'dig to dnsmasq: A, AAAA, MX, TXT, unknown names; UDP and TCP'
    phase icmp 4 'client ↔ web, dns' \
        'ping and ping -6, 4000-byte fragments, TTL run out, port closed'
    phase vlan 3 'client → web' \
        'curl and ping through VLAN 20, then through 802.1ad 100 with VLAN 200'
    phase ssh 3 'client → ssh' 'one log-in with a key, eight with wrong passwords, IPv4 and IPv6'
    phase ssh_brute_force 6 'bots → ssh' 'two waves of 60 source addresses with wrong passwords'
    phase port_scan 4 'attacker → web' 'nmap -sS, 800 ports'
    phase port_scan_ipv6 3 'attacker → web' 'nmap -6 -sS, 500 ports'
    phase sweep 2 'attacker → rack' 'nmap -sS, two ports of 80 addresses'
    phase slowloris 7 'attacker → web' \
        'slowhttptest: 80 connections that never finish their header'
    phase ddos 15 'bots, client → web' \
        'curl from 70 source addresses, one new connection per second each'
    phase ddos_ipv6 3 'bots → web' 'the same over IPv6'
    phase syn_flood 14 '10.20.48.x → web' \
        'hping3 -S from 70 spoofed sources; every second one sets ECE and CWR'
    phase recovery 2 'client → web' 'curl again'
}

# phase <name> <seconds> <who> <what>: runs phase_<name>.
phase() {
    local name=$1 seconds=$2 who=$3 what=$4 start end
    # Something of a gap, then the next whole second.
    start=$(( ($(date +%s%N) + 400000000) / second_ns + 1 ))
    sleep_until "$start"
    say "$name"
    "phase_$name" > "$scratch/$name.log" 2>&1 || true
    sleep_until "$(( start + seconds ))"
    end=$(date +%s.%N)
    printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$start" "$end" "$who" "$what" >> "$scratch/phases"
}

# sleep_until <epoch second>: returns at once if that has passed.
sleep_until() {
    local left=$(( $1 * second_ns - $(date +%s%N) ))
    if (( left > 0 )); then
        sleep "$(printf '%d.%09d' $(( left / second_ns )) $(( left % second_ns )))"
    fi
}

# fetch <namespace> <seconds> <curl arguments>
fetch() {
    in_ns "$1" timeout "$2" curl -s -o /dev/null --connect-timeout 2 "${@:3}"
}

phase_web() {
    fetch client 6 --rate 8/s "http://$web4/?[1-28]" &
    local pid=$!
    fetch client 6 --rate 6/s "http://[$web6]/page?[1-20]"
    fetch client 3 "http://$web4/image" "http://[$web6]/image"
    wait "$pid"
}

phase_dns() {
    in_ns client timeout 4 bash -c '
        ask() { dig +tries=1 +timeout=1 "$@"; }
        for server in "$@"; do
            for n in 1 2 3 4 5 6 7 8; do
                ask @"$server" web.demo.test A ssh.demo.test AAAA
                ask @"$server" demo.test MX "absent$n.demo.test" A
                ask @"$server" +tcp web.demo.test A
            done
            ask @"$server" +bufsize=4096 +ignore large.demo.test TXT
        done' dns "$dns4" "$dns6"
}

# dig to a host without a DNS server makes it answer "port unreachable", which quotes a header.
phase_icmp() {
    in_ns client timeout 3 ping -q -c 12 -i 0.2 "$web4" &
    local ping4=$!
    in_ns client timeout 3 ping -6 -q -c 12 -i 0.2 "$web6"
    wait "$ping4"
    in_ns client timeout 2 ping -q -c 4 -i 0.1 -s 4000 "$dns4"
    in_ns client timeout 2 ping -6 -q -c 4 -i 0.1 -s 4000 "$dns6"
    in_ns web timeout 1 ping -q -c 2 -i 0.1 -W 0.2 -t 1 10.20.16.10 || true
    in_ns client dig +tries=1 +timeout=1 "@$web4" web.demo.test
}

phase_vlan() {
    fetch client 3 --rate 10/s "http://10.20.4.10/page?[1-12]"
    fetch client 3 "http://[fd20:20:0:20::10]/page"
    in_ns client timeout 1 ping -q -c 3 -i 0.1 10.20.4.10
    fetch client 3 --rate 10/s "http://10.20.5.10/page?[1-6]"
    in_ns client timeout 1 ping -q -c 3 -i 0.1 10.20.5.10
}

ssh_options=(
    -F /dev/null -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null
    -o ConnectTimeout=3 -o LogLevel=ERROR
)
password_only=(
    -o PreferredAuthentications=password -o PubkeyAuthentication=no
    -o NumberOfPasswordPrompts=1
)

phase_ssh() {
    local n host
    in_ns client timeout 4 ssh "${ssh_options[@]}" -i "$scratch/demo_key" -o IdentitiesOnly=yes \
        "demo@$ssh4" 'head -c 60000 /dev/zero'
    for n in 1 2 3 4; do
        for host in "$ssh4" "$ssh6"; do
            in_ns client timeout 3 sshpass -p "wrong$n" \
                ssh "${ssh_options[@]}" "${password_only[@]}" "demo@$host" true || true
        done
    done
}

# The whole wave starts within one second: the query counts sources per second and packet size.
phase_ssh_brute_force() {
    in_ns bots timeout 8 bash -c '
        host=$1
        shift
        for wave in 1 2; do
            for n in {1..60}; do
                timeout 3 sshpass -p "secret$n" ssh -b "10.20.32.$n" "$@" "admin@$host" true &
            done
            sleep 2.3
            wait
            # Back to the start of a second, so that the next wave lies within one window too.
            sleep "0.$(printf %09d $(( 999999999 - 10#$(date +%N) )))"
        done' bots "$ssh4" "${ssh_options[@]}" "${password_only[@]}"
}

scan() {
    in_ns attacker timeout 6 nmap -n -Pn -sS --disable-arp-ping --max-retries 0 "$@"
}

phase_port_scan() {
    scan -p 1-800 --min-rate 250 --max-rate 250 "$web4"
}

phase_port_scan_ipv6() {
    scan -6 -p 1-500 --min-rate 250 --max-rate 250 "$web6"
}

phase_sweep() {
    scan -p 22,445 --min-rate 80 --max-rate 80 "10.20.0.$rack_first-$rack_last"
}

# 30 connections per second stay below the threshold for new connections: it is slow on purpose.
phase_slowloris() {
    (
        cd "$scratch" || exit
        in_ns attacker timeout 7 slowhttptest -H -c 80 -r 30 -i 1 -x 8 -l 6 -p 2 \
            -u "http://$web4/"
    )
}

# flood_http <seconds> <prefix of the sources> <printf format of their last part> <url>
flood_http() {
    in_ns bots timeout "$(( $1 + 3 ))" bash -c '
        for (( n = 1; n <= $5; n++ )); do
            printf -v source "%s$3" "$2" "$n"
            curl -s -o /dev/null --connect-timeout 2 --rate 1/s -H "Connection: close" \
                --interface "$source" "$4?[1-$1]" &
        done
        wait' bots "$1" "$2" "$3" "$4" "$attackers"
}

phase_ddos() {
    fetch client 15 --rate 2/s "http://$web4/page?[1-29]" &
    local client=$!
    flood_http 15 10.20.32. %d "http://$web4/"
    wait "$client"
}

phase_ddos_ipv6() {
    flood_http 3 'fd20:20:0:2::b' %03d "http://[$web6]/"
}

phase_syn_flood() {
    in_ns attacker timeout 16 bash -c '
        for (( n = 1; n <= $2; n++ )); do
            ecn=()
            (( n % 2 )) || ecn=(-X -Y)
            hping3 -q -n -I eth0 -S "${ecn[@]}" -a "10.20.48.$n" -p 80 -i u250000 -c 50 "$1" &
        done
        wait' attacker "$web4" "$attackers"
}

phase_recovery() {
    fetch client 2 --rate 8/s "http://$web4/?[1-8]" "http://[$web6]/?[1-4]"
}

# write_phase_table <capture>: offsets count from the capture's first packet.
write_phase_table() {
    local times=$scratch/times first name start end who what
    tshark -n -r "$1" -T fields -e frame.time_epoch > "$times" 2> /dev/null
    first=$(head -n 1 "$times")
    printf 'phase\tstart_utc\tend_utc\tstart_offset_s\tend_offset_s\tpackets\twho\twhat\n'
    while IFS=$'\t' read -r name start end who what; do
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" \
            "$(date -d "@$start" +%FT%T.%NZ)" "$(date -d "@$end" +%FT%T.%NZ)" \
            "$(awk -v f="$first" -v s="$start" -v e="$end" \
                '$1 >= s && $1 < e { n++ }
                 END { printf "%.3f\t%.3f\t%d", s - f, e - f, n }' "$times")" "$who" "$what"
    done < "$scratch/phases"
}
