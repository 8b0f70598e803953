package io.weir.ingest.source;

import io.weir.ingest.capture.CapturePath;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.OverflowPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes {@code pcap:} sources: a capture file, a folder of them, a pipe, or {@code -} for standard
 * input.
 *
 * <p>A pipe is finite: without room its writer waits, and nothing is lost. With the option {@code
 * live=true} the writer must not wait. This is for tcpdump, whose own buffer would overflow unseen.
 * Weir then reads on, drops blocks that find no room, and counts their packets.
 */
public final class PcapFactory implements SourceFactory {
    static final String SCHEME = "pcap";

    private static final String LIVE = "live";
    private static final Pattern NODE_AND_FILE = Pattern.compile("([\\w.:-]{1,64})=(.+)");

    /** The pattern includes files that a ring numbers at the end, as tcpdump's -W. */
    private static final Pattern CAPTURE =
            Pattern.compile(".+\\.(pcap|pcapng|cap|dmp|ntar)\\d*", Pattern.CASE_INSENSITIVE);

    /**
     * Reads the short form, {@code FILE} or {@code NODE=FILE}. An existing file with a = in its own
     * name is taken unchanged. The file {@code -} is standard input.
     *
     * @param defaultNode of files that name none
     */
    public static SourceSpec parse(String text, String defaultNode) {
        Matcher matcher = NODE_AND_FILE.matcher(text);
        if (matcher.matches() && !Files.exists(path(text))) {
            return SourceSpec.pcap(matcher.group(1), path(matcher.group(2)));
        }
        return SourceSpec.pcap(defaultNode, path(text));
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new WeirException(ErrorCode.UNREADABLE_INPUT, "no file can be named " + text);
        }
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public Set<String> options() {
        return Set.of(LIVE);
    }

    @Override
    public List<SourceSpec> sources(SourceSpec named) {
        if (named.address().isEmpty()) {
            throw Sources.invalid("pcap: names no file", "pcap:/path/to/file.pcap, or pcap:-");
        }
        Path path = path(named.address());
        checkLive(named, path);
        if (!Files.isDirectory(path)) {
            return List.of(named.at(path.toString()));
        }
        try (Stream<Path> files = Files.list(path)) {
            List<SourceSpec> found =
                    files.filter(PcapFactory::isCapture)
                            .sorted()
                            .map(file -> named.at(file.toString()))
                            .toList();
            if (found.isEmpty()) {
                throw Sources.unreadable(
                        named,
                        "has no capture files",
                        "files of a folder are read whose names end with .pcap, .pcapng or .cap");
            }
            return found;
        } catch (IOException e) {
            throw Sources.unreadable(named, "may not be read", null);
        }
    }

    private static boolean isCapture(Path file) {
        return Files.isRegularFile(file)
                && CAPTURE.matcher(file.getFileName().toString()).matches();
    }

    private static void checkLive(SourceSpec named, Path path) {
        String live = named.option(LIVE).orElse("false");
        if (!live.equals("true") && !live.equals("false")) {
            throw Sources.invalid("live=" + live + " cannot be", "live=true or live=false");
        }
        if (live.equals("true") && Files.exists(path) && !CapturePath.isPipe(path)) {
            throw Sources.invalid(
                    named.address() + " is no pipe: live=true cannot be",
                    "its packets wait: leave live=true out");
        }
    }

    @Override
    public String name(SourceSpec spec) {
        return CapturePath.name(spec.path());
    }

    @Override
    public boolean isLive(SourceSpec spec) {
        return spec.option(LIVE).filter("true"::equals).isPresent();
    }

    @Override
    public boolean isReadOnce(SourceSpec spec) {
        return CapturePath.isPipe(spec.path());
    }

    @Override
    public boolean isSame(SourceSpec one, SourceSpec other) {
        return isSame(one.path(), other.path());
    }

    /** Returns whether two names are of the same file or pipe. */
    public static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(onDisk(one), onDisk(other));
        } catch (IOException e) {
            return false; // at least one of them is none
        }
    }

    private static Path onDisk(Path path) {
        return path.equals(CapturePath.STANDARD_INPUT) ? Path.of("/dev/stdin") : path;
    }

    @Override
    public void check(SourceSpec spec) {
        Path file = spec.path();
        boolean standardInput = file.equals(CapturePath.STANDARD_INPUT);
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
            throw Sources.unreadable(spec, problem, hint(standardInput, problem));
        }
    }

    private static String hint(boolean standardInput, String problem) {
        if (standardInput) {
            return "tcpdump -U -w - | weir run … --pcap -";
        }
        return problem.equals("is a directory")
                ? "--source pcap:FOLDER reads the captures of a folder"
                : "--pcap takes pcap and pcapng files";
    }

    @Override
    public Source open(List<SourceSpec> specs, int queue, SourceContext context) {
        boolean live = Sources.isLive(specs);
        return new CaptureSource(specs, live ? context.withOverflow(OverflowPolicy.DROP) : context);
    }
}
