package io.weir.cluster.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.RowProducer;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.User;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.rows.RowSink;
import io.weir.operators.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final User ALICE = new User("alice", Set.of(Role.ADMIN));
    private static final User FEWER_ROLES = new User("alice", Set.of(Role.VIEWER));
    private static final User EVE = new User("eve", Set.of(Role.ADMIN));

    private final ManualClock clock = new ManualClock();
    private final Sessions sessions = new Sessions(new SilentNode(), Duration.ofSeconds(10), clock);

    @AfterEach
    void close() {
        sessions.close();
    }

    /** It plans nothing: these tests run producers of their own. */
    private static final class SilentNode implements SqlNode {
        @Override
        public SqlSession session(User user) {
            return (sql, values) -> null;
        }

        @Override
        public List<Stream> streams() {
            return List.of();
        }

        @Override
        public List<Stream> sysTables(User user) {
            return List.of();
        }
    }

    /** A query without rows, which ends when it is stopped. */
    private static final class Endless implements RowProducer {
        private final CountDownLatch stopped = new CountDownLatch(1);

        @Override
        public void produce(RowSink sink) {
            try {
                stopped.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void stop() {
            stopped.countDown();
        }
    }

    /** Clients that come at the same moment do not pass the bound together. */
    @Test
    void theBoundIsExact() throws InterruptedException {
        sessions.open("c", ALICE);
        AtomicInteger made = new AtomicInteger();
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> clients = new ArrayList<>();
        for (int client = 0; client < 8; client++) {
            clients.add(new Thread(() -> make(begin, made)));
        }
        clients.forEach(Thread::start);
        begin.countDown();
        for (Thread client : clients) {
            client.join();
        }
        assertEquals(Sessions.MAX_STATEMENTS, made.get());
    }

    private void make(CountDownLatch begin, AtomicInteger made) {
        try {
            begin.await();
            for (int i = 0; i < Sessions.MAX_STATEMENTS; i++) {
                sessions.create("c", ALICE);
                made.incrementAndGet();
            }
        } catch (WeirException full) {
            assertEquals(ErrorCode.TOO_MANY_QUERIES, full.code());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anotherUsersSessionDoesNotExist() throws NoStatementException {
        sessions.open("c", ALICE);
        int statement = sessions.create("c", ALICE).id();
        for (User other : List.of(EVE, FEWER_ROLES)) {
            assertThrows(NoSessionException.class, () -> sessions.talk("c", other));
            assertThrows(NoSessionException.class, () -> sessions.open("c", other));
            assertThrows(NoSessionException.class, () -> sessions.create("c", other));
            assertThrows(NoSessionException.class, () -> sessions.statement("c", statement, other));
            sessions.closeStatement("c", statement, other);
            sessions.close("c", other);
        }
        assertNotNull(sessions.talk("c", ALICE));
        assertEquals(statement, sessions.statement("c", statement, ALICE).id());
    }

    @Test
    void aSessionThatIsOpenedAgainGoesOn() {
        sessions.open("c", ALICE);
        SqlSession talk = sessions.talk("c", ALICE);
        sessions.open("c", ALICE);
        assertSame(talk, sessions.talk("c", ALICE));
    }

    @Test
    void statementsBelongToTheirSession() {
        sessions.open("a", ALICE);
        sessions.open("b", ALICE);
        int statement = sessions.create("a", ALICE).id();
        assertThrows(NoStatementException.class, () -> sessions.statement("b", statement, ALICE));
        sessions.close("a", ALICE);
        sessions.open("a", ALICE);
        assertThrows(NoStatementException.class, () -> sessions.statement("a", statement, ALICE));
    }

    @Test
    void aSilentClientIsForgottenAndItsQueryEnds() throws InterruptedException {
        sessions.open("c", ALICE);
        OpenStatement statement = sessions.create("c", ALICE);
        sessions.start(statement, new Endless(), -1);
        Execution execution = statement.execution().orElseThrow();
        clock.pass(Duration.ofSeconds(9));
        sessions.sweep();
        assertEquals(1, sessions.running());
        clock.pass(Duration.ofSeconds(2));
        sessions.sweep();
        assertTrue(execution.awaitEnd(60_000));
        assertThrows(NoSessionException.class, () -> sessions.talk("c", ALICE));
        assertEquals(0, sessions.running());
    }

    @Test
    void whatIsInUseStays() throws NoStatementException {
        sessions.open("c", ALICE);
        int statement = sessions.create("c", ALICE).id();
        for (int i = 0; i < 5; i++) {
            clock.pass(Duration.ofSeconds(9));
            sessions.statement("c", statement, ALICE);
            sessions.sweep();
        }
        assertEquals(statement, sessions.statement("c", statement, ALICE).id());
    }

    @Test
    void aViewerIsReadOnlyAndOthersWhenTheyWish() {
        sessions.open("admin", ALICE);
        assertEquals(List.of(false, true), readOnly("admin", ALICE));
        sessions.open("viewer", FEWER_ROLES);
        assertEquals(List.of(true, true), readOnly("viewer", FEWER_ROLES));
    }

    private List<Boolean> readOnly(String session, User user) {
        return List.of(
                sessions.readOnly(session, user, null), sessions.readOnly(session, user, true));
    }

    @Test
    void runningQueriesAreBounded() {
        sessions.open("c", ALICE);
        for (int i = 0; i < Sessions.MAX_EXECUTIONS; i++) {
            sessions.start(sessions.create("c", ALICE), new Endless(), -1);
        }
        OpenStatement more = sessions.create("c", ALICE);
        WeirException refused =
                assertThrows(WeirException.class, () -> sessions.start(more, new Endless(), -1));
        assertEquals(ErrorCode.TOO_MANY_QUERIES, refused.code());
    }
}
