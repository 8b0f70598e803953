package io.weir.operators.function;

import io.weir.operators.graph.MacText;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Functions of texts for the interpreter: lists of characters, and Java's own library. */
final class PlainTexts {
    private PlainTexts() {}

    private static List<String> letters(Object text) {
        List<String> letters = new ArrayList<>();
        ((String) text).codePoints().forEach(c -> letters.add(Character.toString(c)));
        return letters;
    }

    static Object concat(Object... a) {
        String both = a[0] + (String) a[1];
        return both.length() > Texts.MOST ? null : both;
    }

    static String upper(Object... a) {
        StringBuilder text = new StringBuilder();
        for (String letter : letters(a[0])) {
            String upper = letter.toUpperCase(Locale.ROOT);
            text.append(letters(upper).size() == 1 ? upper : letter);
        }
        return text.toString();
    }

    static String lower(Object... a) {
        StringBuilder text = new StringBuilder();
        for (String letter : letters(a[0])) {
            String lower = letter.toLowerCase(Locale.ROOT);
            text.append(letters(lower).size() == 1 ? lower : letter);
        }
        return text.toString();
    }

    /** Asks of each character whether it is wanted. */
    static String substring(Object... a) {
        List<String> letters = letters(a[0]);
        StringBuilder text = new StringBuilder();
        for (int place = 1; place <= letters.size(); place++) {
            long first = (Long) a[1];
            boolean reached = place >= first;
            boolean passed = a.length == 3 && hasPassed(place, first, (Long) a[2]);
            text.append(reached && !passed ? letters.get(place - 1) : "");
        }
        return text.toString();
    }

    private static boolean hasPassed(long place, long first, long count) {
        BigInteger before = BigInteger.valueOf(place).subtract(BigInteger.valueOf(first));
        return before.compareTo(BigInteger.valueOf(count)) >= 0;
    }

    static Long position(Object... a) {
        List<String> part = letters(a[0]);
        List<String> text = letters(a[1]);
        for (int at = 0; at + part.size() <= text.size(); at++) {
            if (text.subList(at, at + part.size()).equals(part)) {
                return at + 1L;
            }
        }
        return 0L;
    }

    static String trim(Object[] a, boolean start, boolean end) {
        List<String> text = letters(a[0]);
        List<String> unwanted = letters(a[1]);
        while (start && !text.isEmpty() && unwanted.contains(text.get(0))) {
            text.remove(0);
        }
        while (end && !text.isEmpty() && unwanted.contains(text.get(text.size() - 1))) {
            text.remove(text.size() - 1);
        }
        return String.join("", text);
    }

    /** Makes a regular expression of the pattern. */
    static Boolean like(Object... a) {
        List<String> pattern = letters(a[1]);
        String escape = a.length == 3 && !((String) a[2]).isEmpty() ? letters(a[2]).get(0) : null;
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.size(); i++) {
            String letter = pattern.get(i);
            if (letter.equals(escape) && i + 1 < pattern.size()) {
                regex.append(Pattern.quote(pattern.get(++i)));
            } else if (letter.equals("%")) {
                regex.append(".*");
            } else {
                regex.append(letter.equals("_") ? "." : Pattern.quote(letter));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher((String) a[0]).matches();
    }

    static Boolean starts(Object... a) {
        return position(a[1], a[0]) == 1;
    }

    static Boolean ends(Object... a) {
        List<String> text = letters(a[0]);
        int from = text.size() - letters(a[1]).size();
        return from >= 0 && text.subList(from, text.size()).equals(letters(a[1]));
    }

    static Boolean contains(Object... a) {
        return position(a[1], a[0]) > 0;
    }

    /** Java's expressions mean the same as RE2's, as far as both have them. */
    static Boolean regexp(Object... a) {
        return Regexes.isOne((String) a[1])
                && Pattern.compile((String) a[1]).matcher((String) a[0]).find();
    }

    static String time(Object ns) {
        long second = Math.floorDiv((Long) ns, 1_000_000_000L);
        Instant time = Instant.ofEpochSecond(second, Math.floorMod((Long) ns, 1_000_000_000L));
        return DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT)
                .format(time.atOffset(ZoneOffset.UTC));
    }

    static String mac(Object address) {
        return MacText.format((Long) address);
    }
}
