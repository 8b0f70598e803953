package io.weir.ingest.source;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads sources from text and checks them. Knows the factories of all schemes. Any thread. */
public final class Sources {
    private static final Pattern URI = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):([^?]*)(\\?.*)?");
    private static final Pattern NODE = Pattern.compile("[\\w.:-]{1,64}");
    private static final String NODE_OPTION = "node";
    public static final Duration LONGEST_LATENESS =
            Duration.ofNanos(SourceConfig.LONGEST_LATENESS_NS);
    public static final Duration LONGEST_TIMEOUT = Duration.ofHours(10);

    private static final Map<String, SourceFactory> FACTORIES = factories();

    private Sources() {}

    private static Map<String, SourceFactory> factories() {
        Map<String, SourceFactory> factories = new TreeMap<>();
        ClassLoader loader = Sources.class.getClassLoader();
        for (SourceFactory factory : ServiceLoader.load(SourceFactory.class, loader)) {
            factories.put(factory.scheme(), factory);
        }
        return factories;
    }

    /**
     * Reads a URI: {@code scheme:address?option=value&option=value}. In the address and in values
     * {@code %3F} means a question mark; any byte can be written so.
     *
     * @param defaultNode of one without the option {@code node}
     * @return the sources that it names; at least one
     * @throws WeirException INVALID_OPTION, UNREADABLE_INPUT
     */
    public static List<SourceSpec> parse(String uri, String defaultNode) {
        Matcher parts = URI.matcher(uri);
        if (!parts.matches()) {
            throw invalid(
                    uri + " is no source: a scheme and a colon are missing",
                    "pcap:" + uri + " reads a capture file; the schemes are " + schemes());
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        SourceFactory factory = FACTORIES.get(scheme);
        if (factory == null) {
            throw invalid(
                    "there is no source " + scheme + ":",
                    Suggestion.hint(scheme, FACTORIES.keySet(), "the schemes are " + schemes()));
        }
        Map<String, String> options = options(factory, uri, parts.group(3));
        String node = options.getOrDefault(NODE_OPTION, defaultNode);
        options.remove(NODE_OPTION);
        checkNode(node);
        checkTime(options, SourceSpec.LATENESS, LONGEST_LATENESS);
        checkTime(options, SourceSpec.TIMEOUT, LONGEST_TIMEOUT);
        String address = decoded(parts.group(2), uri);
        return factory.sources(new SourceSpec(scheme, address, node, options));
    }

    private static String schemes() {
        return String.join(", ", FACTORIES.keySet());
    }

    private static Map<String, String> options(SourceFactory factory, String uri, String query) {
        Set<String> known = new TreeSet<>(factory.options());
        known.add(NODE_OPTION);
        known.add(SourceSpec.LATENESS);
        known.add(SourceSpec.TIMEOUT);
        Map<String, String> options = new TreeMap<>();
        if (query == null || query.length() == 1) {
            return options;
        }
        for (String option : query.substring(1).split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (!known.contains(name)) {
                throw invalid(
                        factory.scheme() + ": takes no option '" + name + "'",
                        Suggestion.hint(
                                name, known, "its options are " + String.join(", ", known)));
            }
            if (equals < 0) {
                throw invalid("the option " + name + " has no value", name + "=…");
            }
            if (options.put(name, decoded(option.substring(equals + 1), uri)) != null) {
                throw invalid("the option " + name + " is given twice", "give it once");
            }
        }
        return options;
    }

    private static void checkTime(Map<String, String> options, String name, Duration most) {
        String text = options.get(name);
        if (text == null) {
            return;
        }
        Optional<Duration> time = Durations.parse(text);
        if (time.isEmpty() || time.get().compareTo(most) > 0) {
            throw invalid(
                    name + "=" + text + " cannot be",
                    "a time such as 250ms or 2s, up to " + most.toHours() + "h");
        }
    }

    private static void checkNode(String node) {
        if (!NODE.matcher(node).matches()) {
            throw invalid(
                    "node=" + node + " cannot be",
                    "up to 64 letters, digits, and any of _ . : -, as node=tap1");
        }
    }

    private static String decoded(String text, String uri) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                out.write(bytes[i]);
                continue;
            }
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw invalid("in " + uri + " % is not followed by two hex digits", "% is %25");
            }
            out.write(high * 16 + low);
            i += 2;
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    static WeirException invalid(String what, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, what, hint);
    }

    static SourceFactory factory(String scheme) {
        SourceFactory factory = FACTORIES.get(scheme);
        if (factory == null) {
            throw new IllegalArgumentException("there is no source " + scheme + ":");
        }
        return factory;
    }

    private static SourceFactory factory(SourceSpec spec) {
        return factory(spec.scheme());
    }

    /**
     * Returns the receive queues of all: each live source has its own, finite sources share one.
     */
    public static int queues(List<SourceSpec> specs) {
        return isLive(specs)
                ? specs.stream().mapToInt(spec -> factory(spec).queues(spec)).sum()
                : 1;
    }

    /** Returns whether they are live: all of them are, or none. */
    public static boolean isLive(List<SourceSpec> specs) {
        return !specs.isEmpty() && specs.get(0).isLive();
    }

    /** Returns whether some can be read only once. */
    public static boolean isReadOnce(List<SourceSpec> specs) {
        return specs.stream().anyMatch(SourceSpec::isReadOnce);
    }

    /**
     * Opens the finite sources of an engine at once; one thread merges them by time.
     *
     * @throws WeirException as {@link SourceFactory#open}
     */
    public static Source open(List<SourceSpec> specs, SourceContext context) {
        return factory(specs.get(0)).open(specs, 0, context);
    }

    /** Names sources that have no names yet: source1, source2 and so on. */
    public static Map<String, SourceSpec> named(List<SourceSpec> specs) {
        Map<String, SourceSpec> named = new LinkedHashMap<>();
        specs.forEach(spec -> named.put("source" + (named.size() + 1), spec));
        return named;
    }

    /**
     * Fails if one of these cannot be read at all, so that no query starts in vain. Fails also if
     * one that can be read only once is named twice, or if they cannot be in one engine.
     */
    public static void checkAll(List<SourceSpec> specs) {
        specs.forEach(spec -> factory(spec).check(spec));
        for (int i = 0; i < specs.size(); i++) {
            for (int j = 0; j < i; j++) {
                checkPair(specs.get(i), specs.get(j));
            }
        }
    }

    private static void checkPair(SourceSpec spec, SourceSpec other) {
        if (spec.isReadOnce() && isSame(spec, other)) {
            throw unreadable(spec, "is named twice", "a pipe can be read only once");
        }
        if (spec.isLive() != other.isLive()) {
            SourceSpec live = spec.isLive() ? spec : other;
            SourceSpec finite = spec.isLive() ? other : spec;
            throw unreadable(
                    finite,
                    "is finite, and " + live.name() + " is live",
                    "the sources of one process are all live or all finite");
        }
        if (!spec.isLive() && !spec.scheme().equals(other.scheme())) {
            throw unreadable(
                    spec,
                    "cannot be read with " + other.name(),
                    "finite sources of one process have one scheme");
        }
    }

    /** Fails if a worker cannot count these: a pipe is not alone, or as {@link #checkAll}. */
    public static void checkWorker(List<SourceSpec> specs) {
        checkAll(specs);
        for (SourceSpec spec : specs) {
            if (spec.option(PcapOptions.SPEED).isPresent()) {
                throw unreadable(
                        spec,
                        "has a speed, which is an option of the worker",
                        "weir worker --speed " + spec.option(PcapOptions.SPEED).get());
            }
            if (spec.isReadOnce() && !spec.isLive() && specs.size() > 1) {
                throw unreadable(
                        spec,
                        "is a pipe, and cannot be beside other captures of a worker",
                        "a worker for each pipe, with a --node-id of its own");
            }
        }
    }

    /** Fails if it cannot be read again and again. */
    public static void checkReadAgain(SourceSpec spec) {
        factory(spec).check(spec);
        if (spec.isReadOnce()) {
            throw unreadable(
                    spec,
                    "is no file, and is read more than once here",
                    "write the capture to a file first; weir run and weir worker read pipes");
        }
    }

    /** Returns whether both name the same thing. */
    public static boolean isSame(SourceSpec one, SourceSpec other) {
        return one.scheme().equals(other.scheme()) && factory(one).isSame(one, other);
    }

    static WeirException unreadable(SourceSpec spec, String problem, String hint) {
        return new WeirException(ErrorCode.UNREADABLE_INPUT, spec.name() + " " + problem, hint);
    }
}
