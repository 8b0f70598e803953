package io.weir.operators.kernel.code;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Copies columns of packets from GPVs into a batch. An entry has the columns of a packet that are
 * needed, as narrow as in a tuple. It always copies eight packets, however many the GPV has: that
 * is faster than to guess the end of a short loop. The next GPV's packets overwrite the surplus.
 */
final class ShortTuples implements Variables {
    /** Packets that are copied at a time. */
    static final int STEP = 8;

    /** With more words than this the code for eight packets is too large for HotSpot's limit. */
    private static final int MOST_UNROLLED = 6;

    private static final Pattern CONSTANT = Pattern.compile("[0-9]+L?");

    private final GpvLayout layout;
    private final GpvInput gpvs;
    private final Names names;
    private final Block each = new Block();
    private final Map<String, Value> loaded = new HashMap<>();
    private final Map<Integer, Integer> places = new HashMap<>();

    private final List<Copy> copies = new ArrayList<>();

    /** A word of an entry. */
    private interface Copy {
        /** Returns the line that copies the word from a tuple into the entry at an offset. */
        String line(String entry, int offset, String tuple);
    }

    private int bytes;
    private int align = 1;

    ShortTuples(GpvLayout layout, GpvInput gpvs, Names names) {
        this.layout = layout;
        this.gpvs = gpvs;
        this.names = names;
    }

    /** Returns the block in which the columns of the packet at {@code entry} become locals. */
    Block each() {
        return each;
    }

    /** Each column belongs to the packet here. */
    @Override
    public boolean isPerPacket(Expr.Variable variable) {
        return true;
    }

    @Override
    public Value value(Expr.Variable variable) {
        return loaded.computeIfAbsent(variable.name(), name -> load(variable));
    }

    private Value load(Expr.Variable variable) {
        String name = variable.name();
        Field field = layout.field(name).orElse(null);
        if (field != null && field.place() == Field.Place.TUPLE) {
            int at = places.computeIfAbsent(field.offset(), offset -> copy(field));
            return Value.of(variable.type().kind(), local(name, gpvs.load(field.at(at), "entry")));
        } else if (name.equals("ts")) {
            int at = place(Long.BYTES);
            copies.add((entry, to, tuple) -> put("Long", entry, to + at, gpvs.timeAt(tuple)));
            return Value.of(variable.type().kind(), local(name, word(at)));
        }
        return gpvs.value(variable).mapWords(code -> ofHeader(name, code));
    }

    /** Returns the value of a header column, which is the same for all packets of a GPV. */
    private String ofHeader(String name, String code) {
        if (CONSTANT.matcher(code).matches()) {
            return code;
        }
        int at = place(Long.BYTES);
        copies.add((entry, to, tuple) -> put("Long", entry, to + at, code));
        return local(name, word(at));
    }

    private int copy(Field field) {
        int at = place(field.loadBytes());
        String type = GpvInput.type(field.loadBytes());
        copies.add(
                (entry, to, tuple) -> {
                    String word = "Memory.get" + type + "(" + Text.at(tuple, field.offset()) + ")";
                    return put(type, entry, to + at, word);
                });
        return at;
    }

    private int place(int size) {
        int at = (bytes + size - 1) / size * size;
        bytes = at + size;
        align = Math.max(align, size);
        return at;
    }

    private String local(String name, String code) {
        String local = names.fresh(name);
        each.line("long " + local + " = " + code + ";");
        return local;
    }

    private static String word(int at) {
        return "Memory.getLong(" + Text.at("entry", at) + ")";
    }

    private static String put(String type, String entry, int at, String code) {
        return "Memory.put" + type + "(" + Text.at(entry, at) + ", " + code + ");";
    }

    /** Returns the bytes of an entry. They are known once all columns have been requested. */
    int entryBytes() {
        return Math.max(1, (bytes + align - 1) / align * align);
    }

    /** Copies the packets at {@code from}, eight of them. */
    void copy(Block block) {
        if (areTuples()) {
            for (int at = 0; at < STEP * entryBytes(); at += Long.BYTES) {
                String word = "Memory.getLong(" + Text.at("from", at) + ")";
                block.line("Memory.putLong(" + Text.at("entry", at) + ", " + word + ");");
            }
            return;
        }
        if (copies.size() > MOST_UNROLLED) {
            String head = "for (long tuple = from, into = entry; into != entry + %d; %s)";
            String step = "tuple += " + layout.tupleBytes() + ", into += " + entryBytes();
            Block loop = block.braces(head.formatted(STEP * entryBytes(), step));
            copies.forEach(copy -> loop.line(copy.line("into", 0, "tuple")));
            return;
        }
        for (int k = 0; k < STEP; k++) {
            String tuple = Text.at("from", (long) k * layout.tupleBytes());
            for (Copy copy : copies) {
                block.line(copy.line("entry", k * entryBytes(), tuple));
            }
        }
    }

    /** Returns whether entries are whole tuples, so that several can be copied at once. */
    private boolean areTuples() {
        return copies.size() == places.size()
                && entryBytes() == layout.tupleBytes()
                && places.entrySet().stream().allMatch(e -> e.getKey().equals(e.getValue()));
    }

    /**
     * Returns the expression that is 0 and so many bytes, a power of two, in turn from entry to
     * entry.
     */
    String inTurn(int size) {
        int step = Integer.lowestOneBit(entryBytes());
        String bit = "(entry & " + step + "L)";
        return size < step
                ? bit + " / " + step / size + "L"
                : size == step ? bit : bit + " * " + size / step + "L";
    }
}
