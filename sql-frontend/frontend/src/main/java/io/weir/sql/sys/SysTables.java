package io.weir.sql.sys;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.sql.grammar.ParsedStatement.Listed;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** Collects the tables of all FROM clauses in one statement. */
final class SysTables {
    /** Parts of a statement whose work is not bounded by the product of its tables' rows. */
    private static final Set<SqlKind> UNBOUNDED =
            Set.of(SqlKind.WITH, SqlKind.CUBE, SqlKind.ROLLUP, SqlKind.GROUPING_SETS);

    private static final Set<SqlKind> QUERIES =
            Set.of(
                    SqlKind.SELECT,
                    SqlKind.ORDER_BY,
                    SqlKind.UNION,
                    SqlKind.INTERSECT,
                    SqlKind.EXCEPT,
                    SqlKind.VALUES);

    private final List<SqlIdentifier> names = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();
    private final List<SqlNode> refused = new ArrayList<>();
    private final List<SqlUnknownLiteral> unknown = new ArrayList<>();

    static SysTables of(SqlNode query) {
        SysTables tables = new SysTables();
        var unused = query.accept(tables.new Visitor());
        return tables;
    }

    /** Returns whether one of the names is in sys. */
    boolean any() {
        return names.stream().anyMatch(SysNames::isOne);
    }

    /** Returns whether a query has only constants, as {@code SELECT 1}. */
    static boolean isConstant(SqlNode query) {
        if (!(query instanceof SqlSelect select) || select.getFrom() != null) {
            return false;
        }
        Naming naming = new Naming();
        var unused = select.getSelectList().accept(naming);
        return !naming.named;
    }

    /** Returns the number of rows of each VALUES. */
    List<Long> values() {
        return values;
    }

    /** Throws if a literal has a type that rows of sys do not have. */
    void checkLiterals(Binding binding) {
        if (!unknown.isEmpty()) {
            SqlUnknownLiteral first = unknown.get(0);
            throw binding.notSupported(
                    first,
                    first.tag + " '…' in a SELECT from sys, or without FROM,",
                    "add FROM packets, or write the text alone");
        }
    }

    /** Returns each listing as often as it is named. Throws if not all of them are listings. */
    List<Listed> listings(Binding binding) {
        for (SqlNode node : refused) {
            String what = node instanceof SqlDynamicParam ? "a parameter" : node.getKind().sql;
            throw binding.notSupported(node, what + " in a SELECT from sys", null);
        }
        return names.stream().map(name -> listing(binding, name)).toList();
    }

    static Listed listing(Binding binding, SqlIdentifier name) {
        if (!SysNames.isOne(name)) {
            throw binding.notSupported(
                    name,
                    String.join(".", name.names) + " and sys in one statement",
                    "sys has rows of now, streams have rows of packets: ask for each by itself");
        }
        String table = String.join(".", name.names.subList(1, name.names.size()));
        return Arrays.stream(Listed.values())
                .filter(listed -> SysNames.name(listed).equals(table))
                .findFirst()
                .orElseThrow(() -> unknown(binding, name, table));
    }

    private static WeirException unknown(Binding binding, SqlIdentifier at, String table) {
        List<String> known = Arrays.stream(Listed.values()).map(SysNames::name).toList();
        return binding.error(
                ErrorCode.UNKNOWN_STREAM,
                at,
                "there is no sys." + table,
                Suggestion.nearest(table, known)
                        .map(near -> "did you mean sys." + near + "?")
                        .orElse("sys has " + String.join(", ", known)));
    }

    /** Finds whether it names a column, or all of them. */
    private static final class Naming extends SqlBasicVisitor<Void> {
        private boolean named;

        @Override
        public Void visit(SqlIdentifier name) {
            named = true;
            return null;
        }

        @Override
        public Void visit(SqlCall call) {
            return call.getKind() == SqlKind.AS ? call.operand(0).accept(this) : super.visit(call);
        }
    }

    private final class Visitor extends SqlBasicVisitor<Void> {
        @Override
        public Void visit(SqlCall call) {
            if (call instanceof SqlSelect select && select.getFrom() != null) {
                from(select.getFrom());
            } else if (call.getKind() == SqlKind.VALUES) {
                values.add((long) call.operandCount());
            } else if (UNBOUNDED.contains(call.getKind())) {
                refused.add(call);
            } else if (call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR) {
                chain(call);
                return null;
            }
            return super.visit(call);
        }

        /** It uses no recursion along a chain, which may be long. */
        private void chain(SqlCall chain) {
            SqlNode left = chain;
            while (left.getKind() == chain.getKind()) {
                var unused = ((SqlCall) left).operand(1).accept(this);
                left = ((SqlCall) left).operand(0);
            }
            var unused = left.accept(this);
        }

        @Override
        public Void visit(SqlLiteral literal) {
            if (literal instanceof SqlUnknownLiteral tagged
                    && SqlTypeName.get(tagged.tag) == null) {
                unknown.add(tagged);
            }
            return null;
        }

        @Override
        public Void visit(SqlDynamicParam param) {
            refused.add(param);
            return null;
        }

        /** The visitor itself goes into the queries in here. */
        private void from(SqlNode node) {
            if (node instanceof SqlIdentifier name) {
                names.add(name);
            } else if (node.getKind() == SqlKind.JOIN) {
                SqlJoin join = (SqlJoin) node;
                from(join.getLeft());
                from(join.getRight());
            } else if (node.getKind() == SqlKind.AS || node.getKind() == SqlKind.EXPLICIT_TABLE) {
                from(((SqlCall) node).operand(0));
            } else if (!QUERIES.contains(node.getKind())) {
                refused.add(node);
            }
        }
    }
}
