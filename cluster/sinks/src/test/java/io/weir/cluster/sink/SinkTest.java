package io.weir.cluster.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the formats print, byte by byte. */
class SinkTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long T = 1_795_218_001L * SECOND; // 2026-11-20T23:40:01Z

    private static final Query EVERY_KIND =
            Batches.query(
                    "q1",
                    Batches.column("b", Kind.BOOLEAN),
                    Batches.column("n", Kind.BIGINT),
                    Batches.column("d", Kind.DOUBLE),
                    Batches.column("ts", Kind.TIMESTAMP),
                    Batches.column("i", Kind.INTERVAL),
                    Batches.column("addr", Kind.INET),
                    Batches.column("mac", Kind.MACADDR),
                    Batches.column("node \"x\"", Kind.VARCHAR));

    private final NativeAllocator allocator = new NativeAllocator(1 << 20);
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @AfterEach
    void noLeak() {
        allocator.close();
    }

    private String print(Format format, Query query, Object[]... rows) {
        try (OutputSink sink = format.sink(new TextOut(bytes), List.of(query));
                RowBatch batch =
                        Batches.of(query, Long.MIN_VALUE, Long.MAX_VALUE, allocator, rows)) {
            sink.rows(batch);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void csvHasItsHeaderWhenTheRunEndsAndNothingWhenItFails() {
        Query query = Batches.query("q", Batches.column("n", Kind.BIGINT));
        Format.CSV.sink(new TextOut(bytes), List.of(query)).close();
        assertEquals("", bytes.toString(StandardCharsets.UTF_8));
        try (OutputSink sink = Format.CSV.sink(new TextOut(bytes), List.of(query))) {
            sink.end();
        }
        assertEquals("n\n", bytes.toString(StandardCharsets.UTF_8));
    }

    private static Object[] values() {
        Inet v6 = InetText.parse("2001:db8::1").orElseThrow();
        return new Object[] {
            true, Long.MIN_VALUE, 0.1, T + 5, 90 * SECOND, v6, 0x0a0b0c0d0e0fL, "a,\"b\""
        };
    }

    private static Object[] nulls() {
        return new Object[8];
    }

    @Test
    void csvQuotesAndLeavesNullEmpty() {
        assertEquals(
                """
                b,n,d,ts,i,addr,mac,"node ""x""\"
                true,-9223372036854775808,0.1,2026-11-20T23:40:01.000000005Z,PT1M30S,\
                2001:db8::1,0a:0b:0c:0d:0e:0f,"a,""b""\"
                ,,,,,,,
                """,
                print(Format.CSV, EVERY_KIND, values(), nulls()));
    }

    @Test
    void csvHasItsHeaderWithoutRows() {
        assertEquals(
                "n\n", print(Format.CSV, Batches.query("q", Batches.column("n", Kind.BIGINT))));
    }

    @Test
    void jsonNamesTheQueryFirst() {
        assertEquals(
                """
                {"query":"q1","b":true,"n":-9223372036854775808,"d":0.1,\
                "ts":"2026-11-20T23:40:01.000000005Z","i":"PT1M30S","addr":"2001:db8::1",\
                "mac":"0a:0b:0c:0d:0e:0f","node \\"x\\"":"a,\\"b\\""}
                {"query":"q1","b":null,"n":null,"d":null,"ts":null,"i":null,"addr":null,\
                "mac":null,"node \\"x\\"":null}
                """,
                print(Format.JSON, EVERY_KIND, values(), nulls()));
    }

    @Test
    void jsonHasNoNumberForNaN() {
        Query query = Batches.query("q", Batches.column("d", Kind.DOUBLE));
        assertEquals(
                "{\"query\":\"q\",\"d\":null}\n{\"query\":\"q\",\"d\":12.0}\n",
                print(Format.JSON, query, new Object[] {Double.NaN}, new Object[] {12.0}));
    }

    @Test
    void tableAlignsNumbersToTheRight() {
        Query query =
                Batches.query(
                        "top",
                        Batches.column("src_addr", Kind.INET),
                        Batches.column("n", Kind.BIGINT));
        assertEquals(
                """
                top
                src_addr       n
                ---------  -----
                10.0.0.1       7
                10.0.0.22  12345
                """,
                print(
                        Format.TABLE,
                        query,
                        new Object[] {Inet.v4(0x0a000001), 7},
                        new Object[] {Inet.v4(0x0a000016), 12345}));
    }

    @Test
    void tableHasAHeadingForEachWindow() {
        Query query = Batches.windowed("w", Batches.column("n", Kind.BIGINT));
        OutputSink sink = Format.TABLE.sink(new TextOut(bytes), List.of(query));
        for (int i = 0; i < 2; i++) {
            long start = T + i * SECOND;
            Object[] row = {i};
            try (RowBatch batch = Batches.of(query, start, start + SECOND, allocator, row)) {
                sink.rows(batch);
            }
        }
        assertEquals(
                """
                w  2026-11-20T23:40:01.000000000Z to 2026-11-20T23:40:02.000000000Z
                n
                -
                0

                w  2026-11-20T23:40:02.000000000Z to 2026-11-20T23:40:03.000000000Z
                n
                -
                1
                """,
                bytes.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aClosedPipeIsKnownAsOne() {
        OutputStream broken =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                };
        TextOut out = new TextOut(broken);
        out.put("text");
        OutputClosed closed = assertThrows(OutputClosed.class, out::flush);
        assertTrue(closed.isBrokenPipe());
    }
}
