package io.weir.ingest.wire.afpacket;

import io.weir.ingest.source.Durations;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of an {@code afpacket:} source.
 *
 * @param queues that share the interface's packets by a hash of the flow
 * @param ringBytes of each queue
 * @param blockMs the longest time that a packet waits in the kernel for others
 * @param snap captured bytes of a frame
 * @param direction 0 both, 1 in, 2 out
 * @param hardware whether the card's stamps count
 * @param all whether it reads all interfaces
 */
record AfPacketOptions(
        int queues,
        long ringBytes,
        long blockMs,
        int snap,
        boolean promiscuous,
        int direction,
        boolean hardware,
        boolean all) {
    /** The name of all interfaces, as tcpdump has it. */
    private static final String ALL = "any";

    private static final String QUEUES = "queues";
    private static final String RING = "ring";
    private static final String BLOCK = "block";
    private static final String SNAP = "snap";
    private static final String PROMISCUOUS = "promiscuous";
    private static final String DIRECTION = "direction";
    private static final String STAMPS = "stamps";

    static final Set<String> NAMES =
            Set.of(QUEUES, RING, BLOCK, SNAP, PROMISCUOUS, DIRECTION, STAMPS);

    private static final Pattern SIZE =
            Pattern.compile("(\\d{1,12})\\s?([kmg]?)(?:i?b)?", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = " kmg";
    private static final List<String> DIRECTIONS = List.of("both", "in", "out");

    private static final int MOST_QUEUES = 64;
    private static final int MOST_SNAP = 262_144;
    private static final long LEAST_BLOCK_BYTES = 1 << 18;
    private static final long MOST_RING_BYTES = 1L << 32;
    private static final long LEAST_BLOCKS = 4;
    private static final Duration LONGEST_BLOCK = Duration.ofSeconds(1);

    /** The headers of a frame in the kernel's block, and more. */
    private static final int OVERHEAD_BYTES = 4096;

    /**
     * @throws WeirException INVALID_OPTION
     */
    static AfPacketOptions of(SourceSpec spec) {
        AfPacketOptions options =
                new AfPacketOptions(
                        (int) number(spec, QUEUES, 1, 1, MOST_QUEUES),
                        bytes(spec),
                        blockMs(spec),
                        (int) number(spec, SNAP, 256, 64, MOST_SNAP),
                        isTrue(spec, PROMISCUOUS),
                        choice(spec, DIRECTION, DIRECTIONS),
                        choice(spec, STAMPS, List.of("software", "hardware")) == 1,
                        isAll(spec));
        if (options.all && options.hardware) {
            throw invalid(STAMPS, "hardware", "with all interfaces the kernel stamps");
        }
        long least = LEAST_BLOCKS * options.blockBytes();
        if (options.ringBytes < least) {
            throw invalid(RING, spec.option(RING).orElse(""), "at least " + least + " bytes");
        }
        return options;
    }

    /** Returns whether a source reads all interfaces. */
    static boolean isAll(SourceSpec spec) {
        return spec.address().equals(ALL);
    }

    /** Returns the size of a block, which holds several frames. */
    long blockBytes() {
        long least = Math.max(LEAST_BLOCK_BYTES, snap + (long) OVERHEAD_BYTES);
        return Long.highestOneBit(least - 1) << 1;
    }

    private static long number(SourceSpec spec, String name, long standard, long from, long to) {
        String text = spec.option(name).orElse("" + standard);
        long value = text.matches("\\d{1,9}") ? Long.parseLong(text) : -1;
        if (value < from || value > to) {
            throw invalid(name, text, "from " + from + " to " + to);
        }
        return value;
    }

    private static long bytes(SourceSpec spec) {
        String text = spec.option(RING).orElse("64MB");
        Matcher size = SIZE.matcher(text);
        long bytes = 0;
        if (size.matches()) {
            String unit = size.group(2).isEmpty() ? " " : size.group(2).toLowerCase(Locale.ROOT);
            int shift = 10 * UNITS.indexOf(unit);
            bytes = Math.min(Long.parseLong(size.group(1)), MOST_RING_BYTES) << shift;
        }
        if (bytes <= 0 || bytes > MOST_RING_BYTES) {
            throw invalid(RING, text, "a size such as 64MB, up to 4GB");
        }
        return bytes;
    }

    private static long blockMs(SourceSpec spec) {
        String text = spec.option(BLOCK).orElse("10ms");
        Duration time = Durations.parse(text).orElse(Duration.ZERO);
        if (time.toMillis() < 1 || time.compareTo(LONGEST_BLOCK) > 0) {
            throw invalid(BLOCK, text, "a time from 1ms to 1s");
        }
        return time.toMillis();
    }

    private static boolean isTrue(SourceSpec spec, String name) {
        return choice(spec, name, List.of("true", "false")) == 0;
    }

    private static int choice(SourceSpec spec, String name, List<String> choices) {
        String text = spec.option(name).orElse(choices.get(0));
        int choice = choices.indexOf(text);
        if (choice < 0) {
            throw invalid(name, text, String.join(", ", choices));
        }
        return choice;
    }

    private static WeirException invalid(String name, String value, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, name + "=" + value + " cannot be", hint);
    }
}
