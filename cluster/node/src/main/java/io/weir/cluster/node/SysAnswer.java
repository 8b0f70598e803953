package io.weir.cluster.node;

import io.weir.cluster.security.Permissions;
import io.weir.cluster.security.User;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Variable;
import io.weir.sql.Listing;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.sys.SysContents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Answers SELECT from sys: the answers of SHOW, seen through the select. */
public final class SysAnswer {
    private SysAnswer() {}

    /**
     * Returns rows of the moment in which it is executed.
     *
     * @param shown answers a SHOW statement, or throws if it has no answer here
     */
    public static Answer.Snapshot of(
            Statement.SelectSys statement, Function<Statement, Answer.Texts> shown) {
        return new Answer.Snapshot(
                statement.select().columns(contents(statement, shown, now -> List.of())),
                () -> statement.select().rows(contents(statement, shown, now -> now.rows().get())));
    }

    /** Answers DESCRIBE of one of its tables. */
    public static Answer.Texts described(
            Statement.DescribeSys statement, Function<Statement, Answer.Texts> shown) {
        Listing listing = SqlFrontend.described(columns(shown.apply(statement.shown())));
        return new Answer.Texts(listing.columns(), listing::rows);
    }

    private static List<Variable> columns(Answer.Texts shown) {
        return shown.snapshot().columns();
    }

    /** Returns the tables that exist here, for this user. */
    public static List<SqlNode.Stream> tables(User user, Function<Statement, Answer.Texts> shown) {
        List<SqlNode.Stream> tables = new ArrayList<>();
        SqlFrontend.sysTables()
                .forEach(
                        (name, show) ->
                                columns(user, show, shown)
                                        .map(columns -> new SqlNode.Stream(name, false, columns))
                                        .ifPresent(tables::add));
        return tables;
    }

    /** Returns none if SHOW would be an error. */
    private static Optional<List<Variable>> columns(
            User user, Statement show, Function<Statement, Answer.Texts> shown) {
        try {
            Permissions.check(user, show, query -> Optional.empty());
            return Optional.of(columns(shown.apply(show)));
        } catch (WeirException e) {
            if (e.code() == ErrorCode.NOT_ALLOWED || e.code() == ErrorCode.NOT_SUPPORTED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Map<String, SysContents> contents(
            Statement.SelectSys statement,
            Function<Statement, Answer.Texts> shown,
            Function<Answer.Snapshot, List<Object[]>> rows) {
        Map<String, SysContents> contents = new HashMap<>();
        statement
                .shown()
                .forEach(
                        (name, show) -> {
                            Answer.Snapshot now = shown.apply(show).snapshot();
                            contents.put(name, new SysContents(now.columns(), rows.apply(now)));
                        });
        return contents;
    }

    /** Returns the same as text. */
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
