package io.weir.ingest.capture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says what the path of a capture names: a file, a pipe or standard input. Stateless. */
public final class CapturePath {
    /** The name of the process's standard input; a file of this name is {@code ./-}. */
    public static final Path STANDARD_INPUT = Path.of("-");

    /** It includes files that a ring numbers at the end, as tcpdump's -W. */
    private static final Pattern CAPTURE =
            Pattern.compile(
                    "(?<plain>.+\\.(pcap|pcapng|cap|dmp|ntar)\\d*)(?<packed>\\.(gz|bz2|xz|zstd?|lz4))?",
                    Pattern.CASE_INSENSITIVE);

    private CapturePath() {}

    /** Returns whether a file has a name as captures have, also as compressed ones have. */
    public static boolean isNamedAsCapture(Path name) {
        return CAPTURE.matcher(name.toString()).matches();
    }

    /** Returns whether a file has a name as captures have that are not compressed. */
    static boolean isNamedAsPlainCapture(Path name) {
        return isNamedAsCapture(name) && plainName(name).isEmpty();
    }

    /** Returns the name that a compressed capture had before; empty for all other names. */
    public static Optional<String> plainName(Path name) {
        Matcher matcher = CAPTURE.matcher(name.toString());
        return matcher.matches() && matcher.group("packed") != null
                ? Optional.of(matcher.group("plain"))
                : Optional.empty();
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
