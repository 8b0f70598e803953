package io.weir.operators.function;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;

/**
 * Regular expressions in RE2's syntax. A match takes time in proportion to the text, whatever the
 * expression. Compiled ones are kept, a bounded number of them. Any thread.
 */
public final class Regexes {
    /** Compiled expressions that are kept. */
    private static final int MOST = 1_000;

    /** The most copies of a letter that an expression stands for, which is its size in memory. */
    private static final long MOST_COPIES = 20_000;

    private static final java.util.regex.Pattern REPETITION =
            java.util.regex.Pattern.compile("\\{(\\d{1,9})(,(\\d{0,9}))?\\}");

    private static final Map<String, Optional<Pattern>> COMPILED = new ConcurrentHashMap<>();

    private Regexes() {}

    /** Returns whether a part of the text matches; false for what is no expression. */
    public static boolean matches(String text, String regex) {
        return compiled(regex).map(pattern -> pattern.matcher(text).find()).orElse(false);
    }

    /** Returns whether it is an expression, and not too large. */
    static boolean isOne(String regex) {
        return compiled(regex).isPresent();
    }

    private static Optional<Pattern> compiled(String regex) {
        Optional<Pattern> known = COMPILED.get(regex);
        if (known == null) {
            known = compile(regex);
            if (COMPILED.size() >= MOST) {
                COMPILED.clear();
            }
            COMPILED.put(regex, known);
        }
        return known;
    }

    private static Optional<Pattern> compile(String regex) {
        if (copies(regex) > MOST_COPIES) {
            return Optional.empty();
        }
        try {
            return Optional.of(Pattern.compile(regex));
        } catch (PatternSyntaxException notOne) {
            return Optional.empty();
        }
    }

    /** Bounds the letters after all repetitions are written out, as if each were in all others. */
    private static long copies(String regex) {
        long copies = regex.length();
        Matcher repetitions = REPETITION.matcher(regex);
        while (repetitions.find() && copies <= MOST_COPIES) {
            String most = repetitions.group(3);
            String count = most == null || most.isEmpty() ? repetitions.group(1) : most;
            copies *= Math.max(1, Long.parseLong(count));
        }
        return copies;
    }
}
