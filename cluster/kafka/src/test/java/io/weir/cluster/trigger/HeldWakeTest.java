package io.weir.cluster.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who hears of wakes hears of one at each time. */
final class HeldWakeTest {
    private final List<String> told = new ArrayList<>();
    private final HeldWake wake =
            new HeldWake(
                    new Triggers() {
                        @Override
                        public void wake(String query, long version, long fromNs, long untilNs) {
                            told.add("wake " + fromNs + " to " + untilNs);
                        }

                        @Override
                        public void until(String query, long version, long fromNs, long untilNs) {
                            told.add("until of " + fromNs + ": " + untilNs);
                        }

                        @Override
                        public void settled(long settledNs) {}
                    },
                    "q",
                    1);

    @Test
    void oneThatIsEndedAndWokenAgainWasWokenOnce() {
        wake.woken(5, 100);
        wake.until(5, 5);
        wake.woken(5, 100);
        wake.tell();
        wake.tell();
        assertEquals(List.of("wake 5 to 100"), told);
    }

    @Test
    void oneThatNeverCountedIsNotTold() {
        wake.woken(5, 100);
        wake.until(5, 5);
        wake.tell();
        assertEquals(List.of(), told);
    }

    @Test
    void whatWasAwakeEndsBeforeItWakesAgain() {
        wake.woken(5, 100);
        wake.tell();
        wake.until(5, 7);
        wake.woken(7, 100);
        wake.until(7, 9);
        wake.woken(9, 100);
        wake.tell();
        assertEquals(
                List.of("wake 5 to 100", "until of 5: 7", "wake 7 to 9", "wake 9 to 100"), told);
    }
}
