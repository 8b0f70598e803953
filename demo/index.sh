#!/usr/bin/env bash
# Writes demo/INDEX.md from capture.pcap, phases.tsv and expected/. Run it after record.sh and
# expected.sh.
set -euo pipefail
export LC_ALL=C TZ=UTC

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here"

# answer file:columns that make its key, after window_start
answers=(
    new_tcp_connections:1 ssh_brute_force:2 port_scan:1 superspreader:1 ddos:1 syn_flood:1
    slowloris:1
)

file_facts() {
    local frames bytes seconds
    frames=$(capinfos -TrMc capture.pcap | cut -f 2)
    bytes=$(stat -c %s capture.pcap)
    seconds=$(capinfos -TrMu capture.pcap | cut -f 2)
    printf '%s frames in %s bytes, %.1f s from %sZ.' "$frames" "$bytes" "$seconds" \
        "$(tshark -n -r capture.pcap -c 1 -T fields -e frame.time_epoch 2> /dev/null |
            xargs -I{} date -d @{} +%FT%T.%N)"
}

# The bridge stamps frames on two processors, so that a few come out of order.
disorder() {
    tshark -n -r capture.pcap -T fields -e frame.time_delta 2> /dev/null |
        awk '$1 < 0 { n++; if (-$1 > most) most = -$1 }
             END {
                 printf "%d frames have an earlier time than the frame before, by at most %.0f µs.",
                     n, most * 1e6
             }'
}

phase_rows() {
    awk -F '\t' 'NR > 1 {
        printf "| %s | %.3f – %.3f | %s | %s | %s | %s |\n",
            $1, $4, $5, substr($2, 12, 12), $7, $8, $6
    }' phases.tsv
}

between_phases() {
    local all
    all=$(tshark -n -r capture.pcap -T fields -e frame.number 2> /dev/null | wc -l)
    awk -F '\t' -v all="$all" 'NR > 1 { n += $6 } END { print all - n }' phases.tsv
}

# For each phase, the answers with rows in its windows: key, windows, highest last column.
fired_rows() {
    local phase start end answer cell
    while IFS=$'\t' read -r phase start end _; do
        [[ $phase != phase ]] || continue
        cell=
        for answer in "${answers[@]}"; do
            cell+=$(awk -F , -v name="${answer%:*}" -v keys="${answer#*:}" \
                -v start="$start" -v end="$end" '
                NR > 1 && $1 >= start && $1 < end {
                    key = $2 (keys == 2 ? " at " $3 " bytes" : "")
                    if (!(key in windows)) order[++n] = key
                    windows[key]++
                    if ($NF + 0 > most[key]) most[key] = $NF + 0
                }
                END {
                    for (i = 1; i <= n; i++) {
                        key = order[i]
                        if (i == 4 && n > 4) { listed = listed sprintf("; %d more", n - 3); break }
                        listed = listed sprintf("%s%s (%d× ≤ %d)", i > 1 ? "; " : "", key,
                            windows[key], most[key])
                    }
                    if (n) printf "**%s** %s<br>", name, listed
                }' "expected/${answer%:*}.csv")
        done
        printf '| %s | %s |\n' "$phase" "${cell%<br>}"
    done < phases.tsv
}

cat > INDEX.md << INDEX
# The recorded capture: what happens when

\`capture.pcap\` was recorded by \`record.sh\` from real programs in network namespaces of its own.
$(file_facts)
Nothing was edited or generated afterwards. Time stamps are in nanoseconds. Frames are cut at 128
bytes, which keeps every header; the lengths on the wire are in the records. The recorder lost
none: the script refuses a recording with a loss.
$(disorder)

Make it again, as root on Debian 12 (this page is written by the last command):

\`\`\`
demo/record.sh && demo/expected.sh && demo/index.sh
\`\`\`

A new recording has other times and slightly other counts, so its answers change with it.

## The network

Captured is the bridge of the inside LAN: each frame passes it once. The outside reaches it
through the router \`gw\`, so all outside hosts show the router's MAC and a TTL less by one.

| host | addresses | runs |
|---|---|---|
| web | 10.20.0.10, fd20:20:0:1::10; VLAN 20: 10.20.4.10, fd20:20:0:20::10; VLAN 100 (802.1ad) with 200: 10.20.5.10 | nginx |
| ssh | 10.20.0.22, fd20:20:0:1::22 | sshd |
| dns | 10.20.0.53, fd20:20:0:1::53 | dnsmasq |
| rack | 10.20.0.101 – .180 | nothing: its ports are closed |
| gw | 10.20.0.1, fd20:20:0:1::1 | the router to the outside |
| client | 10.20.16.10, fd20:20:0:2::10 | curl, dig, ping, ssh |
| attacker | 10.20.16.66, fd20:20:0:2::66 | nmap, slowhttptest, hping3 |
| bots | 10.20.32.1 – .80, fd20:20:0:2::b001 – ::b080 | curl, ssh |
| nobody | 10.20.48.1 – .70 | the SYN flood's spoofed sources; \`gw\` drops the answers |

The VLAN tags are put on and taken off by \`recording/vlan.py\`, since small kernels lack 802.1Q.

## Phases

Offsets are seconds from the first frame, times are UTC on the day above, and a phase starts on a
whole second. The table is \`phases.tsv\`, which \`record.sh\` writes; packets are the frames
(ARP too) from start to end:

\`\`\`
tshark -r demo/capture.pcap -Y 'frame.time >= "START" && frame.time < "END"' | wc -l
\`\`\`

| phase | offset (s) | starts at | who | what | packets |
|---|---|---|---|---|---|
$(phase_rows)

$(between_phases) more frames lie before, between and after the phases: late answers, closing
connections, ARP and neighbour discovery.

## What a query should see

Rows of \`expected/\` whose window starts within the phase, for the thresholds of the query
library, as: key (number of windows × ≤ highest value). An empty cell means that none may fire.

| phase | answers |
|---|---|
$(fired_rows)

Worth knowing when an answer looks surprising:

- A server that answers many clients is a superspreader, and its answers go to many ports: both
  fire on the victim's side too. The sweep's refusals make the attacker look like a victim.
- Half of the flood's SYNs carry ECE and CWR (flags 0xc2): a test for flags = 2 misses them.
- \`ddos\` meets its condition in its first window, and the flood goes on for more than ten seconds.
  So a query that it wakes has packets to count. The client's own requests run through that phase.
- \`icmp\` has fragments of both families and ICMP errors that quote another header; only the
  outermost header counts.

## Answers

\`expected.sh\` computes \`expected/*.csv\` with tshark and awk; its head has the definitions.
INDEX
