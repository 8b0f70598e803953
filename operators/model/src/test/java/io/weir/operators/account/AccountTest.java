package io.weir.operators.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AccountTest {
    @Test
    void stagesOfOneNameAreAddedUp() {
        Account account = new Account();
        Stage first = account.stage("pipeline");
        account.stage("other");
        Stage second = account.stage("pipeline");
        first.offered().add(5);
        first.processed().add(3);
        first.lost("full").add(2);
        second.offered().add(4);
        second.processed().add(1);
        second.lost("full").add(1);
        second.excluded("late").add(2);
        List<Stage.Snapshot> snapshot = account.snapshot();
        assertEquals(
                new Stage.Snapshot("pipeline", 9, 4, Map.of("full", 3L), Map.of("late", 2L)),
                snapshot.get(0));
        assertEquals("other", snapshot.get(1).stage());
        assertTrue(account.isBalanced());
        first.offered().add(1);
        assertFalse(account.isBalanced());
    }
}
