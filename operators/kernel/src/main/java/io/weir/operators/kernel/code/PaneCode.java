package io.weir.operators.kernel.code;

/** Writes how a kernel enters and leaves the panes of its windows. Stateless. */
final class PaneCode {
    private PaneCode() {}

    /** Makes the pane of a time the current one, unless it already is. */
    static Block enter(String time, int family, Body inside) {
        Block block = new Block();
        Block other = block.braces("if (" + time + " < paneStart || " + time + " >= paneEnd)");
        leave(other, inside, true);
        Block refused = other.braces("if (!panes.enter(" + time + ", " + family + "))");
        refused.line("panes.refuse(1L);").line("paneEnd = Long.MIN_VALUE;").line("continue;");
        select(other, inside);
        return block;
    }

    /** Takes over the current pane of {@code panes}. */
    static void select(Block block, Body inside) {
        block.line("paneStart = panes.startNs();").line("paneEnd = panes.endNs();");
        inside.select(block);
    }

    /** Leaves the current pane, if there is one. Returns the same block. */
    static Block leave(Block block, Body inside, boolean paned) {
        Block left = new Block();
        inside.leave(left);
        if (!left.isEmpty()) {
            (paned ? block.braces("if (paneEnd != Long.MIN_VALUE)") : block).add(left);
        }
        return block;
    }
}
