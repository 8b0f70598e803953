package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.TableFunctions;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.table.ValueSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;

/** Binds IN over a lookup table, and IN over a long list of constants, which is a table, too. */
final class InTable {
    /** A list of fewer constants is a comparison with each. */
    static final int FROM_VALUES = 65;

    private static final Set<Kind> OF_SETS =
            Set.of(Kind.BIGINT, Kind.INET, Kind.MACADDR, Kind.TIMESTAMP, Kind.VARCHAR);

    private final Binding binding;
    private final Conversions conversions;
    private final Function<SqlIdentifier, Optional<LookupTable>> tables;
    private final Predicate<Expr> canLookUp;

    /**
     * @param canLookUp whether a value can be looked up where the expression stands
     */
    InTable(
            Binding binding,
            Conversions conversions,
            Function<SqlIdentifier, Optional<LookupTable>> tables,
            Predicate<Expr> canLookUp) {
        this.binding = binding;
        this.conversions = conversions;
        this.tables = tables;
        this.canLookUp = canLookUp;
    }

    /** Returns the meaning of IN (SELECT key FROM table); empty if the right side is no table. */
    Optional<Expr> of(SqlCall in, Function<SqlNode, Operand> bind) {
        if (!(in.operand(1) instanceof SqlSelect select)
                || !(select.getFrom() instanceof SqlIdentifier name)) {
            return Optional.empty();
        }
        return tables.apply(name).map(table -> bound(in, select, table, bind));
    }

    private Expr bound(
            SqlCall in, SqlSelect select, LookupTable table, Function<SqlNode, Operand> bind) {
        boolean plain =
                select.getWhere() == null
                        && select.getGroup() == null
                        && select.getHaving() == null
                        && select.getQualify() == null;
        if (!plain) {
            throw binding.notSupported(
                    select,
                    "a clause in IN (SELECT … FROM " + table.name() + ")",
                    "JOIN " + table.name() + " ON …, with the condition in WHERE");
        }
        List<SqlNode> values =
                in.operand(0).getKind() == SqlKind.ROW
                        ? ((SqlCall) in.operand(0)).getOperandList()
                        : List.of(in.operand(0));
        List<Variable> asked = table.schema().asked();
        Expr[] key = new Expr[asked.size()];
        for (int i = 0; i < select.getSelectList().size(); i++) {
            int place = place(select.getSelectList().get(i), asked);
            if (place < 0 || i >= values.size() || key[place] != null) {
                throw otherThanKey(select, table);
            }
            key[place] = value(in, bind.apply(values.get(i)), asked.get(place));
        }
        if (values.size() != asked.size() || select.getSelectList().size() != asked.size()) {
            throw otherThanKey(select, table);
        }
        return signed(in, TableFunctions.find(table, List.of(key)));
    }

    private static int place(SqlNode item, List<Variable> asked) {
        if (!(item instanceof SqlIdentifier name) || name.isStar()) {
            return -1;
        }
        String column = name.names.get(name.names.size() - 1);
        return asked.stream().map(Variable::name).toList().indexOf(column);
    }

    private Expr value(SqlCall in, Operand value, Variable column) {
        Kind kind = column.type().kind();
        return conversions
                .convert(value, kind)
                .orElseThrow(
                        () ->
                                binding.mismatch(
                                        in,
                                        "cannot look up "
                                                + binding.quote(value.node())
                                                + " ("
                                                + value.kindName()
                                                + ") in "
                                                + column.name()
                                                + ", which is "
                                                + kind,
                                        null));
    }

    private WeirException otherThanKey(SqlSelect select, LookupTable table) {
        List<String> key = table.schema().asked().stream().map(Variable::name).toList();
        return binding.error(
                ErrorCode.INVALID_QUERY,
                select,
                "IN does not ask for the key of " + table.name(),
                (key.size() > 1 ? "(x, y) IN " : "x IN ")
                        + "(SELECT "
                        + String.join(", ", key)
                        + " FROM "
                        + table.name()
                        + ")");
    }

    private Expr signed(SqlCall in, Expr row) {
        Expr found = binding.counted(in, TableFunctions.isFound(row));
        return in.getKind() == SqlKind.IN ? found : binding.call(in, Functions.NOT, List.of(found));
    }

    /** Returns the meaning of IN over many constants; empty if it is another list. */
    Optional<Expr> ofConstants(SqlCall in, Operand value, List<Operand> list) {
        List<Operand> all = new ArrayList<>(list);
        all.add(value);
        Optional<Kind> kind = conversions.common(all).filter(OF_SETS::contains);
        boolean looksUp = list.size() >= FROM_VALUES && canLookUp.test(value.expr());
        if (!looksUp || kind.isEmpty()) {
            return Optional.empty();
        }
        List<Object> constants = new ArrayList<>();
        for (Operand item : list) {
            Expr constant = conversions.convert(item, kind.get()).orElseThrow();
            if (!(constant instanceof Literal literal) || literal.value() == null) {
                return Optional.empty();
            }
            constants.add(literal.value());
        }
        Expr looked = conversions.convert(value, kind.get()).orElseThrow();
        LookupTable set = new ValueSet(kind.get(), constants);
        return Optional.of(signed(in, TableFunctions.find(set, List.of(looked))));
    }
}
