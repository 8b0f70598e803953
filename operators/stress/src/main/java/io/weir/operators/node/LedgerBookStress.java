package io.weir.operators.node;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@link LedgerBook}: queries come and go on the results' thread while the pipeline writes its
 * counts. A query that stays to the end misses nothing from some time on; a query that left gets
 * nothing.
 */
@JCStressTest
@Outcome(
        id = {"1, 0", "2, 0", "3, 0"},
        expect = ACCEPTABLE,
        desc = "from some block on, and what comes later")
@Outcome(expect = FORBIDDEN, desc = "a page half made, missed, or written after its query left")
@State
public class LedgerBookStress {
    private final Stage leaving = new Account().stage("leaves");
    private final Stage coming = new Account().stage("comes");
    private final QueryLedger leaves = new QueryLedger(leaving);
    private final LedgerBook book = new LedgerBook();

    public LedgerBookStress() {
        book.join(leaves, false);
    }

    @Actor
    public void results() {
        book.join(new QueryLedger(coming), false);
        book.leave(leaves);
    }

    @Actor
    public void pipeline() {
        book.skippedLate(1);
        book.skippedLate(1);
    }

    @Arbiter
    public void rest(II_Result r) {
        long left = leaving.offered().value();
        book.skippedLate(1);
        r.r1 = (int) coming.offered().value();
        r.r2 = (int) (leaving.offered().value() - left);
    }
}
