package io.weir.cluster.node;

import io.weir.cluster.metrics.Meter;
import io.weir.cluster.metrics.Readings;
import io.weir.cluster.security.User;
import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A node that counts its statements, and refused ones by their error. Any thread. */
public final class CountedNode implements SqlNode, Meter {
    private final SqlNode node;
    private final AtomicLong statements = new AtomicLong();
    private final Map<String, AtomicLong> refusals = new ConcurrentSkipListMap<>();

    public CountedNode(SqlNode node) {
        this.node = node;
    }

    @Override
    public SqlSession session(User user) {
        SqlSession session = node.session(user);
        return (sql, values) -> {
            statements.incrementAndGet();
            return counted(refusing(() -> session.prepare(sql, values)));
        };
    }

    /** A change reports its errors when it is made. */
    private Answer counted(Answer answer) {
        if (answer instanceof Answer.Change change) {
            return change.within(action -> () -> refusing(action));
        }
        return answer;
    }

    private <T> T refusing(Supplier<T> action) {
        try {
            return action.get();
        } catch (WeirException refused) {
            refusals.computeIfAbsent(refused.code().name(), code -> new AtomicLong())
                    .incrementAndGet();
            throw refused;
        }
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
    public void read(Readings out) {
        out.counter("weir_statements", "Statements that clients sent", statements.get());
        refusals.forEach(
                (code, n) ->
                        out.counter(
                                "weir_statements_refused",
                                "Those that were refused, by error",
                                n.get(),
                                "error",
                                code));
    }
}
