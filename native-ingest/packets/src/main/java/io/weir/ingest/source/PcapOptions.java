package io.weir.ingest.source;

import io.weir.ingest.capture.CapturePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The options of a {@code pcap:} source.
 *
 * @param live whether a pipe's packets do not wait for room
 * @param follow whether it goes on when the file grows, and with the next file
 * @param speed seconds of the capture that pass in one; empty: as fast as it is read
 */
record PcapOptions(boolean live, boolean follow, OptionalDouble speed) {
    static final String LIVE = "live";
    static final String FOLLOW = "follow";
    static final String SPEED = "speed";
    static final Set<String> NAMES = Set.of(LIVE, FOLLOW, SPEED);

    /** The least and the greatest speed: times must not leave 64 bits. */
    private static final double LEAST = 1e-6;

    private static final double MOST = 1e6;

    /**
     * @throws io.weir.operators.error.WeirException INVALID_OPTION
     */
    static PcapOptions of(SourceSpec spec) {
        return new PcapOptions(flag(spec, LIVE), flag(spec, FOLLOW), speed(spec));
    }

    private static boolean flag(SourceSpec spec, String name) {
        String value = spec.option(name).orElse("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw Sources.invalid(
                    name + "=" + value + " cannot be", name + "=true or " + name + "=false");
        }
        return value.equals("true");
    }

    private static OptionalDouble speed(SourceSpec spec) {
        if (spec.option(SPEED).isEmpty()) {
            return OptionalDouble.empty();
        }
        String text = spec.option(SPEED).get();
        double factor = Double.NaN;
        try {
            factor = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            factor = Double.NaN; // as a number that cannot be
        }
        if (factor >= LEAST && factor <= MOST) {
            return OptionalDouble.of(factor);
        }
        throw Sources.invalid(
                "speed=" + text + " cannot be",
                "seconds of the capture that pass in one: 1, 0.5 or 60; leave it out to read as fast"
                        + " as possible");
    }

    /** Returns whether its packets come at their own time. */
    boolean isLive() {
        return live || follow || speed.isPresent();
    }

    /** Fails if options do not go together, or not with this file. */
    void check(Path path) {
        boolean pipe = CapturePath.isPipe(path);
        if (live && (follow || speed.isPresent())) {
            throw Sources.invalid(
                    "live=true cannot be with follow or speed", "live=true is for a pipe alone");
        }
        if (follow && speed.isPresent()) {
            throw Sources.invalid(
                    "follow=true cannot be with speed",
                    "a file that grows has the speed of its writer");
        }
        if (live && Files.exists(path) && !pipe) {
            throw Sources.invalid(
                    path + " is no pipe: live=true cannot be",
                    "follow=true goes on with a file that grows; speed=1 replays one");
        }
        if (pipe && (follow || speed.isPresent())) {
            throw Sources.invalid(
                    CapturePath.name(path) + " is a pipe: it has the speed of its writer",
                    "leave follow and speed out");
        }
    }
}
