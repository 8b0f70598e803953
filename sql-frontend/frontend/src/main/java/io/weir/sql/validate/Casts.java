package io.weir.sql.validate;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Binds CAST(x AS type): between numbers, and of strings to addresses and times. */
final class Casts {
    private final Binding binding;
    private final Conversions conversions;

    Casts(Binding binding, Conversions conversions) {
        this.binding = binding;
        this.conversions = conversions;
    }

    boolean isOne(SqlCall call) {
        return call.getKind() == SqlKind.CAST || call.getKind() == SqlKind.SAFE_CAST;
    }

    Expr cast(SqlCall call, ExpressionBinder binder) {
        if (call.getKind() != SqlKind.CAST || call.operandCount() != 2) {
            throw binding.notSupported(
                    call, binding.quote(call), "use " + Calls.named("CAST").form());
        }
        Kind kind = kind(call.operand(1));
        Operand value = binder.operand(call.operand(0));
        return conversions
                .convert(value, kind)
                .or(() -> explicit(call, value, kind))
                .orElseThrow(() -> mismatch(call, value, kind));
    }

    /** Converts kinds that only a CAST converts. */
    private Optional<Expr> explicit(SqlCall call, Operand value, Kind kind) {
        boolean toInteger =
                kind == Kind.BIGINT
                        && (value.kind() == Kind.DOUBLE || value.kind() == Kind.BOOLEAN);
        return toInteger
                ? Optional.of(binding.call(call, "to_bigint", value.expr()))
                : Optional.empty();
    }

    private WeirException mismatch(SqlCall call, Operand value, Kind kind) {
        boolean time = value.kind() == Kind.TIMESTAMP || value.kind() == Kind.INTERVAL;
        boolean column = value.kind() == Kind.VARCHAR && !(value.expr() instanceof Literal);
        String hint = time && kind.isNumeric() ? "NANOSECONDS(x) gives a number" : null;
        return binding.mismatch(
                call,
                "cannot cast " + value.kindName() + " to " + kind,
                column ? "only string literals are cast" : hint);
    }

    private Kind kind(SqlNode type) {
        String name = name(type);
        return switch (name) {
            case "BIGINT", "INTEGER" -> Kind.BIGINT;
            case "DOUBLE", "FLOAT" -> Kind.DOUBLE;
            case "BOOLEAN" -> Kind.BOOLEAN;
            case "TIMESTAMP" -> Kind.TIMESTAMP;
            case "INET" -> Kind.INET;
            case "MACADDR" -> Kind.MACADDR;
            case "SMALLINT", "TINYINT" ->
                    throw binding.notSupported(
                            type, "the type " + name, "every integer is a BIGINT");
            case "DECIMAL", "REAL" ->
                    throw binding.notSupported(type, "the type " + name, "use DOUBLE");
            default ->
                    throw binding.notSupported(
                            type,
                            "a cast to " + name.replace('_', ' '),
                            "the types are BIGINT, DOUBLE, BOOLEAN, TIMESTAMP, INET, MACADDR");
        };
    }

    private static String name(SqlNode type) {
        if (type instanceof SqlDataTypeSpec spec) {
            boolean precise =
                    spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
                            && basic.getPrecision() >= 0;
            String name = spec.getTypeName().getSimple().toUpperCase(Locale.ROOT);
            return precise ? name + "(" + precision(spec) + ")" : name;
        }
        return "INTERVAL";
    }

    private static int precision(SqlDataTypeSpec spec) {
        return ((SqlBasicTypeNameSpec) spec.getTypeNameSpec()).getPrecision();
    }
}
