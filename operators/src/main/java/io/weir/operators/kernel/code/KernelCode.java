package io.weir.operators.kernel.code;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.memory.Prefetch;
import io.weir.operators.result.RowLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The source of a query's kernel: one loop over GPVs of one layout, or over another query's rows.
 */
public final class KernelCode {
    private static final int LINE_BYTES = 64;
    private static final int USUAL_PACKETS = 4;

    private static final String RUN =
            "public void run(Panes panes, long address, int %s, int node, long endNs)";

    private final Plan plan;
    private final StateLayout state;
    private final boolean paned;
    private final Names names = new Names();
    private final Literals literals = new Literals();
    private final Block members = new Block();
    private final List<Expr> gpvFilters = new ArrayList<>();
    private final List<Expr> packetFilters = new ArrayList<>();

    private KernelCode(Plan plan, StateLayout state, boolean paned) {
        this.plan = plan;
        this.state = state;
        this.paned = paned;
    }

    /**
     * The kernel for one layout.
     *
     * @param paned whether packets go to panes by their time; else there is one for all time, which
     *     the caller has entered
     */
    public static Source of(Plan plan, StateLayout state, GpvLayout layout, boolean paned) {
        return new KernelCode(plan, state, paned).overGpvs(layout);
    }

    /** The kernel over rows; {@code paned} as above. */
    public static Source of(Plan plan, StateLayout state, RowLayout rows, boolean paned) {
        return new KernelCode(plan, state, paned).overRows(rows);
    }

    private Source overGpvs(GpvLayout layout) {
        boolean gated = plan.hasWhen();
        GpvInput input = new GpvInput(layout, names, paned || gated);
        Expressions expressions =
                new Expressions(input, input.outer(), input.inner(), names, literals);
        Body inside = body(input, expressions, layout.family());
        boolean never = filterGpvs(expressions, input.outer());
        if (!never) {
            inside.write(packetFilters);
        }
        Block method = members.braces(RUN.formatted("gpvs"));
        literals.copyToLocals(method);
        declare(method, inside, gated);
        method.line("long next = address;").line("long near = address;");
        Block loop = few(method, layout, inside);
        loop.line("long gpv = next;");
        loop.line("int count = " + input.count() + ";");
        loop.line("next = " + input.end() + ";");
        loop.line("packets += count;");
        if (gated) {
            input.time();
        }
        loop.add(input.top());
        if (gated) {
            gate(loop, input);
        }
        loop.add(input.outer());
        if (!never) {
            GpvRanges.write(loop, input, inside, paned, gated, familyIndex(layout.family()));
        }
        finish(method, gated, inside);
        inside.members(members);
        input.declareTime(members);
        return source();
    }

    /**
     * The loop over GPVs, inside one over a few of them at a time: what calls stands between. Where
     * a GPV begins is known only when the one before has been read, and the hardware does not guess
     * it: so lines ahead are asked for.
     */
    private Block few(Block method, GpvLayout layout, Body inside) {
        Block some = method.braces("for (int g = 0; g < gpvs; )");
        int few = few(layout);
        some.line("near = Prefetch.lines(near, next);");
        inside.makeRoom(some, few);
        some.line("int stop = Math.min(gpvs, g + " + few + ");");
        Block loop = some.braces("for (; g < stop; g++)");
        Block asks = new Block();
        inside.ahead(asks);
        if (!asks.isEmpty()) {
            (paned ? some.braces("if (paneEnd != Long.MIN_VALUE)") : some).add(asks);
        }
        return loop;
    }

    /** How many GPVs: of large ones fewer, so that not too many lines are asked for at a time. */
    private static int few(GpvLayout layout) {
        boolean large = layout.gpvBytes(USUAL_PACKETS) > 2 * LINE_BYTES;
        return large ? Prefetch.ADDRESSES / 2 : Prefetch.ADDRESSES;
    }

    private static void gate(Block loop, GpvInput input) {
        loop.line("long first = " + input.firstTuple() + ";").line("long last = next;");
        int step = input.tupleBytes();
        String early = "first < last && " + input.timeAt("first") + " < gateFrom";
        loop.braces("while (" + early + ")").line("first += " + step + ";");
        String late = "last > first && " + input.timeAt("last - " + step) + " >= gateUntil";
        loop.braces("while (" + late + ")").line("last -= " + step + ";");
        loop.line("inactive += count - " + input.tuples("first", "last") + ";");
        loop.braces("if (first == last)").line("continue;");
    }

    private Source overRows(RowLayout rows) {
        boolean gated = plan.hasWhen();
        Block code = new Block();
        RowInput input = new RowInput(rows, names, plan.scan().time(), code);
        Expressions expressions = new Expressions(input, code, code, names, literals);
        if (gated) {
            String time = input.time();
            Block skip = code.braces("if (" + time + " < gateFrom || " + time + " >= gateUntil)");
            skip.line("inactive++;").line("continue;");
        }
        Body inside = body(input, expressions, 4);
        boolean never = filterGpvs(expressions, code);
        if (!never) {
            String time = paned ? input.time() : "";
            Block entered = code.part();
            inside.write(packetFilters);
            if (paned) {
                entered.add(enter(time, 0, inside));
            }
        }
        Block method = members.braces(RUN.formatted("rows"));
        literals.copyToLocals(method);
        declare(method, inside, gated);
        method.line("packets = rows;");
        Block loop = method.braces("for (int r = 0; r < rows; r++)");
        loop.line("long row = address + r * " + rows.strideBytes() + "L;");
        if (!never) {
            loop.add(code);
        }
        finish(method, gated, inside);
        inside.members(members);
        return source();
    }

    private Body body(Input input, Expressions expressions, int family) {
        return plan.aggregate().isPresent()
                ? new AggregateCode(plan, state, family, input, names, expressions)
                : new ProjectionCode(plan, input, expressions);
    }

    /** Tests what holds for a whole GPV; true when nothing can pass. */
    private boolean filterGpvs(Expressions expressions, Block block) {
        for (Expr condition : plan.where()) {
            (expressions.isPerPacket(condition) ? packetFilters : gpvFilters).add(condition);
        }
        for (Expr condition : gpvFilters) {
            String truth = expressions.truth(condition);
            if (truth.equals("false")) {
                return true;
            }
            AggregateCode.skipUnless(truth, block);
        }
        return false;
    }

    private void declare(Block method, Body inside, boolean gated) {
        if (gated) {
            method.line("long gateFrom = panes.gateFromNs();");
            method.line("long gateUntil = panes.gateUntilNs();");
            method.line("long inactive = 0L;");
        }
        inside.declare(method, !paned);
        if (paned) {
            method.line("long paneStart = Long.MAX_VALUE;").line("long paneEnd = Long.MIN_VALUE;");
        }
        method.line("long packets = 0L;").line("long full = 0L;");
    }

    /** Makes the pane of a time the current one, where it is not. */
    static Block enter(String time, int family, Body inside) {
        Block block = new Block();
        Block other = block.braces("if (" + time + " < paneStart || " + time + " >= paneEnd)");
        Block left = new Block();
        inside.leave(left);
        if (!left.isEmpty()) {
            other.braces("if (paneEnd != Long.MIN_VALUE)").add(left);
        }
        Block refused = other.braces("if (!panes.enter(" + time + ", " + family + "))");
        refused.line("panes.refuse(1L);").line("paneEnd = Long.MIN_VALUE;").line("continue;");
        other.line("paneStart = panes.startNs();").line("paneEnd = panes.endNs();");
        inside.select(other);
        inside.makeRoom(other, Prefetch.ADDRESSES);
        return block;
    }

    private static int familyIndex(int family) {
        return family == 6 ? 1 : 0;
    }

    private void finish(Block method, boolean gated, Body inside) {
        Block left = new Block();
        inside.leave(left);
        if (!left.isEmpty()) {
            (paned ? method.braces("if (paneEnd != Long.MIN_VALUE)") : method).add(left);
        }
        inside.finish(method);
        method.line("panes.count(packets, " + (gated ? "inactive" : "0L") + ", full);");
    }

    private Source source() {
        return Source.of("Query", "extends Kernel", members, literals);
    }
}
