package io.weir.ingest.capture;

import java.util.Arrays;
import java.util.Optional;

/** How a file that is not read as it stands was compressed, by its first bytes. */
enum Compression {
    GZIP("gunzip", 0x8B1F, 0xFFFF),
    BZIP2("bunzip2", 0x68_5A42, 0xFF_FFFF),
    XZ("unxz", 0x587A_37FD, -1),
    ZSTANDARD("unzstd", 0xFD2F_B528, -1),
    LZ4("unlz4", 0x184D_2204, -1),
    ZIP("unzip", 0x0403_4B50, -1);

    private final String tool;
    private final int magic;
    private final int mask;

    Compression(String tool, int magic, int mask) {
        this.tool = tool;
        this.magic = magic;
        this.mask = mask;
    }

    /** The command that undoes it. */
    String tool() {
        return tool;
    }

    /**
     * The compression that begins like this.
     *
     * @param word the file's first four bytes, little endian
     */
    static Optional<Compression> of(int word) {
        return Arrays.stream(values()).filter(c -> (word & c.mask) == c.magic).findFirst();
    }
}
