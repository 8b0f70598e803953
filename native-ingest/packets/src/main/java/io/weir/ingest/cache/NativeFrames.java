package io.weir.ingest.cache;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * C that reads frames and groups their packets, over the memory of a {@link GpvCache}. If the
 * library was not built or cannot be loaded, Java does all of it. {@code -Dweir.native=false} also
 * turns it off, for comparisons.
 */
public final class NativeFrames {
    private static final boolean LOADED = load();

    /** The result of {@link #pass} if a ring must make room before it is called again. */
    static final int ROOM = 1;

    private NativeFrames() {}

    /** Returns whether it is there. */
    public static boolean isLoaded() {
        return LOADED;
    }

    /** Calls pcap_pass of {@code native-ingest/wire/src/main/c/pcap.h}. */
    static native int pass(long pcap, long cache);

    private static boolean load() {
        if (!Boolean.parseBoolean(System.getProperty("weir.native", "true"))) {
            return false;
        }
        String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch64";
        String name = "/native/packets-" + machine + ".so";
        try (InputStream library = NativeFrames.class.getResourceAsStream(name)) {
            return library != null && load(library);
        } catch (IOException | UnsatisfiedLinkError | SecurityException cannot) {
            return false;
        }
    }

    private static boolean load(InputStream library) throws IOException {
        Path file = Files.createTempFile("weir-packets", ".so");
        try {
            Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
            System.load(file.toString());
            return true;
        } finally {
            // A loaded library needs no file, and a file that could not be loaded is of no use.
            Files.delete(file);
        }
    }
}
