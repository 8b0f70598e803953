package io.weir.operators.kernel.code;

/** The loops inside a GPV: over the ranges of packets that fall in one pane, and over packets. */
final class GpvRanges {
    private GpvRanges() {}

    static void write(
            Block loop, GpvInput input, Body inside, boolean paned, boolean gated, int family) {
        Block range = loop;
        String from = "0";
        String to = "count";
        if (paned) {
            range = panes(loop, input, inside, gated, family);
            from = "from";
            to = "to";
        } else if (gated) {
            loop.line("int from = first;").line("int to = last;");
            from = "from";
            to = "to";
        }
        range.add(inside.before());
        if (inside.loops()) {
            String head = "for (int p = " + from + "; p < " + to + "; p++)";
            Block packets = range.braces(head);
            packets.line("long tuple = " + input.tuple("p") + ";");
            packets.add(input.inner());
        }
        range.add(inside.after());
    }

    private static Block panes(Block loop, GpvInput input, Body inside, boolean gated, int family) {
        String first = gated ? "first" : "0";
        String last = gated ? "last" : "count";
        String lastTime = input.timeOf(last + " - 1");
        loop.line("long lastTime = " + lastTime + ";");
        String head = "for (int from = " + first + ", to; from < " + last + "; from = to)";
        Block range = loop.braces(head);
        range.line("long time = " + input.timeOf("from") + ";");
        range.line("to = from + 1;");
        range.add(KernelCode.enter("time", family, inside));
        Block more = range.braces("if (lastTime < paneEnd)");
        more.line("to = " + last + ";");
        Block split = range.braces("else");
        split.braces("while (to < " + last + " && " + input.timeOf("to") + " < paneEnd)")
                .line("to++;");
        return range;
    }
}
