package io.weir.sql.validate;

import io.weir.operators.error.WeirException;
import io.weir.operators.function.TextLibrary;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;

/** Binds CAST(x AS type): between numbers, of strings to addresses and times, of all to text. */
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
        Kind kind = TypeNames.ofCast(binding, call.operand(1));
        Operand value = binder.operand(call.operand(0));
        return conversions
                .convert(value, kind)
                .or(() -> explicit(call, value, kind))
                .orElseThrow(() -> mismatch(call, value, kind));
    }

    /** Converts kinds that only a CAST converts. */
    private Optional<Expr> explicit(SqlCall call, Operand value, Kind kind) {
        if (kind == Kind.VARCHAR) {
            return TextLibrary.cast(value.kind())
                    .map(cast -> binding.call(call, cast, List.of(value.expr())));
        }
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
}
