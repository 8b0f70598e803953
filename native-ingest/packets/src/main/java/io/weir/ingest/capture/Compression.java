package io.weir.ingest.capture;

import java.util.Arrays;
import java.util.Optional;

/** The compression of a file that Weir does not read, found from its first bytes. */
enum Compression {
    GZIP("gunzip -c", 0x8B1F, 0xFFFF),
    BZIP2("bunzip2 -c", 0x68_5A42, 0xFF_FFFF),
    XZ("unxz -c", 0x587A_37FD, -1),
    ZSTANDARD("unzstd -c", 0xFD2F_B528, -1),
    LZ4("unlz4 -c", 0x184D_2204, -1),
    ZIP("unzip -p", 0x0403_4B50, -1);

    private final String command;
    private final int magic;
    private final int mask;

    Compression(String command, int magic, int mask) {
        this.command = command;
        this.magic = magic;
        this.mask = mask;
    }

    /** Returns the command that decompresses it to standard output. */
    String command() {
        return command;
    }

    /**
     * Returns the compression that begins like this.
     *
     * @param word the file's first four bytes, little endian
     */
    static Optional<Compression> of(int word) {
        return Arrays.stream(values()).filter(c -> (word & c.mask) == c.magic).findFirst();
    }
}
