package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.capture.CapturePath;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Fifo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SourcesTest {
    @TempDir private Path folder;

    private static SourceSpec one(String uri) {
        List<SourceSpec> specs = Sources.parse(uri, "local");
        assertEquals(1, specs.size());
        return specs.get(0);
    }

    @Test
    void aUriNamesAFileItsNodeAndItsOptions() {
        assertEquals(SourceSpec.pcap("local", Path.of("/a/b.pcap")), one("pcap:/a/b.pcap"));
        assertEquals(SourceSpec.pcap("tap1", Path.of("b c.pcap")), one("pcap:b c.pcap?node=tap1"));
        assertEquals(Path.of("what?.pcap"), one("pcap:what%3F.pcap").path());
        assertEquals(Path.of("50%.pcap"), one("PCAP:50%25.pcap").path());
        assertEquals(CapturePath.STANDARD_INPUT, one("pcap:-").path());
        SourceSpec live = one("pcap:-?live=true&node=x");
        assertEquals(Map.of("live", "true"), live.options());
        assertTrue(live.isLive() && live.isReadOnce());
        assertFalse(one("pcap:-").isLive());
        assertTrue(one("pcap:-").isReadOnce());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pcp:/a.pcap | there is no source pcp: | did you mean pcap?",
                "kafka:/a | there is no source kafka: | the schemes are pcap",
                "/a.pcap | /a.pcap is no source: a scheme and a colon are missing"
                        + " | pcap:/a.pcap reads a capture file; the schemes are pcap",
                "pcap:/a?nod=b | pcap: takes no option 'nod' | did you mean node?",
                "pcap:/a?zzzzzz=b | pcap: takes no option 'zzzzzz' | its options are follow, lateness, live, node, speed, timeout",
                "pcap:/a?node | the option node has no value | node=…",
                "pcap:/a?node=a&node=b | the option node is given twice | give it once",
                "pcap:/a?node=a b | node=a b cannot be"
                        + " | 'up to 64 letters, digits, and any of _ . : -, as node=tap1'",
                "pcap:/a?lateness=soon | lateness=soon cannot be"
                        + " | 'a time such as 250ms or 2s, up to 87600h'",
                "pcap:/a?timeout=11h | timeout=11h cannot be"
                        + " | 'a time such as 250ms or 2s, up to 10h'",
                "pcap:/a?live=yes | live=yes cannot be | live=true or live=false",
                "pcap:/a%zz | in pcap:/a%zz % is not followed by two hex digits | % is %25",
                "pcap: | pcap: names no file | 'pcap:/path/to/file.pcap, or pcap:-'",
            })
    void whatIsNoSourceIsAnErrorWithARemedy(String uri, String error, String hint) {
        WeirException e = assertThrows(WeirException.class, () -> Sources.parse(uri, "local"));
        assertEquals(ErrorCode.INVALID_OPTION, e.code());
        assertEquals(error, e.getMessage());
        assertEquals(hint, e.hint().orElse(""));
    }

    @Test
    void liveAndFiniteSourcesAreNotTogether() throws IOException {
        Path file = Files.createFile(folder.resolve("a.pcap"));
        Path fifo = Fifo.in(folder, "pipe");
        SourceSpec finite = SourceSpec.pcap("a", file);
        SourceSpec live = SourceSpec.pcap("b", fifo).with("live", "true");
        WeirException mixed =
                assertThrows(WeirException.class, () -> Sources.checkAll(List.of(finite, live)));
        assertEquals(file + " is finite, and " + fifo + " is live", mixed.getMessage());
        WeirException twice =
                assertThrows(WeirException.class, () -> Sources.checkAll(List.of(live, live)));
        assertEquals(fifo + " is named twice", twice.getMessage());
        assertThrows(
                WeirException.class, () -> Sources.parse("pcap:" + file + "?live=true", "local"));
        Sources.checkAll(List.of(finite, finite));
    }
}
