package io.weir.ingest.capture;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The compression of a capture, found from its first bytes. All are read as streams, in memory that
 * does not depend on their length. Several compressed streams, one behind the other, are one.
 */
enum Compression {
    GZIP(0x8B1F, 0xFFFF),
    BZIP2(0x68_5A42, 0xFF_FFFF),
    XZ(0x587A_37FD, -1),
    ZSTANDARD(0xFD2F_B528, -1),
    LZ4(0x184D_2204, -1);

    /** The bytes that {@link #of} needs. */
    static final int MAGIC_BYTES = 4;

    /** The bound of memory for one file. The highest level of xz takes 64 MiB. */
    private static final int MOST_MEMORY_KIB = 256 << 10;

    private final int magic;
    private final int mask;

    Compression(int magic, int mask) {
        this.magic = magic;
        this.mask = mask;
    }

    /**
     * Returns the compression that begins like this.
     *
     * @param word the file's first four bytes, little endian
     */
    static Optional<Compression> of(int word) {
        return Arrays.stream(values()).filter(c -> (word & c.mask) == c.magic).findFirst();
    }

    /**
     * Returns the decompressed bytes of a stream.
     *
     * @throws IOException if its header cannot be; the streams that it returns throw this, or a
     *     RuntimeException, if later bytes cannot be
     */
    InputStream unpack(InputStream packed) throws IOException {
        return switch (this) {
            case GZIP ->
                    GzipCompressorInputStream.builder()
                            .setInputStream(packed)
                            .setDecompressConcatenated(true)
                            .get();
            case BZIP2 -> new BZip2CompressorInputStream(packed, true);
            case XZ -> new XZInputStream(packed, MOST_MEMORY_KIB);
            case ZSTANDARD -> new ZstdInputStream(packed);
            case LZ4 -> new FramedLZ4CompressorInputStream(packed, true);
        };
    }
}
