#!/usr/bin/env bash
# Records demo/capture.pcap: real programs talking across network namespaces made here.
#
# Run as root on Debian 12. It takes a minute and a half, ends by itself, and removes its
# namespaces and processes on every exit. No namespace has a link to the machine's own network,
# so no frame of it can leave the machine. Writes capture.pcap and phases.tsv next to this file,
# or into the folder given as the first argument.
set -euo pipefail
export LC_ALL=C TZ=UTC

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$(realpath -m "${1:-$here}")
snaplen=128

# Frames per file are bounded too: a program gone wild must not fill the disk.
max_frames=200000

source "$here/recording/tools.sh"
source "$here/recording/network.sh"
source "$here/recording/servers.sh"
source "$here/recording/phases.sh"

cleanup() {
    local status=$?
    trap - EXIT INT TERM
    remove_network
    rm -rf "$scratch"
    exit "$status"
}

start_capture() {
    # The bridge itself is the point where each frame passes exactly once. -Z root: the default
    # drop to the user tcpdump could not write into the scratch folder.
    start_in switch tcpdump -i br0 -n -Z root -s "$snaplen" -B 16384 -c "$max_frames" \
        --time-stamp-precision=nano -w "$scratch/capture.pcap" 2> "$scratch/tcpdump.log"
    capture_pid=$started
    local tries=0
    until grep -q 'listening on' "$scratch/tcpdump.log"; do
        kill -0 "$capture_pid" 2> /dev/null || fail "tcpdump did not start"
        (( ++tries < 100 )) || fail "tcpdump is not listening after 10 s"
        sleep 0.1
    done
}

stop_capture() {
    # A background process of a script ignores SIGINT; tcpdump closes its file on SIGTERM too.
    kill -TERM "$capture_pid"
    tail --pid="$capture_pid" -f /dev/null
    grep -q '^0 packets dropped by kernel' "$scratch/tcpdump.log" ||
        fail "tcpdump lost packets: $(grep dropped "$scratch/tcpdump.log")"
}

main() {
    [[ $EUID -eq 0 ]] || fail "run as root: network namespaces need it"
    install_missing_tools
    scratch=$(mktemp -d)
    trap cleanup EXIT
    trap 'exit 130' INT TERM
    make_network
    start_servers
    start_capture
    run_phases
    stop_capture
    mkdir -p "$out"
    cp "$scratch/capture.pcap" "$out/capture.pcap"
    write_phase_table "$out/capture.pcap" > "$out/phases.tsv"
    say "wrote $(stat -c %s "$out/capture.pcap") bytes to $out/capture.pcap"
}

main
