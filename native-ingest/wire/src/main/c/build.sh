#!/bin/sh
# Builds the library of packets for this machine into the folder $1. Without a C compiler there is
# none: Java reads and groups packets, only slower.
set -eu
here=$(dirname -- "$0")
hash=$here/../../../../../operators/store/src/main/native/hash.h
mkdir -p "$1"
library=$1/packets-$(uname -m).so
if [ -f "$library" ] && [ -z "$(find "$here" "$hash" -newer "$library")" ]; then
    exit 0
fi
compiler=$(command -v "${CC:-cc}" || command -v gcc || command -v clang || true)
if [ -z "$compiler" ]; then
    echo "no C compiler: packets will be read by Java, more slowly (apt-get install gcc)" >&2
    exit 0
fi
case $(uname -m) in
    x86_64) set -- -mprfchw ;;
    *) set -- ;;
esac
"$compiler" -std=gnu17 -O3 "$@" -Wall -Wextra -Werror -fPIC -fvisibility=hidden \
    -fno-strict-aliasing -shared -I "$(dirname -- "$hash")" -o "$library" "$here"/*.c
