package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Reasons that the runbook explains have a remedy, but for faults that a user cannot mend. */
class RemediesTest {
    private static final Path RUNBOOK = Path.of("..", "..", "docs", "operations", "runbook.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| [^|]+\\| (`[^|]+`) \\|");
    private static final Pattern REASON = Pattern.compile("`([a-z_0-9]+)`");
    private static final Set<String> FAULTS = Set.of("unreadable", "outbox_closed");

    @Test
    void eachReasonOfTheRunbookHasOne() throws IOException {
        Set<String> without = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(RUNBOOK));
        int rows = 0;
        while (row.find()) {
            rows++;
            Matcher reason = REASON.matcher(row.group(1));
            while (reason.find()) {
                String remedy = Remedies.of(reason.group(1));
                if (remedy.endsWith(".md")) {
                    without.add(reason.group(1));
                }
                assertTrue(remedy.length() <= 45, remedy);
            }
        }
        without.removeAll(FAULTS);
        assertEquals(Set.of(), without);
        assertTrue(rows > List.of("blocks", "pipeline").size(), rows + " rows");
    }
}
