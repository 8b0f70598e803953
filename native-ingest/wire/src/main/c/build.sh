#!/bin/sh
# Builds the library $1 (packets, sockets or dpdk) for this machine into the folder $2. Without a C
# compiler, or without the headers that the library needs, there is none: the build goes on. Java
# then reads packets itself, and a source that needs the library names the missing package.
set -eu
name=$1
here=$(dirname -- "$0")
store=$here/../../../../../operators/store/src/main/native
library=$2/$name-$(uname -m).so
mkdir -p "$2"
[ -d "$here/$name" ] || exit 0
if [ -f "$library" ] && [ -z "$(find "$here/$name" "$here/gpv" "$here/build.sh" "$store" -newer "$library")" ]; then
    exit 0
fi
# Says what will not work, and what to install. An old library goes.
missing() {
    rm -f -- "$library"
    echo "no $1: $2 (apt-get install $3)" >&2
    exit 0
}
compiler=$(command -v "${CC:-cc}" || command -v gcc || command -v clang || true)
more=
after=
case $name in
    packets)
        [ -n "$compiler" ] ||
            missing "C compiler" "packets will be read by Java, more slowly" gcc
        [ "$(uname -m)" != x86_64 ] || more=-mprfchw
        ;;
    sockets)
        [ -n "$compiler" ] ||
            missing "C compiler" "sources of the kernel's sockets will be missing" "gcc libc6-dev"
        ;;
    dpdk)
        [ -n "$compiler" ] || missing "C compiler" "dpdk: sources will be missing" gcc
        pkg-config --exists libdpdk 2>/dev/null ||
            missing DPDK "dpdk: sources will be missing" "pkg-config libdpdk-dev"
        more=$(pkg-config --cflags libdpdk)
        # The drivers are plug-ins: a library for each is loaded at run time.
        after='-lrte_ethdev -lrte_mbuf -lrte_mempool -lrte_ring -lrte_eal'
        ;;
esac
# shellcheck disable=SC2086 # several options
"$compiler" -std=gnu17 -O3 $more -Wall -Wextra -Werror -fPIC -fvisibility=hidden \
    -fno-strict-aliasing -shared -I "$store" -o "$library" "$here/$name"/*.c $after
