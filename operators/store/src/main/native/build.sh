#!/bin/sh
# Builds memory.c, gather.c and add.c for this machine into the folder $1. Without a C compiler there is no
# library: Weir does without, only slower.
set -eu
here=$(dirname -- "$0")
mkdir -p "$1"
library=$1/memory-$(uname -m).so
if [ -f "$library" ] && [ -z "$(find "$here" -newer "$library")" ]; then
    exit 0
fi
compiler=$(command -v "${CC:-cc}" || command -v gcc || command -v clang || true)
if [ -z "$compiler" ]; then
    echo "no C compiler: kernels will wait for memory more often (apt-get install gcc)" >&2
    exit 0
fi
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
compile() {
    "$compiler" -O2 -Wall -Wextra -Werror -fPIC -ffreestanding -fno-strict-aliasing "$@"
}
case $(uname -m) in
    x86_64)
        set -- -mprfchw
        compile "$@" -mavx2 -mbmi2 -DRUN=gather_avx2 -c -o "$objects/gather_avx2.o" "$here/gather.c"
        ;;
    *) set -- ;;
esac
compile "$@" -DRUN=gather -c -o "$objects/gather.o" "$here/gather.c"
compile "$@" -c -o "$objects/add.o" "$here/add.c"
compile "$@" -c -o "$objects/memory.o" "$here/memory.c"
"$compiler" -shared -nostdlib -o "$library" "$objects"/*.o
