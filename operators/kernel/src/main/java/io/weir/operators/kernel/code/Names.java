package io.weir.operators.kernel.code;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Gives out Java identifiers, each once in a generated class. */
final class Names {
    private static final Set<String> RESERVED =
            Set.of(
                    """
                    abstract assert boolean break byte case catch char class const continue default
                    do double else enum extends final finally float for goto if implements import
                    instanceof int interface long native new package private protected public
                    return short static strictfp super switch synchronized this throw throws
                    transient try void volatile while true false null
                    panes address gpvs rows node next gpv row tuple count start packets inactive
                    full groups slot from to first last matched paneStart paneEnd time lost g p r
                    entry value into context windowStartNs windowEndNs gateFrom gateUntil batch
                    endNs index record rowsOfPane lastTime pane n i o made counted end other away near stop all m table
                    keys masks\
                    """
                            .split("\\s+"));

    private static final Pattern NUMBERED = Pattern.compile("(literal|seen)\\d.*");

    private final Map<String, Integer> used = new HashMap<>();

    /**
     * Returns a name in Java's style for one like {@code sql_name}: {@code sqlName}, or {@code
     * sqlName2}.
     */
    String fresh(String wanted) {
        String base = camel(wanted);
        if (RESERVED.contains(base) || NUMBERED.matcher(base).matches()) {
            base += "Value";
        }
        int times = used.merge(base, 1, Integer::sum);
        if (times == 1) {
            return base;
        }
        return fresh(base + times);
    }

    private static String camel(String name) {
        StringBuilder text = new StringBuilder();
        boolean up = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = c < 128 && Character.isLetterOrDigit(c);
            if (letter && !(text.isEmpty() && Character.isDigit(c))) {
                text.append(up ? Character.toUpperCase(c) : c);
            }
            up = !letter && !text.isEmpty();
        }
        return text.isEmpty() ? "value" : text.toString();
    }
}
