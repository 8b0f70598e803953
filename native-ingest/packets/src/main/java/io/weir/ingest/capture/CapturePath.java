package io.weir.ingest.capture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Says what the path of a capture names: a file, a pipe or standard input. Stateless. */
public final class CapturePath {
    /** The name of the process's standard input; a file of this name is {@code ./-}. */
    public static final Path STANDARD_INPUT = Path.of("-");

    /** It includes files that a ring numbers at the end, as tcpdump's -W. */
    private static final Pattern CAPTURE =
            Pattern.compile(".+\\.(pcap|pcapng|cap|dmp|ntar)\\d*", Pattern.CASE_INSENSITIVE);

    private CapturePath() {}

    /** Returns whether a file has a name as captures have. */
    public static boolean isNamedAsCapture(Path name) {
        return CAPTURE.matcher(name.toString()).matches();
    }

    /** Returns whether this can be read only once, from front to back. */
    public static boolean isPipe(Path path) {
        return path.equals(STANDARD_INPUT)
                || Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }

    /** Returns the name of a capture in messages. */
    public static String name(Path path) {
        return path.equals(STANDARD_INPUT) ? "standard input" : path.toString();
    }
}
