package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The body of a kernel without aggregates. Each packet that passes becomes a row, after its time.
 */
final class ProjectionCode implements Body {
    private final Plan plan;
    private final Input input;
    private final Expressions expressions;
    private final Block nothing = new Block();

    ProjectionCode(Plan plan, Input input, Expressions expressions) {
        this.plan = plan;
        this.input = input;
        this.expressions = expressions.keeping("rowsOfPane.texts()");
    }

    @Override
    public void write(List<Expr> packetFilters) {
        Block inner = input.inner();
        AggregateCode.skipUnless(packetFilters, expressions, inner);
        List<Value> values = new ArrayList<>();
        plan.outputs().forEach(o -> values.add(expressions.stored(o.expr(), o.name())));
        for (Expr.Variable later : plan.made().subList(values.size(), plan.made().size())) {
            Expr none = Expr.Literal.nullOf(later.type().kind());
            values.add(expressions.simple(none, later.name()));
        }
        inner.line("long record = rowsOfPane.append();");
        inner.braces("if (record == 0L)").line("full++;").line("continue;");
        inner.line("Memory.putLong(record, " + input.time() + ");");
        RowLayout layout = new RowLayout(plan.made());
        RowCode.write(inner, layout, "record", Long.BYTES, values, false);
    }

    @Override
    public void declare(Block method, boolean entered) {
        method.line("RowBuffer rowsOfPane = " + (entered ? "panes.rows();" : "null;"));
    }

    @Override
    public Entries entries() {
        return Entries.NONE;
    }

    @Override
    public int most() {
        return Integer.MAX_VALUE;
    }

    @Override
    public String lacks(String more) {
        return "false";
    }

    @Override
    public void flush(Block block) {}

    @Override
    public void ahead(Block block, boolean lines) {}

    @Override
    public void select(Block block) {
        block.line("rowsOfPane = panes.rows();");
    }

    @Override
    public void leave(Block block) {}

    @Override
    public void finish(Block method) {}

    @Override
    public void members(Block members) {}

    @Override
    public Block before() {
        return nothing;
    }

    @Override
    public Block after() {
        return nothing;
    }

    @Override
    public boolean loops() {
        return true;
    }
}
