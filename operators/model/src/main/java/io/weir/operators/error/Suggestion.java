package io.weir.operators.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that the user probably meant. */
public final class Suggestion {
    private static final int LONGEST = 64;

    private Suggestion() {}

    /** Returns {@code did you mean x?}, or the fallback when no name is near. */
    public static String hint(String name, Collection<String> known, String fallback) {
        return nearest(name, known).map(n -> "did you mean " + n + "?").orElse(fallback);
    }

    /** Returns the known name within an edit or two (a third of the length), if there is one. */
    public static Optional<String> nearest(String name, Collection<String> known) {
        int within = Math.max(1, Math.min(3, name.length() / 3));
        String wanted = name.toLowerCase();
        return wanted.length() > LONGEST
                ? Optional.empty()
                : known.stream()
                        .filter(k -> distance(wanted, k.toLowerCase()) <= within)
                        .min(
                                Comparator.comparingInt(
                                                (String k) -> distance(wanted, k.toLowerCase()))
                                        .thenComparing(Comparator.naturalOrder()));
    }

    /**
     * Returns the number of edits (insert, delete, replace, swap of neighbours) from one text to
     * the other.
     */
    static int distance(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : step(edits, a, b, i, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int step(int[][] edits, String a, String b, int i, int j) {
        int replaced = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        boolean swapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
    }
}
