package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.MacText;
import io.weir.operators.graph.Type;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;

/**
 * The few automatic conversions: NULL to any kind, integers to DOUBLE, and string literals to
 * addresses and times. There are no others: comparing an address with a number is an error.
 */
public final class Conversions {
    private final Binding binding;

    public Conversions(Binding binding) {
        this.binding = binding;
    }

    /** Returns the kind that all operands can take, if there is one. */
    public Optional<Kind> common(List<Operand> operands) {
        Kind best = null;
        for (Operand operand : operands) {
            if (operand.isNull()) {
                continue;
            }
            if (operand.kind() == Kind.VARCHAR && !operand.isString()) {
                best = Kind.VARCHAR; // a column cannot change; literals can become strings
                break;
            }
            best = best == null ? operand.kind() : wider(best, operand.kind());
        }
        if (best == null) {
            return Optional.of(Kind.BIGINT);
        }
        Kind kind = best;
        return operands.stream().allMatch(o -> fits(o, kind))
                ? Optional.of(kind)
                : Optional.empty();
    }

    /** Converts the operands to the kind that all can take. */
    List<Expr> alike(SqlNode at, String what, List<Operand> operands) {
        Kind kind =
                common(operands)
                        .orElseThrow(() -> binding.mismatch(at, unlike(what, operands), null));
        return operands.stream().map(o -> convert(o, kind).orElseThrow()).toList();
    }

    private static String unlike(String what, List<Operand> operands) {
        List<String> kinds = operands.stream().map(Operand::kindName).distinct().toList();
        return "the values of " + what + " are of different types: " + String.join(", ", kinds);
    }

    /** DOUBLE wins over BIGINT. Any kind wins over VARCHAR, whose literals can become any kind. */
    private static Kind wider(Kind a, Kind b) {
        boolean takeOther = a == Kind.BIGINT && b == Kind.DOUBLE || a == Kind.VARCHAR;
        return takeOther ? b : a;
    }

    /** A :name is given as text, whatever it looks like. */
    private boolean isNamed(SqlNode node) {
        return node instanceof SqlDynamicParam && !binding.parameters().isPlaceholder(node);
    }

    /** Returns whether it is of the kind, or becomes it by itself. */
    boolean fits(Operand operand, Kind kind) {
        if (operand.kind() == kind || operand.isNull()) {
            return true;
        }
        return switch (kind) {
            case DOUBLE -> operand.kind() == Kind.BIGINT;
            case INET, MACADDR, TIMESTAMP -> operand.isString();
            case VARCHAR -> isNamed(operand.node());
            default -> false;
        };
    }

    /**
     * Returns the operand as this kind; empty if it cannot be. Throws at a malformed address or
     * time.
     */
    public Optional<Expr> convert(Operand operand, Kind kind) {
        binding.met(operand.node(), kind);
        boolean lateVarchar = kind == Kind.VARCHAR && operand.kind() != kind;
        if (!fits(operand, kind)) {
            return Optional.empty();
        } else if (operand.isNull()) {
            return Optional.of(Literal.nullOf(kind));
        } else if (operand.kind() == kind) {
            return Optional.of(operand.expr());
        } else if (lateVarchar) {
            SqlDynamicParam parameter = (SqlDynamicParam) operand.node();
            String text = binding.parameters().text(binding.source(), parameter);
            return Optional.of(Parameters.string(text));
        } else if (kind == Kind.DOUBLE) {
            return Optional.of(toDouble(operand));
        }
        String text = (String) ((Literal) operand.expr()).value();
        return Optional.of(literal(operand.node(), kind, text));
    }

    private Expr toDouble(Operand operand) {
        if (operand.expr() instanceof Literal literal) {
            return literal.value() instanceof Long value
                    ? Literal.of(value.doubleValue())
                    : Literal.nullOf(Kind.DOUBLE);
        }
        return binding.call(operand.node(), "to_double", operand.expr());
    }

    /** Returns a literal of a kind that is written as a string. */
    Literal literal(SqlNode at, Kind kind, String text) {
        Optional<?> value =
                switch (kind) {
                    case INET -> InetText.parse(text);
                    case MACADDR -> MacText.parse(text);
                    case TIMESTAMP -> TimestampText.parse(text);
                    default -> throw new IllegalArgumentException(kind.name());
                };
        Type type = new Type(kind, false);
        return new Literal(value.orElseThrow(() -> malformed(at, kind, text)), type);
    }

    private RuntimeException malformed(SqlNode at, Kind kind, String text) {
        String what =
                switch (kind) {
                    case INET -> "an address";
                    case MACADDR -> "a MAC address";
                    default -> "a time";
                };
        String example =
                switch (kind) {
                    case INET -> "'10.0.0.1' or '2001:db8::1'";
                    case MACADDR -> "'02:00:5e:00:00:01'";
                    default -> "'2026-11-20 13:45:00.000000001' (UTC)";
                };
        String shown = text.length() > 60 ? text.substring(0, 59) + "…" : text;
        return binding.error(
                ErrorCode.TYPE_MISMATCH,
                at,
                "'" + shown + "' is not " + what,
                kind == Kind.INET && text.indexOf('/') > 0
                        ? "subnets have IN_SUBNET(x, '10.0.0.0/8')"
                        : "write it as " + example);
    }
}
