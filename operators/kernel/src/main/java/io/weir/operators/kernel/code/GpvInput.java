package io.weir.operators.kernel.code;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.TupleMatch;
import io.weir.operators.gpv.TupleSum;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Columns of packets as loads from GPVs of one layout, each loaded once into a local. */
final class GpvInput implements Input {
    private static final long ETYPE_V4 = 0x0800;
    private static final long ETYPE_V6 = 0x86dd;

    /** Field and local of {@link TupleSum#masksOfAll}. */
    private static final String MASKS = "masks";

    private final GpvLayout layout;
    private final Names names;
    private final Block top = new Block();
    private final Block outer = new Block();
    private final Block inner = new Block();
    private final Map<String, Value> loaded = new HashMap<>();
    private final Map<Field, String> fieldMasks = new LinkedHashMap<>();
    private final GatherCode gather;

    /** Name of the field and local of {@link TupleMatch#left}; null if nothing is matched. */
    private String left;

    private boolean sumsWords;
    private boolean startLoaded;
    private boolean timed;
    private GpvInput first = this;
    private GpvInput header = this;
    private Supplier<String> node = () -> "node";

    GpvInput(GpvLayout layout, Names names) {
        this.layout = layout;
        this.names = names;
        gather = new GatherCode(layout);
    }

    @Override
    public GatherCode gather() {
        return gather;
    }

    /**
     * Returns an input that reads the same GPVs a second time in other code.
     *
     * @param nodeThere returns the code for the symbol of their node there
     */
    GpvInput again(Supplier<String> nodeThere) {
        GpvInput again = new GpvInput(layout, names);
        again.node = nodeThere;
        again.first = this;
        return again;
    }

    /**
     * Returns an input for the same GPVs in the same place, with another loop over their packets.
     */
    GpvInput packets() {
        GpvInput packets = new GpvInput(layout, names);
        packets.header = this;
        return packets;
    }

    /** Address of a GPV's first tuple. */
    String firstTuple() {
        return "gpv + " + layout.headerBytes();
    }

    /**
     * Writes a loop over the tuples from one address to another. Its condition stands inside.
     * HotSpot may stop the thread at the jump back, and would compute a condition there twice each
     * time.
     */
    Block loop(Block block, String first, String end) {
        String head = "for (long tuple = " + first + "; ; tuple += " + layout.tupleBytes() + ")";
        Block loop = block.braces(head);
        loop.braces("if (tuple == " + end + ")").line("break;");
        return loop;
    }

    /** Writes a loop over the remaining tuples, from {@code from} to {@code to}. */
    Block rest(Block block) {
        Block loop = block.braces("for (; from != to; from += " + layout.tupleBytes() + ")");
        return loop.line("long tuple = from;");
    }

    /** Returns the expression for the number of packets in the GPVs from one address to another. */
    String packets(String first, String end, String gpvs) {
        String headers = gpvs + " * " + layout.headerBytes() + "L";
        return "(%s - %s - %s) / %d".formatted(end, first, headers, layout.tupleBytes());
    }

    /** Returns the expression for the number of tuples between two addresses. */
    String tuples(String first, String end) {
        return "(" + end + " - " + first + ") / " + layout.tupleBytes();
    }

    /** The very first lines for each GPV. */
    Block top() {
        return header.top;
    }

    @Override
    public Block outer() {
        return header.outer;
    }

    @Override
    public Block inner() {
        return inner;
    }

    @Override
    public String count() {
        return "count";
    }

    @Override
    public Optional<String> sum(Expr.Variable column) {
        Field field = layout.field(column.name()).orElse(null);
        if (field != null && isWord(field)) {
            sumsWords = true;
            String call = "TupleSum.ofWords(%s, count, %d, %s)";
            String word = Text.at("from", field.offset());
            return Optional.of(call.formatted(word, layout.tupleBytes(), MASKS));
        }
        boolean lanes =
                field != null
                        && field.place() == Field.Place.TUPLE
                        && layout.tupleBytes() == Integer.BYTES
                        && layout.order() == ByteOrder.BIG_ENDIAN
                        && field.loadBytes() == Integer.BYTES
                        && field.shift() + field.bits() <= TupleSum.MOST_BITS;
        if (!lanes) {
            return Optional.empty();
        }
        String masks = masks(field);
        return Optional.of("TupleSum.of(from, count, %d, %s)".formatted(field.shift(), masks));
    }

    private boolean isWord(Field field) {
        return field.place() == Field.Place.TUPLE
                && layout.order() == ByteOrder.LITTLE_ENDIAN
                && field.loadBytes() == Integer.BYTES
                && field.bits() == Integer.SIZE;
    }

    @Override
    public Optional<String> countOf(Match match, LongFunction<String> literal) {
        Field field = layout.field(match.column().name()).orElse(null);
        boolean lanes =
                field != null
                        && field.place() == Field.Place.TUPLE
                        && layout.order() == ByteOrder.LITTLE_ENDIAN
                        && field.loadBytes() == Short.BYTES
                        && field.bits() == Short.SIZE;
        if (!lanes) {
            return Optional.empty();
        }
        left = left == null ? names.fresh("left") : left;
        String call = "TupleMatch.of(%s, count, %d, %s, %s, %s)";
        return Optional.of(
                call.formatted(
                        Text.at("from", field.offset()),
                        layout.tupleBytes(),
                        literal.apply(match.mask()),
                        literal.apply(match.value()),
                        left));
    }

    private String masks(Field field) {
        return fieldMasks.computeIfAbsent(field, f -> names.fresh(f.name() + "_of_tuples"));
    }

    @Override
    public boolean isGrouped() {
        return true;
    }

    @Override
    public boolean isPerPacket(Expr.Variable variable) {
        return variable.name().equals("ts")
                || layout.field(variable.name())
                        .filter(field -> field.place() == Field.Place.TUPLE)
                        .isPresent();
    }

    @Override
    public Value value(Expr.Variable variable) {
        return header == this || isPerPacket(variable)
                ? loaded.computeIfAbsent(variable.name(), name -> load(variable))
                : header.value(variable);
    }

    private Value load(Expr.Variable variable) {
        String name = variable.name();
        Kind kind = variable.type().kind();
        if (name.equals("ts")) {
            return Value.of(kind, local(inner, name, time()));
        } else if (name.equals("node_id")) {
            return Value.of(kind, local(outer, name, node.get()));
        } else if (name.equals("sampling_rate")) {
            return Value.of(kind, "1L");
        } else if (name.equals("etype") && layout.field(name).isEmpty()) {
            return Value.of(kind, (layout.family() == 4 ? ETYPE_V4 : ETYPE_V6) + "L");
        }
        Field field = layout.field(name).orElseThrow();
        boolean header = field.place() == Field.Place.HEADER;
        Block block = header ? outer : inner;
        String base = header ? "gpv" : "tuple";
        if (field.loadBytes() == 16) {
            String high = local(block, name + "_high", word(8, base, field.offset()));
            String low = local(block, name + "_low", word(8, base, field.offset() + Long.BYTES));
            if (header) {
                gather.address(high, low, name);
            }
            return Value.inet("6L", high, low);
        }
        String local = local(block, name, load(field, base));
        gather.field(local, field);
        return kind == Kind.INET ? Value.inet("4L", "0L", local) : Value.of(kind, local);
    }

    private String local(Block block, String name, String code) {
        String local = names.fresh(name);
        block.line("long " + local + " = " + code + ";");
        return local;
    }

    /** Returns the expression for a field's value, unsigned. */
    String load(Field field, String base) {
        if (field.bits() == Long.SIZE) {
            return word(field.loadBytes(), base, field.offset());
        }
        String mask = "0x" + Long.toHexString((1L << field.bits()) - 1);
        if (field.loadBytes() == 2
                && layout.order() == ByteOrder.BIG_ENDIAN
                && field.offset() >= 2) {
            // To reverse four bytes takes one instruction, to reverse two takes several.
            return word(4, base, field.offset() - 2) + " & " + mask;
        }
        String word = word(field.loadBytes(), base, field.offset());
        String shifted = field.shift() == 0 ? word : word + " >>> " + field.shift();
        return shifted + " & " + mask + (field.bits() < Integer.SIZE ? "" : "L");
    }

    private String word(int bytes, String base, int offset) {
        boolean turned = layout.order() == ByteOrder.BIG_ENDIAN && bytes > 1;
        String call = "Memory.get" + type(bytes) + (turned ? "BigEndian" : "");
        return call + "(" + Text.at(base, offset) + ")";
    }

    /**
     * Returns the name that methods of {@link io.weir.operators.memory.Memory} use for so many
     * bytes.
     */
    static String type(int bytes) {
        return switch (bytes) {
            case 1 -> "Byte";
            case 2 -> "Short";
            case 4 -> "Int";
            default -> "Long";
        };
    }

    /** Expression of the count of packets in a GPV's header. */
    String countOfHeader() {
        return load(layout.field(GpvLayout.COUNT).orElseThrow(), "gpv");
    }

    /**
     * Computes the end of a whole GPV's tuples, {@code to}. The next GPV begins there, and each GPV
     * waits for it. A byte is there sooner than a count that must be reversed, and few counts need
     * the other byte. The header's length is not a constant: HotSpot would add a constant last,
     * which delays it.
     */
    void end(Block block) {
        int step = layout.tupleBytes();
        if (layout.order() != ByteOrder.BIG_ENDIAN) {
            block.line("long to = gpv + header + count * " + step + ";");
            return;
        }
        int offset = layout.field(GpvLayout.COUNT).orElseThrow().offset();
        String low = "(" + word(1, "gpv", offset + 1) + " & 0xffL) * " + step;
        block.line("long to = gpv + header + " + low + ";");
        String high = word(1, "gpv", offset);
        Block more = block.braces("if (" + high + " != 0)");
        more.line("to += (" + high + " & 0xffL) * " + (step << Byte.SIZE) + ";");
    }

    @Override
    public String time() {
        return timeAt("tuple");
    }

    /** Returns the expression for a time before which a GPV has no packet. */
    String startTime() {
        loadStart();
        return "start";
    }

    /** Returns the expression for the time of the packet with its tuple there. */
    String timeAt(String tuple) {
        header.first.timed = true;
        header.loadStart();
        return "timeNs(start, " + tuple + ")";
    }

    private void loadStart() {
        if (!startLoaded) {
            startLoaded = true;
            Field field = layout.field(GpvLayout.START).orElseThrow();
            top.line("long start = " + load(field, "gpv") + ";");
        }
    }

    /** Declares the fields that {@link #sum}, {@link #countOf} and {@link #end} use. */
    void declare(Block members) {
        members.line("private final long header = " + layout.headerBytes() + "L;");
        fieldMasks.forEach(
                (field, name) -> {
                    String mask = "0x" + Long.toHexString((1L << field.bits()) - 1) + "L";
                    String masks = "TupleSum.masks(" + field.shift() + ", " + mask + ")";
                    members.line("private final long " + name + " = " + masks + ";");
                });
        if (left != null) {
            members.line("private final long " + left + " = TupleMatch.left();");
        }
        if (sumsWords) {
            members.line("private final long " + MASKS + " = TupleSum.masksOfAll();");
        }
    }

    /**
     * Copies the fields into locals. A constant would be loaded again each time, in ten bytes of
     * code.
     */
    void copyToLocals(Block method) {
        method.line("long header = this.header;");
        fieldMasks.values().forEach(name -> method.line("long " + name + " = this." + name + ";"));
        if (left != null) {
            method.line("long " + left + " = this." + left + ";");
        }
        if (sumsWords) {
            method.line("long " + MASKS + " = this." + MASKS + ";");
        }
    }

    /** Writes the method that {@link #timeAt} calls, if it is called. */
    void declareTime(Block members) {
        if (timed) {
            Field delta = layout.field(GpvLayout.DELTA).orElseThrow();
            String unit = layout.deltaUnitNs() == 1 ? "" : " * " + layout.deltaUnitNs() + "L";
            members.line("");
            Block method = members.braces("private static long timeNs(long start, long tuple)");
            method.line("return start + (" + load(delta, "tuple") + ")" + unit + ";");
        }
    }
}
