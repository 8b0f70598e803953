package io.weir.cluster.node;

import io.weir.cluster.security.User;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.sql.Statement;
import io.weir.sql.validate.Placeholders;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** A client of the embedded node, which remembers its last run. */
final class EmbeddedSession implements SqlSession {
    private final EmbeddedNode node;
    private final User user;
    private volatile Outcome last;

    EmbeddedSession(EmbeddedNode node, User user) {
        this.node = node;
        this.user = user;
    }

    @Override
    public Answer prepare(String sql, Placeholders values) {
        return answer(node.statement(sql, values, user));
    }

    /** Answers a SHOW statement. */
    Answer.Texts shown(Statement show) {
        return (Answer.Texts) answer(show);
    }

    private Answer answer(Statement statement) {
        if (statement instanceof Statement.Select select) {
            Query query = node.named(select.query());
            return new Answer.Flow(query.columns(), () -> node.select(query, this::ended));
        } else if (statement instanceof Statement.SelectSys sys) {
            return SysAnswer.of(sys, this::shown);
        } else if (statement instanceof Statement.DescribeSys described) {
            return SysAnswer.described(described, this::shown);
        } else if (statement instanceof Statement.Subscribe subscribe) {
            Query query = node.query(subscribe.name());
            return new Answer.Flow(query.columns(), () -> node.subscribe(query, this::ended));
        } else if (statement instanceof Statement.CreateQuery create) {
            return new Answer.Change(() -> node.create(create));
        } else if (statement instanceof Statement.DropQuery drop) {
            return change(() -> node.drop(drop));
        } else if (statement instanceof Statement.PauseQuery pause) {
            return change(() -> node.pause(pause.name()));
        } else if (statement instanceof Statement.ResumeQuery resume) {
            return change(() -> node.resume(resume.name()));
        } else if (NodeAggregates.isOne(statement)) {
            return change(() -> NodeAggregates.change(node.catalog(), statement));
        } else if (statement instanceof Statement.CreateSource create) {
            return change(() -> node.createSource(create));
        } else if (statement instanceof Statement.DropSource drop) {
            return change(() -> node.dropSource(drop));
        } else if (NodeTables.isOne(statement)) {
            return change(() -> node.tables().change(statement));
        } else if (statement instanceof Statement.ShowTables) {
            return node.tables().shown();
        } else if (statement instanceof Statement.ShowSources) {
            return node.shownSources();
        } else if (statement instanceof Statement.ShowAccount) {
            return texts(AccountTable.HEADINGS, AccountTable.NUMBERS, Outcome::account);
        } else if (statement instanceof Statement.ShowEvents) {
            return texts(Outcome.HEADINGS, Set.of(), Outcome::events);
        }
        return shownHere(statement);
    }

    private Answer shownHere(Statement statement) {
        if (statement instanceof Statement.ShowQueries) {
            return node.information().queries(this::stages);
        } else if (statement instanceof Statement.ShowQueryCost) {
            return new Answer.Texts(
                    CostTable.HEADINGS,
                    CostTable.NUMBERS,
                    CostTable.DECIMALS,
                    () -> node.facts().map(LiveFacts::costs).orElseGet(() -> ran().costs()));
        } else if (statement instanceof Statement.ShowLoss) {
            return texts(LossTable.HEADINGS, LossTable.NUMBERS, Outcome::losses);
        } else if (statement instanceof Statement.Analyze analyze) {
            return node.analyzed(analyze);
        }
        if (statement instanceof Statement.ShowBindings) {
            return new Answer.Texts(
                    BindingLine.HEADINGS,
                    BindingLine.NUMBERS,
                    () -> node.facts().map(LiveFacts::bindings).orElseGet(() -> ran().bindings()));
        } else if (statement instanceof Statement.ShowAudit) {
            return node.audit();
        }
        Information.checkAnswered(statement);
        return node.information().answer(statement);
    }

    private static Answer change(Runnable action) {
        return new Answer.Change(
                () -> {
                    action.run();
                    return OptionalLong.empty();
                });
    }

    private void ended(Outcome outcome) {
        last = outcome;
    }

    private Answer.Texts texts(
            List<String> headings,
            Set<String> numbers,
            Function<Outcome, List<List<String>>> rows) {
        return new Answer.Texts(headings, numbers, () -> rows.apply(now()));
    }

    private Outcome now() {
        return node.facts().map(LiveFacts::outcome).orElseGet(this::ran);
    }

    /** Returns the account, or nothing before the first run. */
    private List<Stage.Snapshot> stages() {
        return node.facts()
                .map(LiveFacts::outcome)
                .or(() -> Optional.ofNullable(last))
                .map(Outcome::stages)
                .orElse(List.of());
    }

    private Outcome ran() {
        return Optional.ofNullable(last).orElseThrow(EmbeddedSession::nothingRan);
    }

    private static WeirException nothingRan() {
        return new WeirException(
                ErrorCode.INVALID_QUERY,
                "nothing has run in this session yet",
                "SHOW ACCOUNT, EVENTS, BINDINGS, LOSS and QUERY COST tell of the last SELECT or"
                        + " SUBSCRIBE that ended");
    }
}
