package io.weir.ingest.source;

import io.weir.ingest.capture.CapturePath;
import io.weir.ingest.capture.FollowedPath;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.OverflowPolicy;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes {@code pcap:} sources: a capture file, a folder of them, a pipe, or {@code -} for standard
 * input.
 *
 * <p>A pipe is finite: without room its writer waits, and nothing is lost. With the option {@code
 * live=true} the writer must not wait. This is for tcpdump, whose own buffer would overflow unseen.
 * Weir then reads on, drops blocks that find no room, and counts their packets.
 *
 * <p>With {@code follow=true} a file, or the files of a folder or a pattern, are read as they grow.
 * With {@code speed=N} the packets of files come N times as fast as they were recorded. Both are
 * live, and wait for room.
 */
public final class PcapFactory implements SourceFactory {
    static final String SCHEME = "pcap";

    private static final Pattern NODE_AND_FILE = Pattern.compile("([\\w.:-]{1,64})=(.+)");

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
        return PcapOptions.NAMES;
    }

    @Override
    public List<SourceSpec> sources(SourceSpec named) {
        if (named.address().isEmpty()) {
            throw Sources.invalid("pcap: names no file", "pcap:/path/to/file.pcap, or pcap:-");
        }
        Path path = path(named.address());
        PcapOptions options = PcapOptions.of(named);
        options.check(path);
        SourceSpec spec = named.at(path.toString());
        return options.isLive() || !Files.isDirectory(path) ? List.of(spec) : files(spec);
    }

    /** Returns the captures of a folder. Its note is one of the first. */
    private static List<SourceSpec> files(SourceSpec spec) {
        if (!Files.isDirectory(spec.path())) {
            return List.of(spec);
        }
        CaptureFolder folder = CaptureFolder.of(spec);
        if (folder.captures().isEmpty()) {
            throw Sources.unreadable(
                    spec,
                    "has no capture files",
                    "files of a folder are read whose names end with .pcap, .pcapng or .cap,"
                            + " also compressed (.pcap.gz)");
        }
        List<SourceSpec> found = new ArrayList<>();
        for (Path file : folder.captures()) {
            SourceSpec one = spec.at(file.toString());
            found.add(found.isEmpty() ? one.noting(folder.notes()) : one);
        }
        return found;
    }

    @Override
    public String name(SourceSpec spec) {
        return CapturePath.name(spec.path());
    }

    @Override
    public boolean isLive(SourceSpec spec) {
        return PcapOptions.of(spec).isLive();
    }

    /** Packets of files wait on the disk. */
    @Override
    public OverflowPolicy overflow(SourceSpec spec) {
        return PcapOptions.of(spec).live() ? OverflowPolicy.DROP : OverflowPolicy.BLOCK;
    }

    @Override
    public boolean isReadOnce(SourceSpec spec) {
        return CapturePath.isPipe(spec.path()) || isLive(spec);
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
        PcapOptions options = PcapOptions.of(spec);
        Path file = spec.path();
        if (options.follow()) {
            checkFollowed(spec);
        } else if (options.speed().isPresent() && Files.isDirectory(file)) {
            files(spec).forEach(PcapFactory::checkFile);
        } else {
            checkFile(spec);
        }
    }

    private static void checkFollowed(SourceSpec spec) {
        FollowedPath followed = FollowedPath.of(spec.path());
        if (followed.isExact()) {
            checkFile(spec);
        } else if (!Files.isReadable(followed.folder())) {
            throw Sources.unreadable(
                    spec, "is in no folder that can be read", "the folder must be there first");
        }
    }

    private static void checkFile(SourceSpec spec) {
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
    public List<SourceAdvice> advice(SourceSpec spec) {
        boolean folder = Files.isDirectory(spec.path());
        List<String> notes = folder ? CaptureFolder.of(spec).notes() : spec.notes();
        return notes.stream()
                .map(note -> new SourceAdvice(note, "--source pcap:FILE reads one of any name"))
                .toList();
    }

    @Override
    public Source open(List<SourceSpec> specs, int queue, SourceContext context) {
        OptionalDouble speed = PcapOptions.of(specs.get(0)).speed();
        return speed.isPresent()
                ? RecordedSpeed.open(
                        files(specs.get(0)), context, speed.getAsDouble(), Clock.SYSTEM)
                : new CaptureSource(specs, context);
    }
}
