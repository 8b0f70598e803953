package io.weir.ingest.capture;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Compresses captures. */
public final class Packing {
    private Packing() {}

    /** Replaces a file by a compressed one, with an ending that tells how. */
    public static Path replace(Random random, Path plain) {
        Compression compression = List.of(Compression.values()).get(random.nextInt(5));
        List<String> endings =
                switch (compression) {
                    case GZIP -> List.of(".gz", ".GZ");
                    case BZIP2 -> List.of(".bz2");
                    case XZ -> List.of(".xz");
                    case ZSTANDARD -> List.of(".zst", ".zstd");
                    case LZ4 -> List.of(".lz4");
                };
        String ending = endings.get(random.nextInt(endings.size()));
        Path packed = plain.resolveSibling(plain.getFileName() + ending);
        try (OutputStream to = Files.newOutputStream(packed)) {
            byte[] bytes = Files.readAllBytes(plain);
            pack(compression, to, bytes, 0, bytes.length);
            Files.delete(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed;
    }

    static void pack(Compression compression, OutputStream to, byte[] plain, int offset, int length)
            throws IOException {
        try (OutputStream packing =
                switch (compression) {
                    case GZIP -> new GZIPOutputStream(to);
                    case BZIP2 -> new BZip2CompressorOutputStream(to);
                    case XZ -> new XZOutputStream(to, new LZMA2Options(1));
                    case ZSTANDARD -> new ZstdOutputStream(to);
                    case LZ4 -> new FramedLZ4CompressorOutputStream(to);
                }) {
            packing.write(plain, offset, length);
        }
    }
}
