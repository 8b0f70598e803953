package io.weir.operators.kernel.code;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.map.Batch;

/**
 * The loops of a kernel over GPVs. The inner one takes GPVs as long as they are as nearly all are:
 * as a whole in the current pane, and with room for them in the batch. It holds no call, so that
 * its locals stay in registers. It stands inside a loop over a few GPVs at a time, where all that
 * calls is: memory is asked for, batches are put into tables, and the one GPV that is not as the
 * others, if there is one, is taken in parts. Where those are rare they have a method of their own,
 * which need not be compiled as well before packets come: {@code run} takes HotSpot half the time.
 */
final class GpvLoop {
    private static final int LINE_BYTES = 64;
    private static final int USUAL_PACKETS = 4;

    /** A call for so many GPVs: fewer are not worth it. */
    private static final int FEW = 16;

    /** Of large ones: where more lines are asked for than can be on their way, a core waits. */
    private static final int FEW_LARGE = 4;

    private final GpvLayout layout;
    private final GpvInput input;
    private final Body inside;
    private final boolean paned;
    private final boolean gated;

    /**
     * @param inside what is done with packets; null where none can pass
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

    /** Leaves the next GPV to {@code part}: what is current is told by the panes. */
    private void callPart(Block some) {
        String count = "(" + input.countOfHeader() + ")";
        some.line("next += header + " + count + " * " + layout.tupleBytes() + ";");
        if (inside == null) {
            some.line("part(panes, gpv, node, false);");
            return;
        }
        KernelCode.leave(some, inside, paned);
        if (paned) {
            String part = "part(panes, gpv, node, paneEnd != Long.MIN_VALUE)";
            KernelCode.select(some.braces("if (" + part + ")"), inside);
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

    /** Asks for what the last GPVs will need in tables, and for lines of GPVs. */
    private void ahead(Block some, Block asks) {
        if (!asks.isEmpty()) {
            (paned ? some.braces("if (paneEnd != Long.MIN_VALUE)") : some).add(asks);
        } else if (asksForLines()) {
            some.line("near = Prefetch.lines(near, next);");
        }
    }

    /**
     * Where a GPV begins is known only when the one before has been read, and the hardware does not
     * guess it; but where all tuples are read, and they are large, it knows what comes.
     */
    private boolean asksForLines() {
        return inside == null || !isLarge(layout) || !inside.readsTuples();
    }

    /** Whether a GPV has so many lines that reading them is most of the work. */
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
     * Whether a method takes them: those at the edges of panes and the gate are few, and what a
     * batch has no room for is not.
     */
    boolean callsPart() {
        return takesParts() && entries() != Body.Entries.PACKET;
    }

    /** GPVs of which all packets are taken. */
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
        // What a filter leaves out needs no room, and no pane.
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

    /** The next GPV, where it is not taken as a whole. */
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

    /** Packets that follow each other and fall in one pane; no more than the batch has room for. */
    private void range(Block range) {
        int step = layout.tupleBytes();
        if (paned) {
            range.line("to = from + " + step + ";");
            range.line("long time = " + input.timeAt("from") + ";");
            range.add(KernelCode.enter("time", layout.tables(), inside));
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
