package io.weir.cluster.node;

import io.weir.ingest.capture.CaptureFile;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A capture, a file or a pipe, and the node that recorded it.
 *
 * @param node what {@code node_id} says of its packets
 */
public record Capture(String node, Path file) {
    private static final Pattern NODE_AND_FILE = Pattern.compile("([\\w.:-]{1,64})=(.+)");

    /**
     * Reads {@code FILE} or {@code NODE=FILE}. A file whose own name has a = in it is taken as it
     * stands when it exists. The file {@code -} is standard input.
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

    /**
     * Fails where one of these cannot be read at all, so that no query starts in vain, or is a pipe
     * and named twice.
     */
    public static void checkAll(List<Capture> captures) {
        captures.forEach(Capture::check);
        for (int i = 0; i < captures.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (captures.get(i).isPipe() && captures.get(i).isSame(captures.get(j).file)) {
                    throw captures.get(i)
                            .unreadable("is named twice", "what a pipe brings can be read once");
                }
            }
        }
    }

    /** Fails where a worker cannot count these: a pipe is not alone, or as {@link #checkAll}. */
    public static void checkWorker(List<Capture> captures) {
        checkAll(captures);
        for (Capture capture : captures) {
            if (capture.isPipe() && captures.size() > 1) {
                throw capture.unreadable(
                        "is a pipe, and cannot be beside other captures of a worker",
                        "a worker for each pipe, with a --node-id of its own");
            }
        }
    }

    private void check() {
        boolean standardInput = file.equals(CaptureFile.STANDARD_INPUT);
        String problem = null;
        if (standardInput) {
            problem = System.console() == null ? null : "is a terminal";
        } else if (!Files.exists(file)) {
            problem = "does not exist";
        } else if (Files.isDirectory(file)) {
            problem = "is a directory";
        } else if (!Files.isReadable(file)) {
            problem = "may not be read";
        }
        if (problem != null) {
            throw unreadable(
                    problem,
                    standardInput
                            ? "tcpdump -U -w - | weir run … --pcap -"
                            : "--pcap takes pcap and pcapng files");
        }
    }

    /** Fails also where it can be read only once: for who reads it again. */
    public void checkFile() {
        check();
        if (isPipe()) {
            throw unreadable(
                    "is no file, and is read more than once here",
                    "write the capture to a file first; weir run and weir worker read pipes");
        }
    }

    /** Whether this can be read only once. */
    public boolean isPipe() {
        return CaptureFile.isPipe(file);
    }

    /** Whether another name is of the same file or pipe. */
    public boolean isSame(Path other) {
        try {
            return Files.isSameFile(onDisk(file), onDisk(other));
        } catch (IOException e) {
            return false; // at least one of them is none
        }
    }

    private static Path onDisk(Path path) {
        return path.equals(CaptureFile.STANDARD_INPUT) ? Path.of("/dev/stdin") : path;
    }

    private WeirException unreadable(String problem, String hint) {
        return new WeirException(
                ErrorCode.UNREADABLE_INPUT, CaptureFile.name(file) + " " + problem, hint);
    }
}
