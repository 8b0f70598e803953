# Parts of the live demos: network namespaces that go again, whatever happens. To be sourced by a
# script that runs as root.
# shellcheck shell=bash

say() { printf '\n== %s\n' "$*"; }

fail() {
    fail_with 2 "$@"
}

fail_with() {
    local code=$1
    shift
    printf 'weir: %s\n' "$*" >&2
    exit "$code"
}

# PROGRAM=PACKAGE: what is missing is named with its Debian package.
need() {
    local pair missing=()
    ((EUID == 0)) || fail "the live demo makes network namespaces: please run it as root"
    for pair; do
        command -v "${pair%=*}" >/dev/null || missing+=("${pair#*=}")
    done
    ((${#missing[@]} == 0)) || fail "the live demo needs: apt-get install ${missing[*]}"
}

# Makes namespaces, and the directory `work`. They and their programs go when the script ends.
make_namespaces() {
    local name
    namespaces=("$@")
    work=$(mktemp -d)
    trap clean_up EXIT INT TERM
    for name in "${namespaces[@]}"; do
        ip netns add "$name"
        within "$name" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 2>/dev/null || true
        within "$name" ip link set lo up
    done
}

# Programs end by themselves if they can: a cluster stops its processes.
clean_up() {
    trap - EXIT INT TERM
    local name pids
    for name in "${namespaces[@]}"; do
        pids=$(ip netns pids "$name" 2>/dev/null || true)
        # shellcheck disable=SC2086 # several numbers
        [[ -z $pids ]] || kill $pids 2>/dev/null || true
    done
    for name in "${namespaces[@]}"; do
        for _ in {1..100}; do
            [[ -n $(ip netns pids "$name" 2>/dev/null || true) ]] || break
            sleep 0.1
        done
        pids=$(ip netns pids "$name" 2>/dev/null || true)
        # shellcheck disable=SC2086
        [[ -z $pids ]] || kill -KILL $pids 2>/dev/null || true
        ip netns del "$name" 2>/dev/null || true
    done
    rm -rf -- "$work"
}

within() {
    local name=$1
    shift
    ip netns exec "$name" "$@"
}
