package io.weir.cluster.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Messages are written as the levels and the form say. */
class LoggingTest {
    private static final Logger OWN = LoggerFactory.getLogger("io.weir.cluster.some.Class");
    private static final Logger KAFKA = LoggerFactory.getLogger("org.apache.kafka.some.Client");
    private static final Logger SCALA = LoggerFactory.getLogger("kafka.server.Some");
    private static final Logger OTHER = LoggerFactory.getLogger("org.other.Library");
    private static final List<Logger> ALL = List.of(OWN, KAFKA, SCALA, OTHER);

    /** In the order of Logback: the higher, the fewer messages. */
    private static final List<String> LEVELS =
            List.of("trace", "debug", "info", "warn", "error", "off");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @AfterEach
    void end() {
        Logging.end();
    }

    private String written() {
        String text = bytes.toString(StandardCharsets.UTF_8);
        bytes.reset();
        return text;
    }

    /** Random settings one after another; the oracle reads the text from its start. */
    @Test
    void theLastPartThatFitsALoggerCounts() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        String[] names = {"weir", "kafka", "org.other", "org.other.Library", "nobody", null};
        for (int round = 0; round < 300; round++) {
            List<String> parts = new ArrayList<>();
            int[] least = {2, 5, 5, 5};
            int[] length = {1, 0, 0, 0}; // of the name that holds, for the longest one counts
            for (int part = 0; part <= random.nextInt(5); part++) {
                int level = random.nextInt(LEVELS.size());
                String name = names[random.nextInt(names.length)];
                parts.add((name == null ? "" : name + "=") + LEVELS.get(level));
                for (int l = 0; l < ALL.size(); l++) {
                    int reach = reach(name, l);
                    if (name == null || reach >= length[l] && reach > 0) {
                        least[l] = level;
                        length[l] = name == null ? 0 : reach;
                    }
                }
            }
            String setting = String.join(",", parts);
            Logging.begin(err, LogForm.TIMED, LogLevels.parse("--log", setting));
            for (int l = 0; l < ALL.size(); l++) {
                for (int level = 0; level < 5; level++) {
                    Level at = Level.valueOf(LEVELS.get(level).toUpperCase(java.util.Locale.ROOT));
                    ALL.get(l).atLevel(at).log("hello");
                    String what = "seed " + seed + ": " + setting + " " + ALL.get(l).getName();
                    assertEquals(level >= least[l], written().contains("hello"), what + " " + at);
                }
            }
        }
    }

    /** How much of a logger's name a part's name covers; 0: it is another one's. */
    private static int reach(String name, int logger) {
        if (name == null) {
            return 0;
        }
        return switch (name) {
            case "weir" -> logger == 0 ? 1 : 0;
            case "kafka" -> logger == 1 || logger == 2 ? 1 : 0;
            case "org.other" -> logger == 3 ? 1 : 0;
            case "org.other.Library" -> logger == 3 ? 2 : 0;
            default -> 0;
        };
    }

    @Test
    void wrongLevelsAreRefused() {
        for (String wrong :
                List.of("loud", "", "weir=", "=warn", "a=b=warn", "info,", "weir=info,kafka")) {
            WeirException e =
                    assertThrows(WeirException.class, () -> LogLevels.parse("--log", wrong), wrong);
            assertEquals(ErrorCode.INVALID_OPTION, e.code());
            assertTrue(e.text().contains("--log " + wrong + " cannot be"), e.text());
            assertTrue(e.text().contains("off, error, warn, info, debug, trace"), e.text());
        }
    }

    @Test
    void eachFormIsForItsReader() {
        LogLevels all = LogLevels.parse("--log", "info");
        Logging.begin(err, LogForm.PLAIN, all);
        OWN.info("listening on {}", 7);
        OWN.warn("gone");
        assertEquals(String.format("listening on 7%nnote: gone%n"), written());
        KAFKA.warn("gone");
        assertTrue(written().matches("\\S+Z WARN  org.apache.kafka.some.Client: gone\\R"));
        Logging.begin(err, LogForm.TIMED, all);
        OWN.warn("gone");
        String timed = "20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z WARN  gone\\R";
        assertTrue(written().matches(timed));
        Logging.begin(err, LogForm.JOURNAL, all);
        OWN.info("here");
        OWN.warn("gone");
        KAFKA.error("bad");
        assertEquals(
                String.format("<6>here%n<4>gone%n<3>org.apache.kafka.some.Client: bad%n"),
                written());
    }

    /** Names of queries, and answers of other programs, are in messages. */
    @Test
    void aTextForgesNoMessage() {
        String forged = "x\r\n2026-01-01T00:00:00.000Z ERROR all is lost\n<2>\u001b[2Jbye\u009b1m";
        for (LogForm form : LogForm.values()) {
            Logging.begin(err, form, LogLevels.DEFAULT);
            OWN.info("{}", forged);
            String text = written();
            assertFalse(text.matches("(?s).*[\\p{Cntrl}&&[^\n]].*|.*\\x9b.*"), form + text);
            List<String> lines = text.lines().toList();
            assertEquals(3, lines.size(), text);
            String begin = form == LogForm.JOURNAL ? "<6>  " : "  ";
            assertTrue(lines.stream().skip(1).allMatch(line -> line.startsWith(begin)), text);
        }
    }

    @Test
    void aFailureHasItsStack() {
        Logging.begin(err, LogForm.JOURNAL, LogLevels.DEFAULT);
        OWN.error("it failed", new IllegalStateException("so it is"));
        List<String> lines = written().lines().toList();
        assertEquals("<3>it failed", lines.get(0));
        assertTrue(lines.get(1).contains("IllegalStateException: so it is"), lines.toString());
        assertTrue(lines.stream().allMatch(line -> line.startsWith("<3>")), lines.toString());
    }

    /** The journal's socket is told by device and number; another stream has others. */
    @Test
    void onlyTheJournalItselfGetsItsForm() {
        assertEquals(LogForm.TIMED, LogForm.ofService(Map.of()));
        assertEquals(LogForm.TIMED, LogForm.ofService(Map.of("JOURNAL_STREAM", "8:1")));
    }
}
