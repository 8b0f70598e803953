package io.weir.operators.kernel.code;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The source of a query's kernel: one loop over GPVs of one layout, or over another query's rows.
 */
public final class KernelCode {
    private static final String RUN =
            "public void run(Panes panes, long address, int %s, int node, long endNs)";

    private static final String PART =
            "protected boolean part(Panes panes, long gpv, int node, boolean entered)";

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
     * Generates the kernel for one layout.
     *
     * @param paned whether packets go to panes by their time; otherwise there is one pane for all
     *     time, which the caller has entered
     */
    public static GeneratedSource of(
            Plan plan, StateLayout state, GpvLayout layout, boolean paned) {
        return new KernelCode(plan, state, paned).overGpvs(layout);
    }

    /** Generates the kernel over rows; {@code paned} as above. */
    public static GeneratedSource of(Plan plan, StateLayout state, RowLayout rows, boolean paned) {
        return new KernelCode(plan, state, paned).overRows(rows);
    }

    private GeneratedSource overGpvs(GpvLayout layout) {
        GpvInput input = new GpvInput(layout, names);
        Expressions expressions =
                new Expressions(input, input.outer(), input.inner(), names, literals);
        Body inside =
                state.isDirect()
                        ? new DirectCode(plan, state, layout, input, names, expressions)
                        : body(input, expressions, layout.family());
        boolean never = filterGpvs(input, expressions, input.outer());
        if (!never) {
            inside.write(packetFilters);
        }
        GpvLoop loop = new GpvLoop(layout, input, never ? null : inside, paned, plan.hasWhen());
        Optional<String> gather = never ? Optional.empty() : inside.gathers(paned);
        input.declare(members);
        if (gather.isEmpty()) {
            boolean gates = plan.hasWhen() && !loop.callsPart();
            Block method = method(RUN.formatted("gpvs"), input, inside, gates);
            if (paned) {
                PaneCode.select(
                        method.braces("if (panes.resume(" + layout.tables() + "))"), inside);
            }
            loop.write(method);
            inside.finish(PaneCode.leave(method, inside, paned));
            count(method, gates, input.packets("address", "next", "gpvs"));
        }
        if (loop.takesParts() && (gather.isPresent() || loop.callsPart())) {
            part(method(PART, input, inside, plan.hasWhen()), loop, inside);
        }
        inside.members(members);
        input.declareTime(members);
        return gather.map(this::merger).orElseGet(this::source);
    }

    /** Begins a method, with its locals. */
    private Block method(String head, GpvInput input, Body inside, boolean gates) {
        members.line("");
        Block method = members.braces(head);
        literals.copyToLocals(method);
        input.copyToLocals(method);
        declare(method, inside, gates);
        return method;
    }

    private void part(Block method, GpvLoop loop, Body inside) {
        if (paned) {
            PaneCode.select(method.braces("if (entered)"), inside);
        }
        loop.part(method);
        PaneCode.leave(method, inside, paned);
        count(method, plan.hasWhen(), "0L");
        method.line("return " + (paned ? "paneEnd != Long.MIN_VALUE;" : "true;"));
    }

    private GeneratedSource overRows(RowLayout rows) {
        boolean gated = plan.hasWhen();
        Block code = new Block();
        RowInput input = new RowInput(rows, names, plan.scan(), code);
        Expressions expressions = new Expressions(input, code, code, names, literals);
        if (gated) {
            String time = input.time();
            Block skip = code.braces("if (" + time + " < gateFrom || " + time + " >= gateUntil)");
            skip.line("inactive++;").line("continue;");
        }
        Body inside = body(input, expressions, 4);
        boolean never = filterGpvs(input, expressions, code);
        if (!never) {
            String time = paned ? input.time() : "";
            Block entered = code.part();
            inside.write(packetFilters);
            if (paned) {
                entered.add(PaneCode.enter(time, 0, inside));
            }
        }
        Block method = members.braces(RUN.formatted("rows"));
        literals.copyToLocals(method);
        declare(method, inside, gated);
        Block loop = method.braces("for (int r = 0; r < rows; r++)");
        loop.line("long row = address + r * " + rows.strideBytes() + "L;");
        if (!never) {
            loop.add(code);
        }
        inside.finish(PaneCode.leave(method, inside, paned));
        count(method, gated, "rows");
        inside.members(members);
        return source();
    }

    private Body body(Input input, Expressions expressions, int family) {
        return plan.aggregate().isPresent()
                ? new AggregateCode(plan, state, family, input, names, expressions)
                : new ProjectionCode(plan, input, expressions);
    }

    /** Tests the conditions on a whole GPV. Returns true if nothing can pass. */
    private boolean filterGpvs(Input input, Expressions expressions, Block block) {
        for (Expr condition : plan.where()) {
            (expressions.isPerPacket(condition) ? packetFilters : gpvFilters).add(condition);
        }
        for (Expr condition : gpvFilters) {
            input.gather().filter(condition);
            String truth = expressions.truth(condition);
            if (truth.equals("false")) {
                return true;
            }
            AggregateCode.skipUnless(truth, block);
        }
        return false;
    }

    /**
     * @param gates whether the method also handles packets outside the gate, and counts them
     */
    private void declare(Block method, Body inside, boolean gates) {
        if (plan.hasWhen()) {
            method.line("long gateFrom = panes.gateFromNs();");
            method.line("long gateUntil = panes.gateUntilNs();");
        }
        if (gates) {
            method.line("long inactive = 0L;");
        }
        inside.declare(method, !paned);
        if (paned) {
            method.line("long paneStart = Long.MAX_VALUE;").line("long paneEnd = Long.MIN_VALUE;");
        }
        method.line("long full = 0L;");
    }

    private static void count(Block method, boolean gates, String packets) {
        String inactive = gates ? "inactive" : "0L";
        method.line("panes.count(" + packets + ", " + inactive + ", full);");
    }

    private GeneratedSource source() {
        return GeneratedSource.of("Query", "extends Kernel", members, literals);
    }

    private GeneratedSource merger(String gather) {
        return GeneratedSource.of("Query", "extends GatherKernel", members, literals, gather);
    }
}
