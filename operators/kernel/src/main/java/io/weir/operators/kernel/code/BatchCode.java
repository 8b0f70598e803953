package io.weir.operators.kernel.code;

import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The batch between a kernel's two methods. It has the words of an entry that {@code run} writes
 * and {@code update} reads, each at the address {@code entry}.
 */
final class BatchCode {
    private static final Pattern CONSTANT = Pattern.compile("true|false|\\(?-?[0-9.]+L?\\)?");

    private static final String NO_END = "Long.MAX_VALUE";

    /** The code that run writes to each word; empty for words that run does not write. */
    private final List<String> words = new ArrayList<>();

    private final Map<String, String> known = new HashMap<>();
    private String most = "Batch.SIZE";
    private boolean collects;
    private int ownBytes;

    /** Sets a lower bound for the entries at a time than their size allows. */
    void atMost(int entries) {
        most = Integer.toString(entries);
    }

    /** Sets the size of entries that other code writes. */
    void fit(int bytes) {
        ownBytes = bytes;
        collects = true;
    }

    /** Keeps a long, and returns its expression in update. Equal code is kept once. */
    String keep(String code) {
        return CONSTANT.matcher(code).matches()
                ? code
                : known.computeIfAbsent(code, c -> word(reserve(List.of(c))));
    }

    /** Keeps a boolean. */
    String keepTruth(String code) {
        String kept = keep(Text.choose(code, "1L", "0L"));
        return switch (kept) {
            case "1L" -> "true";
            case "0L" -> "false";
            default -> "(" + kept + " != 0L)";
        };
    }

    /** Keeps a value that is not NULL. */
    Value keep(Value value) {
        if (value.kind() == Kind.BOOLEAN) {
            return Value.of(value.kind(), keepTruth(value.code()));
        } else if (value.kind() == Kind.DOUBLE) {
            String bits = keep("Double.doubleToRawLongBits(" + value.code() + ")");
            return Value.of(value.kind(), "Double.longBitsToDouble(" + bits + ")");
        }
        return value.mapWords(this::keep);
    }

    /**
     * Keeps a key for a map, after a word that the map uses. Returns the bytes from the entry to
     * the key.
     */
    int keepKey(List<String> codes) {
        reserve(List.of(""));
        return reserve(codes);
    }

    /** Returns the code that run writes to each word of an entry, empty if it writes none. */
    List<String> words() {
        return List.copyOf(words);
    }

    /** Returns the bytes from an entry to a kept word; -1 if it is not one. */
    int offset(String kept) {
        for (int w = 0; w < words.size(); w++) {
            if (word(w * Long.BYTES).equals(kept)) {
                return w * Long.BYTES;
            }
        }
        return -1;
    }

    /** Bytes from the entry to words that follow each other. */
    private int reserve(List<String> codes) {
        int offset = words.size() * Long.BYTES;
        words.addAll(codes);
        return offset;
    }

    /**
     * Reserves room for a key that update computes itself. Returns the bytes from the entry to it.
     */
    int scratch(int keyWords) {
        return reserve(Collections.nCopies(keyWords, ""));
    }

    private static String word(int offset) {
        return "Memory.getLong(" + Text.at("entry", offset) + ")";
    }

    int entryBytes() {
        return ownBytes > 0 ? ownBytes : Math.max(1, words.size()) * Long.BYTES;
    }

    /** Returns whether anything is collected. */
    boolean isUsed() {
        return collects;
    }

    /** Declares the locals of run. They have values if a pane has been entered. */
    void declare(Block method, boolean entered) {
        method.line("long entry = " + (entered ? next() : "0L") + ";");
        method.line("long end = " + (entered ? end() : NO_END) + ";");
    }

    /** Takes the current pane's batch. */
    void select(Block block) {
        block.line("entry = " + next() + ";").line("end = " + end() + ";");
    }

    /** Without a pane there is no batch, and the batch is never full. */
    static void deselect(Block block) {
        block.line("end = " + NO_END + ";");
    }

    private String next() {
        return "batch(panes, " + entryBytes() + ").next()";
    }

    private String end() {
        return "panes.batch().end(" + most + ")";
    }

    /** Stores how far run has come. */
    static void leave(Block block) {
        block.line("panes.batch().next(entry);");
    }

    /** Adds an entry. There is room. */
    void collect(Block block) {
        collects = true;
        for (int w = 0; w < words.size(); w++) {
            if (!words.get(w).isEmpty()) {
                String at = Text.at("entry", w * Long.BYTES);
                block.line("Memory.putLong(" + at + ", " + Text.unwrap(words.get(w)) + ");");
            }
        }
        block.line("entry += " + entryBytes() + ";");
    }

    /** Returns the condition that there is no room for so many more. */
    String lacks(String entries) {
        int bytes = entryBytes();
        return switch (entries) {
            case "1" -> "entry >= end";
            case "count" -> "entry > end - count * " + bytes;
            default -> "entry > end - " + Integer.parseInt(entries) * bytes;
        };
    }

    /** Puts the batch into the tables. */
    static void flush(Block block) {
        block.line("entry = updateBatch(panes, entry);");
    }

    /** Head of a loop over so many entries. */
    String loop(String count) {
        String step = "i++, entry += " + entryBytes();
        return "for (long entry = batch.start(); i < " + count + "; " + step + ")";
    }
}
