package io.weir.cluster.security;

import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.sql.Statement;
import java.util.Optional;
import java.util.function.Function;

/** The rights that a statement needs. */
public final class Permissions {
    private Permissions() {}

    /**
     * Throws NOT_ALLOWED when the user lacks one.
     *
     * @param queries of the catalogue, by name
     */
    public static void check(
            User user, Statement statement, Function<String, Optional<Query>> queries) {
        if (statement instanceof Statement.CreateQuery
                || statement instanceof Statement.DropQuery
                || statement instanceof Statement.PauseQuery
                || statement instanceof Statement.ResumeQuery
                || statement instanceof Statement.CreateAggregate
                || statement instanceof Statement.DropAggregate
                || statement instanceof Statement.CreateTable
                || statement instanceof Statement.DropTable) {
            user.check(Right.CHANGE);
        } else if (statement instanceof Statement.Select select) {
            select.query().all().forEach(one -> user.check(right(one.reads().access())));
            rows(user, select.query(), queries);
        } else if (statement instanceof Statement.Analyze analyze && !analyze.created()) {
            analyze.query().all().forEach(one -> user.check(right(one.reads().access())));
        } else if (statement instanceof Statement.Subscribe subscribe) {
            user.check(Right.READ);
            queries.apply(subscribe.name()).ifPresent(query -> rows(user, query, queries));
        } else if (statement instanceof Statement.SelectSys sys) {
            sys.shown().values().forEach(show -> check(user, show, queries));
        } else if (statement instanceof Statement.DescribeSys described) {
            check(user, described.shown(), queries);
        } else if (statement instanceof Statement.CreateSource
                || statement instanceof Statement.DropSource
                || statement instanceof Statement.TestQuery) {
            user.check(Right.SOURCES);
        } else if (statement instanceof Statement.ShowAudit) {
            user.check(Right.AUDIT);
        } else {
            user.check(Right.READ);
        }
    }

    private static Right right(StreamType.Access access) {
        return switch (access) {
            case TRAFFIC -> Right.ASK;
            case RESULTS -> Right.READ;
        };
    }

    private static void rows(User user, Query query, Function<String, Optional<Query>> queries) {
        Function<String, Optional<Query>> known =
                name -> query.part(name).or(() -> queries.apply(name));
        if (!user.may(Right.EVIDENCE) && Evidence.isIn(query, known)) {
            user.check(Right.EVIDENCE);
        }
    }
}
