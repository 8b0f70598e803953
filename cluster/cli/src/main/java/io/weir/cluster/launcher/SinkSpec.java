package io.weir.cluster.launcher;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * A sink as it is written: {@code [QUERY=]KIND:TARGET[?OPTION=VALUE&…]}. Each option is taken once.
 * An option that nobody took is an error ({@link #checkAllTaken}).
 */
final class SinkSpec {
    private static final List<String> KINDS = List.of("file", "prometheus", "alertmanager");
    private static final Pattern FORM =
            Pattern.compile("(?:([^=:?]+)=)?([a-z]+):([^?]+)(?:\\?(.*))?");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})(B|KB|MB|GB)");
    private static final Map<String, Integer> SHIFT = Map.of("B", 0, "KB", 10, "MB", 20, "GB", 30);

    private final String text;
    private final String query;
    private final String kind;
    private final String target;
    private final Map<String, String> options = new LinkedHashMap<>();
    private final List<String> known = new ArrayList<>();

    private SinkSpec(String text, Matcher matcher) {
        this.text = text;
        query = matcher.group(1);
        kind = matcher.group(2);
        target = matcher.group(3);
        if (!KINDS.contains(kind)) {
            String all = "the sinks are " + String.join(", ", KINDS);
            throw wrong("there is no sink " + kind, Suggestion.hint(kind, KINDS, all));
        }
        if (matcher.group(4) != null) {
            for (String option : matcher.group(4).split("&")) {
                option(option);
            }
        }
    }

    static SinkSpec parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--sink " + text + " is no sink",
                    "as in --sink file:rows?format=csv or --sink ddos=prometheus:9469");
        }
        return new SinkSpec(text, matcher);
    }

    private void option(String option) {
        int at = option.indexOf('=');
        if (at < 1) {
            throw wrong("'" + option + "' is not NAME=VALUE", null);
        }
        if (options.put(option.substring(0, at), option.substring(at + 1)) != null) {
            throw wrong(option.substring(0, at) + " is there twice", null);
        }
    }

    /** Returns the query whose rows it gets; empty: all. */
    Optional<String> query() {
        return Optional.ofNullable(query);
    }

    String kind() {
        return kind;
    }

    String target() {
        return target;
    }

    /** Returns the text without its options. */
    String title() {
        return kind + ":" + target;
    }

    Optional<String> text(String name) {
        known.add(name);
        return Optional.ofNullable(options.remove(name));
    }

    /** Returns all options whose names begin so, by the rest of their names. */
    Map<String, String> all(String prefix) {
        known.add(prefix + "NAME");
        Map<String, String> found = new LinkedHashMap<>();
        options.forEach(
                (name, value) -> {
                    if (name.startsWith(prefix)) {
                        found.put(name.substring(prefix.length()), value);
                    }
                });
        options.keySet().removeIf(name -> name.startsWith(prefix));
        return found;
    }

    int count(String name, int least, int otherwise) {
        Optional<String> value = text(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        if (!value.get().matches("\\d{1,9}") || Integer.parseInt(value.get()) < least) {
            throw wrong(name + "=" + value.get() + " is no number from " + least + " on", null);
        }
        return Integer.parseInt(value.get());
    }

    Duration duration(String name, Duration otherwise) {
        Optional<String> value = text(name);
        try {
            return value.isEmpty() ? otherwise : new DurationConverter().convert(value.get());
        } catch (TypeConversionException e) {
            throw wrong(name + ": " + e.getMessage(), null);
        }
    }

    long bytes(String name, long otherwise) {
        Optional<String> value = text(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        Matcher matcher = SIZE.matcher(value.get());
        if (!matcher.matches()) {
            throw wrong(name + "=" + value.get() + " is no size such as 64MB", null);
        }
        return Long.parseLong(matcher.group(1)) << SHIFT.get(matcher.group(2));
    }

    /** Fails if an option is left, after the sink has taken those that it knows. */
    void checkAllTaken() {
        for (String name : options.keySet()) {
            String all = "its options are " + String.join(", ", known);
            throw wrong(kind + " has no option " + name, Suggestion.hint(name, known, all));
        }
    }

    WeirException wrong(String problem, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, "--sink " + text + ": " + problem, hint);
    }
}
