package io.weir.operators.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A few lines of C for memory operations that Java lacks. If the library was not built or cannot be
 * loaded, its users do without. {@code -Dweir.native=false} also turns it off, for comparisons.
 */
final class NativeCode {
    static final boolean LOADED = load();

    private NativeCode() {}

    /** Prefetches the lines from one address to another. */
    static native void ask(long from, long to);

    /** Does {@link Prefetch#homes}, and also {@link #ask}. */
    static native void homes(
            long keys,
            int step,
            int count,
            int words,
            long table,
            long slots,
            int stride,
            long zero,
            long oldSlots,
            long unsplit,
            int lines,
            long from,
            long to);

    /** Does {@link NativeSlots#place}. */
    static native void place(
            long from, long until, int keyBytes, int stride, long table, long slots, long oldSlots);

    /** Does {@link NativeGpvs#gather}. */
    static native void gather(long plan, long call);

    /** Detects the special instructions of this machine. */
    private static native void choose();

    static native void zero(long address, long bytes);

    /**
     * Returns the address of so many zero bytes on pages of their own; 0 when the machine refuses.
     */
    static native long map(long bytes);

    static native void unmap(long address, long bytes);

    /**
     * Enlarges a piece of {@link #map} without a copy.
     *
     * @param kept so many bytes stay as they are, and zeros follow
     * @return its new address; 0 when the machine refuses, and nothing has changed
     */
    static native long remap(long address, long kept, long bytes, long newBytes);

    private static boolean load() {
        if (!Boolean.parseBoolean(System.getProperty("weir.native", "true"))) {
            return false;
        }
        String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch64";
        String name = "/native/memory-" + machine + ".so";
        try (InputStream library = NativeCode.class.getResourceAsStream(name)) {
            return library != null && load(library);
        } catch (IOException | UnsatisfiedLinkError | SecurityException cannot) {
            return false;
        }
    }

    private static boolean load(InputStream library) throws IOException {
        Path file = Files.createTempFile("weir-memory", ".so");
        try {
            Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
            System.load(file.toString());
            choose();
            return true;
        } finally {
            // A loaded library needs no file, and a file that could not be loaded is of no use.
            Files.delete(file);
        }
    }
}
