#!/usr/bin/env bash
# Writes the retransmissions of TCP flows that tshark sees in captures, as CSV: a row for each flow
# with a retransmission. FlowLossesTest compares `flows` with them.
#
#   retransmissions.sh FOLDER > ../resources/io/weir/cluster/traces/retransmissions.csv
#
# FOLDER has the shared captures; the sub-folder captures/tcp is read. Made with tshark 4.0.17.
set -euo pipefail
cd "$1"
echo capture,src,dst,sport,dport,packets,bytes,other
for capture in captures/tcp/*; do
    tshark -r "$capture" -o tcp.desegment_tcp_streams:false -o ip.defragment:false \
        -o tcp.relative_sequence_numbers:false -Y 'tcp && !icmp' -T fields -E separator=, \
        -E occurrence=f \
        -e ip.src -e ipv6.src -e ip.dst -e ipv6.dst -e tcp.srcport -e tcp.dstport -e tcp.len \
        -e tcp.analysis.retransmission -e tcp.analysis.fast_retransmission \
        -e tcp.analysis.spurious_retransmission -e tcp.analysis.out_of_order \
        -e tcp.analysis.lost_segment -e tcp.analysis.keep_alive -e tcp.analysis.zero_window_probe \
        -e tcp.analysis.reused_ports 2>/dev/null |
        awk -F, -v capture="$capture" '
            {
                flow = $1 $2 "," $3 $4 "," $5 "," $6
                again = $8 $9 $10 != ""
                packets[flow] += again && $7 > 0
                bytes[flow] += again ? $7 : 0
                other[flow] += $11 $12 $13 $14 $15 != ""
            }
            END {
                for (flow in packets)
                    if (packets[flow] > 0)
                        print capture "," flow "," packets[flow] "," bytes[flow] "," other[flow]
            }' | LC_ALL=C sort
done
