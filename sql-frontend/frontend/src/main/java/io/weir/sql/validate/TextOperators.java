package io.weir.sql.validate;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.function.TextLibrary;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.calcite.sql.fun.SqlTrimFunction;

/** Binds operators of texts: LIKE, || and TRIM. */
final class TextOperators {
    private final Binding binding;

    TextOperators(Binding binding) {
        this.binding = binding;
    }

    static boolean isConcatenation(SqlCall call) {
        return call.getOperator().getName().equals("||");
    }

    /** Binds x LIKE pattern, with or without NOT and ESCAPE. */
    Expr like(SqlCall call, List<Operand> operands) {
        SqlLikeOperator operator = (SqlLikeOperator) call.getOperator();
        if (!operator.isCaseSensitive()) {
            throw binding.notSupported(call, "ILIKE", "write LOWER(x) LIKE 'a%'");
        }
        List<Expr> texts = new ArrayList<>();
        operands.forEach(operand -> texts.add(text(operand, "LIKE", hint(operand))));
        if (operands.size() == 3) {
            checkEscape(operands.get(2));
        }
        Function like = operands.size() == 3 ? TextLibrary.LIKE_ESCAPE : TextLibrary.LIKE;
        Expr matches = binding.call(call, like, texts);
        return operator.isNegated() ? binding.call(call, Functions.NOT, List.of(matches)) : matches;
    }

    private static String hint(Operand operand) {
        return operand.kind() == Kind.INET
                ? "IN_SUBNET(x, '10.0.0.0/8') tests addresses; CAST(x AS VARCHAR) is a text"
                : "CAST(x AS VARCHAR) is a text";
    }

    private void checkEscape(Operand escape) {
        boolean one =
                escape.expr() instanceof Literal literal
                        && literal.value() instanceof String text
                        && text.codePointCount(0, text.length()) == 1;
        if (!one) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    escape.node(),
                    "ESCAPE is a constant of one character");
        }
    }

    /** Binds x || y. Values that are no texts are written as rows show them. */
    Expr joined(SqlCall call, List<Operand> operands) {
        List<Expr> texts = new ArrayList<>();
        for (Operand operand : operands) {
            texts.add(
                    operand.isNull()
                            ? Literal.nullOf(Kind.VARCHAR)
                            : TextLibrary.cast(operand.kind())
                                    .map(cast -> binding.call(call, cast, List.of(operand.expr())))
                                    .orElse(operand.expr()));
        }
        return binding.call(call, TextLibrary.CONCAT, texts);
    }

    /** Binds TRIM(LEADING letters FROM x) and its like. */
    Expr trim(SqlCall call, Operand text, Operand letters) {
        SqlTrimFunction.Flag side =
                ((SqlLiteral) call.operand(0)).getValueAs(SqlTrimFunction.Flag.class);
        Function trim =
                switch (side) {
                    case LEADING -> TextLibrary.TRIM_START;
                    case TRAILING -> TextLibrary.TRIM_END;
                    case BOTH -> TextLibrary.TRIM;
                };
        String hint = "CAST(x AS VARCHAR) is a text";
        return binding.call(
                call, trim, List.of(text(text, "TRIM", hint), text(letters, "TRIM", hint)));
    }

    private Expr text(Operand operand, String what, String hint) {
        binding.met(operand.node(), Kind.VARCHAR);
        if (operand.isNull()) {
            return Literal.nullOf(Kind.VARCHAR);
        } else if (operand.kind() == Kind.VARCHAR) {
            return operand.expr();
        }
        String kind = operand.kindName().toUpperCase(Locale.ROOT);
        throw binding.mismatch(
                operand.node(),
                what + " needs texts; " + binding.quote(operand.node()) + " is " + kind,
                hint);
    }
}
