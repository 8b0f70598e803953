package io.weir.cluster.node;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A capture file and the node that recorded it.
 *
 * @param node what {@code node_id} says of its packets
 */
public record Capture(String node, Path file) {
    private static final Pattern NODE_AND_FILE = Pattern.compile("([\\w.:-]{1,64})=(.+)");

    /**
     * Reads {@code FILE} or {@code NODE=FILE}. A file whose own name has a = in it is taken as it
     * stands when it exists.
     *
     * @param defaultNode of files that name none
     */
    public static Capture parse(String text, String defaultNode) {
        Matcher matcher = NODE_AND_FILE.matcher(text);
        if (matcher.matches() && !Files.exists(path(text))) {
            return new Capture(matcher.group(1), path(matcher.group(2)));
        }
        return new Capture(defaultNode, path(text));
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new WeirException(ErrorCode.UNREADABLE_INPUT, "no file can be named " + text);
        }
    }

    /** Fails where the file cannot be read at all, so that no query starts in vain. */
    public void check() {
        String problem = null;
        if (!Files.exists(file)) {
            problem = "does not exist";
        } else if (Files.isDirectory(file)) {
            problem = "is a directory";
        } else if (!Files.isReadable(file)) {
            problem = "may not be read";
        }
        if (problem != null) {
            throw new WeirException(
                    ErrorCode.UNREADABLE_INPUT,
                    file + " " + problem,
                    file.toString().equals("-")
                            ? "captures are read from files, not from standard input"
                            : "--pcap takes pcap and pcapng files");
        }
    }
}
