package io.weir.operators.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A few lines of C, for what Java cannot say of memory. Where the library was not built or cannot
 * be loaded, its users do without. {@code -Dweir.native=false} does without it too, to compare.
 */
final class NativeCode {
    static final boolean LOADED = load();

    private NativeCode() {}

    /** Asks for lines from one address to another. */
    static native void ask(long from, long to);

    /** As {@link Prefetch#homes}; and {@link #ask}. */
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

    /** As {@link NativeSlots#place}. */
    static native void place(
            long from, long until, int keyBytes, int stride, long table, long slots, long oldSlots);

    /** As {@link NativeGpvs#gather}. */
    static native void gather(long plan, long call);

    /** Finds out what the machine can do that others of its kind cannot. */
    private static native void choose();

    static native void zero(long address, long bytes);

    /** Address of so many zero bytes on pages of their own; 0 when the machine refuses. */
    static native long map(long bytes);

    static native void unmap(long address, long bytes);

    /**
     * Makes what {@link #map} gave larger, without a copy of it.
     *
     * @param kept so many bytes stay as they are, and zeros follow
     * @return its new address; 0 when the machine refuses, and it is as it was
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
            // What is loaded stays, and what could not be is of no use.
            Files.delete(file);
        }
    }
}
