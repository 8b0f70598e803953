package io.weir.operators.kernel.code;

/** The loops inside a GPV: over the ranges of packets that fall in one pane, and over packets. */
final class GpvRanges {
    private GpvRanges() {}

    static void write(
            Block loop, GpvInput input, Body inside, boolean paned, boolean gated, int family) {
        Block range = loop;
        if (paned) {
            range = panes(loop, input, inside, gated, family);
        } else if (gated) {
            loop.line("long from = first;").line("long to = last;");
        }
        range.add(input.range());
        range.add(inside.before());
        if (inside.loops()) {
            range.braces(input.loop(input.from(), input.to())).add(input.inner());
        }
        range.add(inside.after());
    }

    /** As a rule a whole GPV falls in the current pane: that takes one test. */
    private static Block panes(Block loop, GpvInput input, Body inside, boolean gated, int family) {
        String first = gated ? "first" : input.firstTuple();
        String last = gated ? "last" : "next";
        String head = "for (long from = %1$s, to = %2$s; from < %2$s; from = to, to = %2$s)";
        Block range = loop.braces(head.formatted(first, last));
        range.line("long time = " + input.timeAt("from") + ";");
        String lastTime = input.timeAt(last + " - " + input.tupleBytes());
        Block edge = range.braces("if (time < paneStart || " + lastTime + " >= paneEnd)");
        String step = "to += " + input.tupleBytes() + ";";
        edge.line("to = from;").line(step);
        edge.add(KernelCode.enter("time", family, inside));
        edge.braces("while (to < " + last + " && " + input.timeAt("to") + " < paneEnd)").line(step);
        return range;
    }
}
