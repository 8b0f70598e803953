package io.weir.operators.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Loads a library of C that a module's jar carries. If it was not built or cannot be loaded, its
 * users do without. {@code -Dweir.native=false} also turns all of them off, for comparisons. The
 * classes that use it have this class's loader.
 */
public final class NativeLibrary {
    private NativeLibrary() {}

    /**
     * Loads a library for this machine.
     *
     * @param user has the native methods, and the library in its jar
     * @return whether the library is loaded
     */
    public static boolean load(Class<?> user, String name) {
        if (!Boolean.parseBoolean(System.getProperty("weir.native", "true"))) {
            return false;
        }
        String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch64";
        String resource = "/native/" + name + "-" + machine + ".so";
        try (InputStream library = user.getResourceAsStream(resource)) {
            return library != null && load(name, library);
        } catch (IOException | UnsatisfiedLinkError | SecurityException cannot) {
            return false;
        }
    }

    private static boolean load(String name, InputStream library) throws IOException {
        Path file = Files.createTempFile("weir-" + name, ".so");
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
