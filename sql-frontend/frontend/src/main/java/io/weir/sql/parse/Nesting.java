package io.weir.sql.parse;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import io.weir.sql.grammar.ParsedStatement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Bounds the depth of a statement's trees, so that recursion over them is safe. It measures without
 * recursion. A chain of ANDs or ORs is one level at any length.
 */
public final class Nesting {
    /** The most operators and calls inside each other. */
    public static final int MAX_DEPTH = 200;

    private record Open(SqlNode node, int depth) {}

    private final SqlSource source;

    Nesting(SqlSource source) {
        this.source = source;
    }

    /**
     * Checks signs and NOTs before an operand, because the grammar itself reads them by recursion.
     */
    void check(List<Token> tokens) {
        int run = 0;
        for (Token token : tokens) {
            boolean prefix = token.isSymbol('-') || token.isSymbol('+') || token.is("NOT");
            run = prefix ? run + 1 : 0;
            if (run > MAX_DEPTH) {
                throw tooDeep(source, new SqlParserPos(token.line(), token.column()));
            }
        }
    }

    void check(ParsedStatement parsed) {
        if (parsed instanceof ParsedStatement.Create create) {
            check(create.query());
        } else if (parsed instanceof ParsedStatement.Explain explain) {
            check(explain.statement());
        } else if (parsed instanceof ParsedStatement.Query query) {
            check(query.query());
            check(query.when());
            check(query.until());
            check(query.interval());
            query.settings().forEach(setting -> check(setting.value()));
        }
    }

    private void check(SqlNode root) {
        Deque<Open> open = new ArrayDeque<>();
        push(open, root, 1);
        while (!open.isEmpty()) {
            Open next = open.pop();
            if (next.depth() > MAX_DEPTH) {
                throw tooDeep(source, next.node().getParserPosition());
            } else if (next.node() instanceof SqlNodeList list) {
                list.forEach(node -> push(open, node, next.depth()));
            } else if (next.node() instanceof SqlCall call) {
                call.getOperandList().forEach(node -> push(open, node, depth(call, node, next)));
            }
        }
    }

    private static void push(Deque<Open> open, SqlNode node, int depth) {
        if (node != null) {
            open.push(new Open(node, depth));
        }
    }

    private static int depth(SqlCall call, SqlNode operand, Open at) {
        SqlKind kind = call.getKind();
        boolean chain = kind == SqlKind.AND || kind == SqlKind.OR;
        boolean goesOn = chain && operand != null && operand.getKind() == kind;
        return goesOn && call.operand(0) == operand ? at.depth() : at.depth() + 1;
    }

    /** Makes the one error for all that is too deep. */
    public static WeirException tooDeep(SqlSource source, SqlParserPos at) {
        return source.error(
                ErrorCode.INVALID_QUERY,
                at,
                "the expression is nested deeper than " + MAX_DEPTH + " levels",
                "a chain of AND or OR, and a list of IN, may be longer");
    }
}
