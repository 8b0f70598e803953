package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestQueryTest {
    private static final Path DEMO =
            Path.of("..", "..", "demo", "capture.pcap").toAbsolutePath().normalize();
    private static final String BY_PROTOCOL =
            "CREATE QUERY protocols AS SELECT PROTOCOL_NAME(proto) AS name, COUNT(*) AS n,"
                    + " AVG(bytes) AS mean FROM packets GROUP BY proto";

    @TempDir private Path folder;

    private Cli.Result test(String rows) throws IOException {
        Path expected = folder.resolve("rows.csv");
        Files.writeString(expected, rows);
        String test = "TEST QUERY protocols ON '" + DEMO + "' EXPECT '" + expected + "'";
        return run(BY_PROTOCOL + "; " + test);
    }

    private Cli.Result run(String sql) {
        return Cli.run("run", "--tables", folder + "," + DEMO.getParent(), "-e", sql);
    }

    private String rows() {
        Cli.Result result =
                Cli.run("run", "--pcap", DEMO.toString(), "--format", "csv", "-e", BY_PROTOCOL);
        assertEquals(0, result.code(), result.err());
        return result.out();
    }

    @Test
    void rowsInAnyOrderAndAlmostEqualNumbersPass() throws IOException {
        String rows = rows();
        String[] lines = rows.split("\n");
        String swapped =
                lines[0] + "\n" + lines[2] + "\n" + lines[1] + "\n" + lines[3] + "\r\n" + lines[4];
        Cli.Result result = test(swapped);
        assertEquals(0, result.code(), result.err());
        assertTrue(result.out().contains("passed"), result.out());
    }

    @Test
    void aDifferenceShowsTheRowsOfBothSides() throws IOException {
        Cli.Result result = test(rows().replace("UDP,135,", "UDP,134,") + "XNS,1,2.0\n");
        assertEquals(2, result.code(), result.err());
        assertTrue(result.err().contains("error TEST_FAILED: "), result.err());
        assertTrue(
                result.err().contains(": 2 missing, 1 not expected\n  - UDP,134,"), result.err());
        assertTrue(result.err().contains("\n  - XNS,1,2.0\n  + UDP,135,"), result.err());
    }

    @Test
    void otherColumnsFail() throws IOException {
        Cli.Result result = test("name,n\n");
        assertEquals(2, result.code(), result.err());
        assertTrue(
                result.err().contains("the columns differ\n  - name,n\n  + name,n,mean"),
                result.err());
    }

    @Test
    void theOrderOfASortedQueryCounts() throws IOException {
        Path expected = folder.resolve("rows.csv");
        Files.writeString(expected, "proto\n17\n6\n");
        String test =
                "TEST QUERY SELECT proto FROM packets WHERE proto IN (6, 17) GROUP BY proto"
                        + " ORDER BY proto ON '"
                        + DEMO
                        + "' EXPECT '"
                        + expected
                        + "'";
        Cli.Result result = run(test);
        assertEquals(2, result.code(), result.err());
        assertTrue(
                result.err().contains("another order from row 1 on\n  - 17\n  + 6"), result.err());
        Files.writeString(expected, "proto\n6\n17\n");
        assertEquals(0, run(test).code());
    }

    @Test
    void filesThatAreNotThereAreNamed() {
        String test = "TEST QUERY SELECT proto FROM packets ON '%s' EXPECT '%s'";
        Cli.Result noRows = run(test.formatted(DEMO, folder.resolve("none.csv")));
        assertTrue(noRows.err().contains("error UNREADABLE_INPUT: "), noRows.err());
        assertTrue(noRows.err().contains("none.csv cannot be read"), noRows.err());
    }

    @Test
    void filesOutsideOfTheFoldersAreNotRead() throws IOException {
        Files.writeString(folder.resolve("rows.csv"), "proto\n");
        Path link = Files.createSymbolicLink(folder.resolve("link.pcap"), DEMO);
        String test = "TEST QUERY SELECT proto FROM packets ON '%s' EXPECT 'rows.csv'";
        for (Object capture : new Object[] {DEMO, link, "../" + DEMO.getFileName()}) {
            Cli.Result result =
                    Cli.run("run", "--tables", folder.toString(), "-e", test.formatted(capture));
            assertTrue(
                    result.err().contains(capture + " cannot be read: it is not in " + folder),
                    result.err());
        }
    }
}
