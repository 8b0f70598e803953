package io.weir.sql.equery;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.InetText;
import io.weir.sql.parse.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Makes fields, conditions and values of one Equery statement into nodes of SQL's tree. */
final class EqueryTerms {
    private static final Set<String> AGGREGATES = Set.of("count", "sum", "avg", "max", "min");

    private static final Map<String, SqlBinaryOperator> COMPARISONS =
            Map.of(
                    "=", SqlStdOperatorTable.EQUALS,
                    "==", SqlStdOperatorTable.EQUALS,
                    "!=", SqlStdOperatorTable.NOT_EQUALS,
                    "<>", SqlStdOperatorTable.NOT_EQUALS,
                    "<", SqlStdOperatorTable.LESS_THAN,
                    "<=", SqlStdOperatorTable.LESS_THAN_OR_EQUAL,
                    ">", SqlStdOperatorTable.GREATER_THAN,
                    ">=", SqlStdOperatorTable.GREATER_THAN_OR_EQUAL);

    private final EqueryCursor cursor;
    private final List<String> parameters = new ArrayList<>();

    EqueryTerms(EqueryCursor cursor) {
        this.cursor = cursor;
    }

    List<String> parameters() {
        return parameters;
    }

    /** A column, or an aggregate of one. */
    SqlNode field() {
        Token word = cursor.word("a field");
        String name = word.text().toLowerCase(Locale.ROOT);
        if (!AGGREGATES.contains(name) || !cursor.take('(')) {
            return column(word);
        }
        SqlParserPos at = cursor.pos(word);
        SqlNode argument =
                name.equals("count") && cursor.take('*')
                        ? SqlIdentifier.star(at)
                        : column(cursor.word("a field"));
        cursor.expect(')');
        SqlUnresolvedFunction function =
                new SqlUnresolvedFunction(
                        new SqlIdentifier(name, at),
                        null,
                        null,
                        null,
                        null,
                        SqlFunctionCategory.USER_DEFINED_FUNCTION);
        return function.createCall(at, argument);
    }

    private SqlIdentifier column(Token word) {
        if (!cursor.take('.')) {
            return new SqlIdentifier(EqueryNames.column(word.text()), cursor.pos(word));
        }
        Token field = cursor.word("a field of " + word.text());
        return new SqlIdentifier(
                List.of(word.text().toLowerCase(Locale.ROOT), EqueryNames.column(field.text())),
                cursor.pos(word).plus(cursor.pos(field)));
    }

    /** column = value, queryName.field &gt; value. */
    SqlNode condition() {
        SqlNode left = column(cursor.word("a field"));
        SqlBinaryOperator operator = comparison();
        SqlNode right = value();
        SqlParserPos at = left.getParserPosition().plus(right.getParserPosition());
        return operator.createCall(at, left, right);
    }

    private SqlBinaryOperator comparison() {
        StringBuilder text = new StringBuilder();
        while (cursor.isAt('=') || cursor.isAt('<') || cursor.isAt('>') || cursor.isAt('!')) {
            if (!COMPARISONS.containsKey(text.toString() + cursor.peek().text())
                    && !cursor.isAt('!')) {
                break;
            }
            text.append(cursor.next("a comparison").text());
        }
        SqlBinaryOperator operator = COMPARISONS.get(text.toString());
        if (operator == null) {
            throw cursor.unexpected("a comparison, as =");
        }
        return operator;
    }

    private SqlNode value() {
        boolean negative = cursor.take('-');
        Token token = cursor.peek();
        if (token == null) {
            throw cursor.unexpected("a value");
        }
        SqlNode address = negative ? null : address(token);
        if (address != null) {
            return address;
        }
        return switch (token.kind()) {
            case NUMBER -> number(cursor.next("a value"), negative);
            case STRING -> string(cursor.next("a value"));
            case WORD -> named(cursor.next("a value"));
            default -> throw cursor.unexpected("a value");
        };
    }

    /** An address without quotes; null if it is none. */
    private SqlNode address(Token token) {
        String run = cursor.run();
        if (InetText.parse(run).isEmpty()) {
            return null;
        }
        int end = token.column() + run.length() - 1;
        cursor.skip(run.length());
        return SqlLiteral.createCharString(
                run, new SqlParserPos(token.line(), token.column(), token.line(), end));
    }

    private SqlNode number(Token token, boolean negative) {
        if (!token.text().matches("\\d{1,18}(\\.\\d{1,18})?")) {
            throw cursor.error(
                    ErrorCode.SYNTAX,
                    token,
                    token.text() + " is neither a number nor an address",
                    null);
        }
        return SqlLiteral.createExactNumeric(
                (negative ? "-" : "") + token.text(), cursor.pos(token));
    }

    private SqlNode string(Token token) {
        String text = token.text();
        String value = text.substring(1, text.length() - 1).replace("''", "'");
        return SqlLiteral.createCharString(value, cursor.pos(token));
    }

    /** A protocol, a column, or else a parameter. */
    private SqlNode named(Token word) {
        OptionalLong protocol = EqueryNames.protocol(word.text());
        if (protocol.isPresent()) {
            return SqlLiteral.createExactNumeric(
                    String.valueOf(protocol.getAsLong()), cursor.pos(word));
        } else if (cursor.isAt('.') || EqueryNames.isColumn(word.text())) {
            return column(word);
        }
        parameters.add(word.text());
        return new SqlDynamicParam(parameters.size() - 1, cursor.pos(word));
    }
}
