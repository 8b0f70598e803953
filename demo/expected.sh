#!/usr/bin/env bash
# Computes demo/expected/*.csv from the capture with tshark and awk, independently of Weir.
#
#   expected.sh [capture [folder]]
#
# Definitions, beside those of the query library:
# - A packet is a frame with an IP header; the outermost one counts. ARP is left out.
# - bytes: IPv4 total length; IPv6 40 + payload length.
# - Fragments are not reassembled: one after the first has no ports and no flags.
# - Windows are one second, aligned to the epoch. Only rows at or above the threshold are written.
# Rows are sorted as text.
set -euo pipefail
export LC_ALL=C TZ=UTC

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
capture=${1:-$here/capture.pcap}
out=${2:-$here/expected}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# One line per IP packet, of ten columns:
# window src dst proto bytes sport dport syn ack flags
export_packets() {
    tshark -n -r "$capture" \
        -o ip.defragment:FALSE -o ipv6.defragment:FALSE \
        -o tcp.desegment_tcp_streams:FALSE -o tcp.analyze_sequence_numbers:FALSE \
        -T fields -E separator=/t -E occurrence=f \
        -e frame.time_epoch -e ip.src -e ip.dst -e ip.proto -e ip.len \
        -e ipv6.src -e ipv6.dst -e ipv6.nxt -e ipv6.hopopts.nxt -e ipv6.fraghdr.nxt \
        -e ipv6.plen -e tcp.srcport -e tcp.dstport \
        -e tcp.flags.syn -e tcp.flags.ack -e tcp.flags 2> "$scratch/tshark.log" |
        awk -F '\t' -v OFS='\t' '
            function bit(field) { return field == "1" || field == "True" }
            { split($1, time, "."); window = time[1] }
            $2 != "" {
                # With segmentation offload on, the field is 0; record.sh turns it off.
                if ($5 == 0) { print "IPv4 total length 0" > "/dev/stderr"; exit 1 }
                src = $2; dst = $3; proto = $4; bytes = $5
            }
            $2 == "" && $6 != "" {
                src = $6; dst = $7; bytes = 40 + $11
                proto = $8
                if (proto == 0) proto = $9
                if (proto == 44) proto = $10
            }
            $2 != "" || $6 != "" {
                # The ports inside an ICMP error belong to the packet it quotes.
                if (proto == 6) tcp = $12 OFS $13 OFS bit($14) OFS bit($15) OFS $16
                else tcp = OFS OFS 0 OFS 0 OFS
                print window, src, dst, proto, bytes, tcp
            }'
}

# answer <name> <header> <awk program>: the program reads the packets and prints rows of CSV.
# first(key) is true once per key; utc(window) writes a time.
answer() {
    {
        echo "$2"
        awk -F '\t' -v OFS=, '
            function utc(second) { return strftime("%Y-%m-%dT%H:%M:%S", second, 1) ".000000000Z" }
            function first(key) { return !(key in seen) && (seen[key] = 1) }
            '"$3" "$scratch/packets" | sort
    } > "$out/$1.csv"
}

# windowed <name> <key column> <value column> <threshold> <awk statements that add to n[key]>
# The statements see each packet; a key is window, then the key column's value.
windowed() {
    answer "$1" "window_start,$2,$3" "
        { window = \$1; src = \$2; dst = \$3; bytes = \$5; sport = \$6; dport = \$7
          tcp = \$4 == 6; syn = \$8; ack = \$9 }
        $5
        END {
            for (key in n) if (n[key] >= $4) {
                at = index(key, \" \")
                print utc(substr(key, 1, at - 1)), substr(key, at + 1), n[key]
            }
        }"
}

totals() {
    answer total packets,bytes '
        { packets++; bytes += $5 }
        END { print packets, bytes }'
    answer per_source src_addr,packets,bytes '
        { packets[$2]++; bytes[$2] += $5 }
        END { for (src in packets) print src, packets[src], bytes[src] }'
    answer per_window window_start,packets,bytes '
        { packets[$1]++; bytes[$1] += $5 }
        END { for (w in packets) print utc(w), packets[w], bytes[w] }'
    answer per_protocol proto,packets,bytes '
        { packets[$4]++; bytes[$4] += $5 }
        END { for (proto in packets) print proto, packets[proto], bytes[proto] }'
}

thresholds() {
    windowed new_tcp_connections dst_addr connections 40 \
        'tcp && syn && !ack { n[window " " dst]++ }'
    windowed port_scan src_addr ports 40 \
        'tcp && dport != "" && first(window " " src " " dport) { n[window " " src]++ }'
    windowed superspreader src_addr destinations 40 \
        'first(window " " src " " dst) { n[window " " src]++ }'
    windowed ddos dst_addr sources 45 \
        'first(window " " src " " dst) { n[window " " dst]++ }'
    windowed ssh_brute_force dst_addr,bytes sources 40 \
        'tcp && dport == 22 && first(window " " src " " dst " " bytes) {
            n[window " " dst OFS bytes]++
        }'
    windowed heavy_hitter dst_addr,src_addr bytes 10001 \
        '{ n[window " " dst OFS src] += bytes }'
}

# More than 10 % of the packets of the window.
heavy_share() {
    answer heavy_hitter_share window_start,src_addr,packets,window_packets '
        { all[$1]++; from[$1 " " $2]++ }
        END {
            for (key in from) {
                split(key, part, " ")
                if (from[key] * 10 > all[part[1]])
                    print utc(part[1]), part[2], from[key], all[part[1]]
            }
        }'
}

# SYN by dst + SYN-ACK by src - ACK by dst; SYN-ACK is flags 18 and ACK flags 16, exactly.
syn_flood() {
    answer syn_flood window_start,addr,syn,syn_ack,ack,score '
        $8 && !$9 { syn[$1 " " $3]++; hosts[$1 " " $3] }
        $10 == "0x0012" { synack[$1 " " $2]++; hosts[$1 " " $2] }
        $10 == "0x0010" { ack[$1 " " $3]++; hosts[$1 " " $3] }
        END {
            for (key in hosts) {
                split(key, part, " ")
                score = syn[key] + synack[key] - ack[key]
                if (score >= 3)
                    print utc(part[1]), part[2], syn[key] + 0, synack[key] + 0, ack[key] + 0, score
            }
        }'
}

# At least 5 connections and 500 bytes, and at most 90 bytes per connection.
slowloris() {
    answer slowloris window_start,dst_addr,bytes,connections '
        $4 == 6 && $6 != "" {
            key = $1 " " $3
            bytes[key] += $5
            if (first(key " " $2 " " $6)) connections[key]++
        }
        END {
            for (key in connections) {
                split(key, part, " ")
                few = bytes[key] <= 90 * connections[key]
                if (connections[key] >= 5 && bytes[key] >= 500 && few)
                    print utc(part[1]), part[2], bytes[key], connections[key]
            }
        }'
}

mkdir -p "$out"
export_packets > "$scratch/packets"
totals
thresholds
heavy_share
syn_flood
slowloris
