package io.weir.cluster.node;

import io.weir.operators.graph.Expr.Variable;
import io.weir.sql.Statement;
import io.weir.sql.sys.SysSelect.Contents;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** SELECT from sys: the answers of SHOW, seen through the select. */
public final class SysAnswer {
    private SysAnswer() {}

    /**
     * Rows are those of the moment in which it is executed.
     *
     * @param shown answers a SHOW statement, or throws where that has no answer here
     */
    public static Answer.Snapshot of(
            Statement.SelectSys statement, Function<Statement, Answer.Texts> shown) {
        return new Answer.Snapshot(
                statement.select().columns(contents(statement, shown, now -> List.of())),
                () -> statement.select().rows(contents(statement, shown, now -> now.rows().get())));
    }

    private static Map<String, Contents> contents(
            Statement.SelectSys statement,
            Function<Statement, Answer.Texts> shown,
            Function<Answer.Snapshot, List<Object[]>> rows) {
        Map<String, Contents> contents = new HashMap<>();
        statement
                .shown()
                .forEach(
                        (name, show) -> {
                            Answer.Snapshot now = shown.apply(show).snapshot();
                            contents.put(name, new Contents(now.columns(), rows.apply(now)));
                        });
        return contents;
    }

    /** The same, as it is printed. */
    static Answer.Texts texts(Answer.Snapshot snapshot) {
        List<List<String>> rows =
                snapshot.rows().get().stream()
                        .map(row -> Arrays.stream(row).map(SysAnswer::text).toList())
                        .toList();
        return new Answer.Texts(
                snapshot.columns().stream().map(Variable::name).toList(), () -> rows);
    }

    private static String text(Object value) {
        return value == null ? "NULL" : value.toString();
    }
}
