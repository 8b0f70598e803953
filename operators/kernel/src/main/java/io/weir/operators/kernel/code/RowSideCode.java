package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Type;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Generates the classes off the packet path: merges, finishers, conditions over rows. */
public final class RowSideCode {
    private RowSideCode() {}

    /** A {@code Merger}. */
    public static GeneratedSource merger(Plan plan, StateLayout state) {
        Block members = new Block();
        Block method = members.braces("public void merge(long into, long from)");
        Names names = new Names();
        for (int f = 0; f < plan.folds().size(); f++) {
            FoldCall call = plan.folds().get(f);
            if (!call.distinct() && !Plan.needsFlowKey(call)) {
                int offset = state.wordOffset(f, 0);
                FoldCode.Words from = FoldCode.memory(call.fold(), "from", offset);
                Expressions places =
                        new Expressions(FoldCode.variables(v -> null), method, method, names, null);
                FoldCode.assign(
                        call.fold(),
                        call.fold().merge(),
                        FoldCode.memory(call.fold(), "into", offset),
                        v ->
                                Value.of(
                                        v.type().kind(),
                                        from.load(FoldCode.indexOf(call.fold(), v.name()))),
                        places,
                        method,
                        names);
            }
        }
        return GeneratedSource.of("Merge", "extends Merger", members, new Literals());
    }

    /** A {@code Finisher} for groups of one family. */
    public static GeneratedSource finisher(Plan plan, StateLayout state, int family) {
        Literals literals = new Literals();
        Names names = new Names();
        Block members = new Block();
        String arguments = "long windowStartNs, long windowEndNs, RowContext context)";
        Block keeps = members.braces("public boolean keeps(long entry, " + arguments);
        Expressions having = groupExpressions(plan, state, family, keeps, names, literals);
        String condition = plan.having().map(having::truth).orElse("true");
        keeps.line("return " + Text.unwrap(condition) + ";");
        members.line("");
        Block write =
                members.braces(
                        "public void write(long entry, long row, SymbolSet texts, " + arguments);
        Expressions expressions = groupExpressions(plan, state, family, write, names, literals);
        List<Value> values = new ArrayList<>();
        plan.outputs().forEach(o -> values.add(expressions.simple(o.expr(), o.name())));
        RowCode.write(write, new RowLayout(plan.made()), "row", 0, values, true);
        return GeneratedSource.of("Finish", "extends Finisher", members, literals);
    }

    private static Expressions groupExpressions(
            Plan plan, StateLayout state, int family, Block block, Names names, Literals literals) {
        Map<String, Value> columns = new HashMap<>();
        Variables variables =
                new Variables() {
                    @Override
                    public Value value(Expr.Variable variable) {
                        Value known = columns.get(variable.name());
                        if (known == null) {
                            known = column(plan, state, family, block, names, variable);
                            columns.put(variable.name(), known);
                        }
                        return known;
                    }

                    @Override
                    public boolean isPerPacket(Expr.Variable variable) {
                        return true;
                    }
                };
        return new Expressions(variables, block, block, names, literals);
    }

    private static Value column(
            Plan plan,
            StateLayout state,
            int family,
            Block block,
            Names names,
            Expr.Variable variable) {
        String name = variable.name();
        Packing packing = state.groupKeys(family);
        for (int k = 0; k < plan.keys().size(); k++) {
            if (plan.keys().get(k).name().equals(name)) {
                return bound(packing.unpack(k, "entry", family), name, block, names);
            }
        }
        int keyBytes = state.table(state.groupTable(family)).keyWords() * Long.BYTES;
        for (int f = 0; f < plan.folds().size(); f++) {
            FoldCall call = plan.folds().get(f);
            if (call.name().equals(name)) {
                FoldCode.Words words =
                        FoldCode.memory(call.fold(), "entry", keyBytes + state.wordOffset(f, 0));
                Variables stateWords =
                        FoldCode.variables(
                                v ->
                                        Value.of(
                                                v.type().kind(),
                                                words.load(
                                                        FoldCode.indexOf(call.fold(), v.name()))));
                Expressions result = new Expressions(stateWords, block, block, names, null);
                return bound(result.value(call.fold().result()), name, block, names);
            }
        }
        return windowColumn(variable);
    }

    private static Value bound(Value value, String name, Block block, Names names) {
        Variables none = FoldCode.variables(v -> value);
        Expr.Variable variable = Expr.Variable.column(name, new Type(value.kind(), true));
        return new Expressions(none, block, block, names, null).simple(variable, name);
    }

    private static Value windowColumn(Expr.Variable variable) {
        Kind kind = variable.type().kind();
        String name = variable.name();
        if (name.equals(Aggregate.WINDOW_START)) {
            return Value.of(kind, "windowStartNs");
        } else if (name.equals(Aggregate.WINDOW_END)) {
            return Value.of(kind, "windowEndNs");
        } else if (name.equals(Operator.Row.PACKETS_LOST.name())) {
            return Value.of(kind, "context.packetsLost()");
        } else if (name.equals(Operator.Row.PACKETS_MISSING.name())) {
            return Value.of(kind, "context.packetsMissing()");
        } else if (name.equals(Operator.Row.PACKETS_LATE.name())) {
            return Value.of(kind, "context.packetsLate()");
        } else if (name.equals(Operator.Row.COMPLETENESS.name())) {
            return Value.of(kind, "context.completeness()");
        } else if (name.equals(Operator.Row.ACTIVE_FROM.name())) {
            return Value.of(kind, "context.activeFromNs()")
                    .withNull("(context.activeFromNs() == RowContext.ALWAYS)");
        }
        if (name.equals(Operator.Row.IS_PARTIAL.name())) {
            return Value.of(kind, "context.isPartial()");
        }
        if (name.equals(Operator.Row.LEFT_OUT_MOST.name())) {
            return Value.of(kind, "context.leftOutMost()")
                    .withNull("(context.leftOutMost() == RowContext.UNKNOWN)");
        }
        throw new IllegalArgumentException("no column " + name + " above the aggregate");
    }

    /**
     * A {@code Finisher} for rows with the columns of OVER.
     *
     * @param rows with these columns
     */
    public static GeneratedSource finisher(Plan.OverPart over, RowLayout rows) {
        Literals literals = new Literals();
        Names names = new Names();
        Block members = new Block();
        String arguments = "long windowStartNs, long windowEndNs, RowContext context)";
        Block keeps = members.braces("public boolean keeps(long row, " + arguments);
        Expressions qualify = rowExpressions(rows, keeps, names, literals);
        String condition = over.qualify().map(qualify::truth).orElse("true");
        keeps.line("return " + Text.unwrap(condition) + ";");
        members.line("");
        Block write =
                members.braces(
                        "public void write(long row, long target, SymbolSet texts, " + arguments);
        Expressions expressions = rowExpressions(rows, write, names, literals);
        List<Value> values = new ArrayList<>();
        over.outputs().forEach(o -> values.add(expressions.simple(o.expr(), o.name())));
        List<Expr.Variable> columns = over.outputs().stream().map(Operator.Named::column).toList();
        RowCode.write(write, new RowLayout(columns), "target", 0, values, true);
        return GeneratedSource.of("Shown", "extends Finisher", members, literals);
    }

    private static Expressions rowExpressions(
            RowLayout rows, Block block, Names names, Literals literals) {
        Operator.Scan scan = new Operator.Scan(StreamType.ofQuery(""), rows.columns(), "");
        RowInput input = new RowInput(rows, names, scan, block);
        return new Expressions(input, block, block, names, literals);
    }

    /** A {@code RowPredicate} over rows. */
    public static GeneratedSource predicate(Expr condition, RowLayout rows) {
        Literals literals = new Literals();
        Block members = new Block();
        Block method = members.braces("public boolean test(RowBatch batch, int index)");
        method.line("long row = batch.address(index);");
        String truth = rowExpressions(rows, method, new Names(), literals).truth(condition);
        method.line("return " + Text.unwrap(truth) + ";");
        return GeneratedSource.of("Condition", "implements RowPredicate", members, literals);
    }
}
