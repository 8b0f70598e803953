#!/bin/sh
# Builds prefetch.c for this machine into the folder $1. Without a C compiler there is no library:
# Weir does without, only slower.
set -eu
here=$(dirname -- "$0")
mkdir -p "$1"
library=$1/prefetch-$(uname -m).so
if [ "$library" -nt "$here/prefetch.c" ]; then
    exit 0
fi
compiler=$(command -v "${CC:-cc}" || command -v gcc || command -v clang || true)
if [ -z "$compiler" ]; then
    echo "no C compiler: the kernels are built without prefetches (to have them: apt-get install gcc)" >&2
    exit 0
fi
write=
case $(uname -m) in x86_64) write=-mprfchw ;; esac
"$compiler" -O2 -Wall -Wextra -Werror $write -shared -fPIC -ffreestanding -nostdlib -o "$library" "$here/prefetch.c"
