package io.weir.operators.kernel.code;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.map.Batch;

/**
 * The loops of a kernel over GPVs. The inner loop takes GPVs that lie wholly in the current pane
 * and fit the batch, as nearly all do. It holds no call, so its locals stay in registers. The outer
 * loop takes a few GPVs at a time and holds all calls. It prefetches memory, puts batches into
 * tables, and takes a GPV that is not whole in parts. If those GPVs are rare, they have a method of
 * their own. That method need not be well compiled before packets come, which halves HotSpot's time
 * for {@code run}.
 */
final class GpvLoop {
    private static final int LINE_BYTES = 64;
    private static final int USUAL_PACKETS = 4;

    /** The GPVs of one call. A call for fewer is not worth it. */
    private static final int FEW = 16;

    /** For large GPVs: a core waits if it requests more lines than can be under way. */
    private static final int FEW_LARGE = 4;

    private final GpvLayout layout;
    private final GpvInput input;
    private final Body inside;
    private final boolean paned;
    private final boolean gated;

    /**
     * @param inside handles the packets; null if none can pass
     */
    GpvLoop(GpvLayout layout, GpvInput input, Body inside, boolean paned, boolean gated) {
        this.layout = layout;
        this.input = input;
        this.inside = inside;
        this.paned = paned && inside != null;
        this.gated = gated;
    }

    void write(Block method) {
        method.line("long next = address;");
        if (asksForLines()) {
            method.line("long near = address;");
        }
        Block asks = new Block();
        if (inside != null) {
            inside.ahead(asks, asksForLines());
        }
        int few = isLarge(layout) && asksForLines() ? FEW_LARGE : FEW;
        Block some = method.braces("for (int g = 0; g < gpvs; )");
        if (entries() == Body.Entries.GPV) {
            inside.flush(some.braces("if (" + inside.lacks(Integer.toString(few)) + ")"));
        }
        some.line("int stop = Math.min(gpvs, g + " + few + ");");
        whole(some.braces("for (; g < stop; g++)"));
        ahead(some, asks);
        if (takesParts()) {
            some.braces("if (g == stop)").line("continue;");
            some.line("g++;").line("long gpv = next;");
            if (callsPart()) {
                callPart(some);
            } else {
                parts(some);
            }
        }
    }

    /** Leaves the next GPV to {@code part}. The panes hold the current pane for it. */
    private void callPart(Block some) {
        String count = "(" + input.countOfHeader() + ")";
        some.line("next += header + " + count + " * " + layout.tupleBytes() + ";");
        if (inside == null) {
            some.line("part(panes, gpv, node, false);");
            return;
        }
        PaneCode.leave(some, inside, paned);
        if (paned) {
            String part = "part(panes, gpv, node, paneEnd != Long.MIN_VALUE)";
            PaneCode.select(some.braces("if (" + part + ")"), inside);
            Block none = some.braces("else");
            none.line("paneStart = Long.MAX_VALUE;").line("paneEnd = Long.MIN_VALUE;");
            inside.deselect(none);
        } else {
            some.line("part(panes, gpv, node, true);");
            inside.select(some);
        }
    }

    /** One GPV that is not whole. */
    void part(Block method) {
        Block once = method.braces("for (int g = 0; g < 1; g++)");
        tuples(once);
        inParts(once);
    }

    /** Prefetches the table slots of the last GPVs, and lines of later GPVs. */
    private void ahead(Block some, Block asks) {
        if (!asks.isEmpty()) {
            (paned ? some.braces("if (paneEnd != Long.MIN_VALUE)") : some).add(asks);
        } else if (asksForLines()) {
            some.line("near = Prefetch.lines(near, next);");
        }
    }

    /**
     * The start of a GPV is known only after the one before has been read, and the hardware cannot
     * guess it. But if all tuples of large GPVs are read, the hardware knows what comes.
     */
    private boolean asksForLines() {
        return inside == null || !isLarge(layout) || !inside.readsTuples();
    }

    /** Returns whether a GPV has so many lines that reading them is most of the work. */
    static boolean isLarge(GpvLayout layout) {
        return layout.gpvBytes(USUAL_PACKETS) > 2 * LINE_BYTES;
    }

    private Body.Entries entries() {
        return inside == null ? Body.Entries.NONE : inside.entries();
    }

    boolean takesParts() {
        return paned || gated || entries() == Body.Entries.PACKET;
    }

    /**
     * Returns whether a separate method takes the parts. GPVs at the edges of panes and of the gate
     * are few. GPVs without room in the batch are not.
     */
    boolean callsPart() {
        return takesParts() && entries() != Body.Entries.PACKET;
    }

    /** Takes GPVs with all their packets. */
    private void whole(Block loop) {
        loop.line("long gpv = next;");
        loop.line("long count = " + input.countOfHeader() + ";");
        loop.line("long from = " + input.firstTuple() + ";");
        input.end(loop);
        if (paned || gated) {
            input.timeAt("from");
        }
        loop.add(input.top());
        if (gated) {
            leave(loop, isOutside("gateFrom", "gateUntil"));
        }
        loop.line("next = to;").add(input.outer());
        // A packet that a filter leaves out needs no room and no pane.
        if (entries() == Body.Entries.PACKET) {
            String many = inside.most() < Batch.SIZE ? "count > " + inside.most() + " || " : "";
            leave(loop, many + inside.lacks("count"));
        }
        if (paned) {
            leave(loop, isOutside("paneStart", "paneEnd"));
        }
        if (inside != null) {
            packets(loop);
        }
    }

    private static void leave(Block loop, String condition) {
        loop.braces("if (" + condition + ")").line("next = gpv;").line("break;");
    }

    private String isOutside(String start, String end) {
        String last = input.timeAt("to - " + layout.tupleBytes());
        return input.startTime() + " < " + start + " || " + last + " >= " + end;
    }

    /** Takes the next GPV in parts if it cannot be taken whole. */
    private void parts(Block some) {
        tuples(some);
        some.line("next = last;");
        inParts(some);
    }

    private void tuples(Block block) {
        block.line("long all = " + input.countOfHeader() + ";");
        block.line("long first = " + input.firstTuple() + ";");
        block.line("long last = first + all * " + layout.tupleBytes() + ";");
    }

    private void inParts(Block some) {
        some.add(input.top());
        if (gated) {
            gate(some);
        }
        some.add(input.outer());
        if (inside != null) {
            range(
                    some.braces(
                            "for (long from = first, to = last; from < last; from = to, to = last)"));
        }
    }

    private void gate(Block some) {
        int step = layout.tupleBytes();
        String early = "first < last && " + input.timeAt("first") + " < gateFrom";
        some.braces("while (" + early + ")").line("first += " + step + ";");
        String late = "last > first && " + input.timeAt("last - " + step) + " >= gateUntil";
        some.braces("while (" + late + ")").line("last -= " + step + ";");
        some.line("inactive += all - " + input.tuples("first", "last") + ";");
    }

    /**
     * Takes successive packets that fall in one pane, at most as many as the batch has room for.
     */
    private void range(Block range) {
        int step = layout.tupleBytes();
        if (paned) {
            range.line("to = from + " + step + ";");
            range.line("long time = " + input.timeAt("from") + ";");
            range.add(PaneCode.enter("time", layout.tables(), inside));
            String same = "to < last && " + input.timeAt("to") + " < paneEnd";
            range.braces("while (" + same + ")").line("to += " + step + ";");
        }
        if (entries() == Body.Entries.PACKET) {
            range.line("to = Math.min(to, from + " + inside.most() + " * " + step + ");");
        }
        range.line("long count = " + input.tuples("from", "to") + ";");
        switch (entries()) {
            case PACKET -> inside.flush(range.braces("if (" + inside.lacks("count") + ")"));
            case GPV -> inside.flush(range.braces("if (" + inside.lacks("1") + ")"));
            case NONE -> {}
        }
        packets(range);
    }

    private void packets(Block block) {
        block.add(inside.before());
        if (inside.loops()) {
            input.loop(block, "from", "to").add(input.inner());
        }
        block.add(inside.after());
    }
}
