package io.weir.cluster.audit;

import io.weir.cluster.catalog.AuditNoting;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.RowProducer;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.User;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import io.weir.sql.validate.Placeholders;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A node that records its statements. Rows do not begin to flow before the record is stored. A
 * statement that shows only the node's knowledge waits for its record only a moment. A change and
 * its record are one transaction if the node's catalogue can do that. Otherwise a change that could
 * not be recorded is an error that says so.
 */
public final class AuditedNode implements SqlNode {
    private final SqlNode node;
    private final Audit audit;
    private final String server;
    private final Clock clock;

    /**
     * @param server that answers, for people
     * @param clock of the entries
     */
    public AuditedNode(SqlNode node, Audit audit, String server, Clock clock) {
        this.node = node;
        this.audit = audit;
        this.server = server;
        this.clock = clock;
    }

    @Override
    public List<Stream> streams() {
        return node.streams();
    }

    @Override
    public List<Stream> sysTables(User user) {
        return node.sysTables(user);
    }

    @Override
    public SqlSession session(User user) {
        SqlSession session = node.session(user);
        return (sql, values) -> {
            Note note = new Note(user, sql, values);
            return note.failing(() -> audited(session.prepare(sql, values), note));
        };
    }

    private static Answer audited(Answer answer, Note note) {
        if (answer instanceof Answer.Flow flow) {
            return new Answer.Flow(flow.columns(), () -> note.begun(flow.producer()));
        } else if (answer instanceof Answer.Texts texts) {
            return new Answer.Texts(
                    texts.headings(),
                    texts.numbers(),
                    texts.decimals(),
                    () -> note.done(texts.rows()));
        }
        if (answer instanceof Answer.Snapshot snapshot) {
            return new Answer.Snapshot(snapshot.columns(), () -> note.done(snapshot.rows()));
        }
        Answer.Change change = (Answer.Change) answer;
        return new Answer.Change(() -> note.changed(change));
    }

    /** The record of one statement. */
    private final class Note {
        private final User user;
        private final String sql;
        private final Placeholders values;

        Note(User user, String sql, Placeholders values) {
            this.user = user;
            this.sql = sql;
            this.values = values;
        }

        private AuditEntry entry(String outcome, OptionalLong version) {
            return AuditEntry.of(clock, server, user, values.shownIn(sql), outcome, version);
        }

        private void write(String outcome, OptionalLong version) {
            audit.write(entry(outcome, version));
        }

        private void writeSoon(String outcome) {
            audit.writeSoon(entry(outcome, OptionalLong.empty()));
        }

        /** Records a failure with its code, and throws it. */
        <T> T failing(Supplier<T> work) {
            try {
                return work.get();
            } catch (WeirException e) {
                writeSoon(e.code().name());
                throw e;
            } catch (RuntimeException e) {
                writeSoon(ErrorCode.INTERNAL.name());
                throw e;
            }
        }

        RowProducer begun(Supplier<RowProducer> producer) {
            RowProducer made = failing(producer);
            write(AuditEntry.BEGUN, OptionalLong.empty());
            return made;
        }

        <T> T done(Supplier<T> rows) {
            T made = failing(rows);
            writeSoon(AuditEntry.OK);
            return made;
        }

        OptionalLong changed(Answer.Change change) {
            return change.noted()
                    .map(make -> failing(() -> make.apply(this::made)))
                    .orElseGet(() -> madeThenNoted(change));
        }

        private AuditNoting.Note made(OptionalLong version) {
            return entry(AuditEntry.OK, version).note();
        }

        private OptionalLong madeThenNoted(Answer.Change change) {
            OptionalLong version = failing(change.action());
            try {
                write(AuditEntry.OK, version);
            } catch (WeirException e) {
                throw new WeirException(
                        e.code(),
                        "the change is made, but it could not be noted: " + e.getMessage(),
                        e.hint().orElse(null));
            }
            return version;
        }
    }
}
