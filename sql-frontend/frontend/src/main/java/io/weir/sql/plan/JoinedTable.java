package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.TableFunctions;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.TableSchema;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.Conversions;
import io.weir.sql.validate.Operand;
import io.weir.sql.validate.Spelling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/**
 * A lookup table of FROM, with the row that a packet finds. ON equates each column of the table's
 * key with a value of the stream.
 */
final class JoinedTable {
    private final Binding binding;
    private final TableJoin join;
    private final TableSchema schema;
    private final Expr row;

    /**
     * @param bind gives a value of the stream, or of a table that is joined before, its meaning
     */
    JoinedTable(Binding binding, TableJoin join, Function<SqlNode, Expr> bind) {
        this.binding = binding;
        this.join = join;
        schema = join.table().schema();
        row = TableFunctions.find(join.table(), key(bind));
    }

    private List<Expr> key(Function<SqlNode, Expr> bind) {
        List<Variable> asked = schema.asked();
        Expr[] key = new Expr[asked.size()];
        for (SqlNode condition : conjuncts(join.on())) {
            int place = place(condition, 0) >= 0 ? 0 : 1;
            int column = place(condition, place);
            if (column < 0 || key[column] != null) {
                throw malformed(condition);
            }
            SqlNode other = ((SqlCall) condition).operand(1 - place);
            Operand value = new Operand(bind.apply(other), other);
            key[column] =
                    new Conversions(binding)
                            .convert(value, asked.get(column).type().kind())
                            .orElseThrow(() -> mismatch(condition, value, asked.get(column)));
        }
        if (Arrays.asList(key).contains(null)) {
            throw malformed(join.on());
        }
        return List.of(key);
    }

    private static List<SqlNode> conjuncts(SqlNode on) {
        if (on.getKind() != SqlKind.AND) {
            return List.of(on);
        }
        List<SqlNode> parts = new ArrayList<>();
        ((SqlCall) on).getOperandList().forEach(part -> parts.addAll(conjuncts(part)));
        return parts;
    }

    /** Returns the place in the key of a side of an equation; -1 if it is no column of the key. */
    private int place(SqlNode condition, int side) {
        boolean named =
                condition.getKind() == SqlKind.EQUALS
                        && ((SqlCall) condition).operand(side) instanceof SqlIdentifier id
                        && id.names.size() == 2
                        && id.names.get(0).equals(join.alias());
        if (!named) {
            return -1;
        }
        String column = ((SqlIdentifier) ((SqlCall) condition).operand(side)).names.get(1);
        return schema.asked().stream().map(Variable::name).toList().indexOf(column);
    }

    private WeirException malformed(SqlNode at) {
        List<String> parts = new ArrayList<>();
        schema.asked().forEach(column -> parts.add("… = " + join.alias() + "." + column.name()));
        return binding.error(
                ErrorCode.INVALID_QUERY,
                at,
                "ON does not equate the key of " + join.table().name() + " with the stream",
                "ON " + String.join(" AND ", parts) + "; other conditions belong to WHERE");
    }

    private WeirException mismatch(SqlNode at, Operand value, Variable column) {
        return binding.mismatch(
                at,
                "cannot look up "
                        + value.expr().type().kind()
                        + " in "
                        + join.alias()
                        + "."
                        + column.name()
                        + ", which is "
                        + column.type().kind(),
                null);
    }

    String alias() {
        return join.alias();
    }

    boolean isLeft() {
        return join.isLeft();
    }

    boolean has(String column) {
        return schema.find(column).isPresent();
    }

    List<Variable> columns() {
        return schema.columns();
    }

    /** Returns the condition that there is a row. */
    Expr isFound() {
        return TableFunctions.isFound(row);
    }

    /** Returns the value of a column. */
    Expr value(SqlIdentifier at, String column) {
        List<String> names = schema.columns().stream().map(Variable::name).toList();
        int place = names.indexOf(column);
        if (place < 0) {
            throw binding.error(
                    ErrorCode.UNKNOWN_COLUMN,
                    at,
                    "there is no column " + column + " in " + join.table().name(),
                    Spelling.ofColumn(
                            column, names, "DESCRIBE " + join.table().name() + " lists them"));
        }
        return TableFunctions.value(row, place, join.isLeft());
    }
}
