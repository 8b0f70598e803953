#!/bin/sh
# Builds memory.c for this machine into the folder $1. Without a C compiler there is no library:
# Weir does without, only slower.
set -eu
here=$(dirname -- "$0")
mkdir -p "$1"
library=$1/memory-$(uname -m).so
if [ "$library" -nt "$here/memory.c" ]; then
    exit 0
fi
compiler=$(command -v "${CC:-cc}" || command -v gcc || command -v clang || true)
if [ -z "$compiler" ]; then
    echo "no C compiler: kernels will wait for memory more often (apt-get install gcc)" >&2
    exit 0
fi
write=
case $(uname -m) in x86_64) write=-mprfchw ;; esac
"$compiler" -O2 -Wall -Wextra -Werror $write -shared -fPIC -ffreestanding -nostdlib -o "$library" "$here/memory.c"
