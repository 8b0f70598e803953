package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.function.Magnitude;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.sql.parse.Nesting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.fun.SqlCase;

/**
 * Turns trees of the grammar into expressions of the graph. It resolves names, checks and settles
 * types, and points at errors. One statement, one thread.
 */
public final class ExpressionBinder {
    private final Binding binding;
    private final Environment environment;
    private final Conversions conversions;
    private final Literals literals;
    private final Comparisons comparisons;
    private final Conditionals conditionals;
    private final ScalarFunctions functions;
    private final TextOperators texts;
    private int depth;

    public ExpressionBinder(Binding binding, Environment environment) {
        this.binding = binding;
        this.environment = environment;
        conversions = new Conversions(binding);
        literals = new Literals(binding, conversions);
        comparisons = new Comparisons(binding, conversions);
        conditionals = new Conditionals(binding, conversions, comparisons);
        texts = new TextOperators(binding);
        functions =
                new ScalarFunctions(
                        binding, conversions, comparisons, new Magnitude(environment::bits));
    }

    /** Returns the expression, with its type settled. */
    public Expr bind(SqlNode node) {
        if (++depth > Nesting.MAX_DEPTH) {
            throw Nesting.tooDeep(binding.source(), node.getParserPosition());
        }
        try {
            return bindUnbounded(node);
        } finally {
            depth--;
        }
    }

    /** Does the same as {@link #bind} for an expression that must be true or false. */
    public Expr condition(SqlNode node, String clause) {
        Operand operand = operand(node);
        binding.met(node, Kind.BOOLEAN);
        if (operand.isNull()) {
            return Expr.Literal.nullOf(Kind.BOOLEAN);
        } else if (operand.kind() != Kind.BOOLEAN) {
            throw binding.mismatch(
                    node,
                    clause
                            + " needs a condition; "
                            + binding.quote(node)
                            + " is "
                            + operand.kindName(),
                    operand.kind() == Kind.BIGINT
                            ? "compare it, as " + binding.quote(node) + " <> 0"
                            : null);
        }
        return operand.expr();
    }

    Operand operand(SqlNode node) {
        return new Operand(bind(node), node);
    }

    List<Operand> operands(List<SqlNode> nodes) {
        return nodes.stream().map(this::operand).toList();
    }

    private Expr bindUnbounded(SqlNode node) {
        if (node instanceof SqlDynamicParam parameter) {
            return binding.parameters().literal(binding.source(), parameter);
        } else if (node instanceof SqlLiteral literal) {
            return literals.literal(literal);
        } else if (node instanceof SqlIdentifier identifier) {
            return environment.column(identifier);
        } else if (node instanceof SqlCase choice) {
            return conditionals.choose(choice, this);
        } else if (node instanceof SqlCall call) {
            return call(call);
        }
        throw binding.notSupported(node, binding.quote(node), null);
    }

    private Expr call(SqlCall call) {
        Unsupported.check(binding, call);
        return switch (call.getKind()) {
            case AND -> logic(call, SqlKind.AND);
            case OR -> logic(call, SqlKind.OR);
            case NOT -> not(call, condition(call.operand(0), "NOT"));
            case EQUALS,
                    NOT_EQUALS,
                    LESS_THAN,
                    LESS_THAN_OR_EQUAL,
                    GREATER_THAN,
                    GREATER_THAN_OR_EQUAL ->
                    comparisons.compare(call, operands(call.getOperandList()));
            case BETWEEN -> comparisons.between(call, operands(call.getOperandList()));
            case IN, NOT_IN -> in(call);
            case IS_NULL, IS_NOT_NULL, IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE, IS_UNKNOWN ->
                    conditionals.is(call, operand(call.operand(0)));
            case IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM ->
                    conditionals.distinct(call, operands(call.getOperandList()));
            case LIKE -> texts.like(call, operands(call.getOperandList()));
            case TRIM -> texts.trim(call, operand(call.operand(2)), operand(call.operand(1)));
            case FILTER -> filtered(call);
            case OVER -> environment.over(call, this);
            case TUMBLE_START, TUMBLE_END, HOP_START, HOP_END ->
                    environment.windowBound(call, this);
            case INTERVAL -> interval(call);
            case MINUS_PREFIX -> negative(call);
            default -> named(call);
        };
    }

    /** The sign belongs to the number: the smallest integer has no positive counterpart. */
    private Expr negative(SqlCall call) {
        return call.operand(0) instanceof SqlNumericLiteral number
                ? literals.negative(number)
                : named(call);
    }

    private Expr named(SqlCall call) {
        if (OverWords.isAlone(call)) {
            return environment.over(call, this);
        } else if (TextOperators.isConcatenation(call)) {
            return texts.joined(call, operands(call.getOperandList()));
        } else if (WindowBounds.isOne(call)) {
            return environment.windowBound(call, this);
        } else if (AggregateFunctions.isOne(call)) {
            return environment.aggregate(call, null, this);
        }
        return functions.call(call, this);
    }

    private Expr in(SqlCall call) {
        InTable tables =
                new InTable(binding, conversions, environment::table, environment::canLookUp);
        Optional<Expr> ofTable = tables.of(call, this::operand);
        if (ofTable.isPresent()) {
            return ofTable.get();
        }
        Operand value = operand(call.operand(0));
        List<Operand> list = operands(Comparisons.list(binding, call).getList());
        return tables.ofConstants(call, value, list)
                .orElseGet(() -> comparisons.in(call, value, list));
    }

    private Expr filtered(SqlCall call) {
        SqlCall inner = call.operand(0);
        if (!AggregateFunctions.isOne(inner)) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY, call, "FILTER belongs to an aggregate, as COUNT(*)");
        }
        return environment.aggregate(inner, call.operand(1), this);
    }

    private Expr interval(SqlCall call) {
        SqlNode written = call.operand(0);
        Expr number = binding.constant(written, bind(written), Expr.Literal.of(1L));
        boolean constant =
                number instanceof Expr.Literal literal && literal.value() instanceof Number;
        if (!constant) {
            throw binding.notSupported(
                    written, "an interval that is not constant", "multiply an interval");
        }
        SqlIntervalQualifier unit = call.operand(1);
        return literals.intervals().of(call, ((Expr.Literal) number).value(), unit);
    }

    private Expr not(SqlNode at, Expr condition) {
        return binding.call(at, Functions.NOT, List.of(condition));
    }

    /** A chain of ANDs (or ORs) becomes one call at any length. */
    private Expr logic(SqlCall call, SqlKind kind) {
        Deque<SqlNode> parts = new ArrayDeque<>();
        SqlNode left = call;
        while (left.getKind() == kind) {
            parts.addFirst(((SqlCall) left).operand(1));
            left = ((SqlCall) left).operand(0);
        }
        parts.addFirst(left);
        List<Expr> conditions = new ArrayList<>();
        for (SqlNode part : parts) {
            Expr condition = condition(part, kind.sql);
            boolean nested =
                    condition instanceof Expr.Call inner
                            && inner.function().name().equals(kind.sql);
            conditions.addAll(nested ? ((Expr.Call) condition).arguments() : List.of(condition));
        }
        return binding.call(call, kind == SqlKind.AND ? Functions.AND : Functions.OR, conditions);
    }
}
