package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.node.PcapFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random chains of queries over queries mean the same as a plain walk over their rows: windows of
 * odd lengths, filters, totals, SELECT DISTINCT and flows, in {@code weir run} of any shape and, at
 * the end of the input, in {@code weir sql}.
 */
class RowsOfRowsOracleTest {
    private static final int ROUNDS = Integer.getInteger("weir.rounds", 40);
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":(\"[^\"]*\"|[-\\w.]+)");

    @TempDir private Path folder;

    private final long seed = Long.getLong("weir.seed", 41);
    private final List<RowsModel.Row> packets = new ArrayList<>();
    private String pcap;

    private void capture(Random random) {
        packets.clear();
        PcapFile file = new PcapFile();
        long nowNs = random.nextInt(1_000_000_000);
        for (int i = 0; i < 600; i++) {
            nowNs +=
                    random.nextInt(40) == 0
                            ? random.nextInt(2_000_000_000)
                            : random.nextInt(20_000_000);
            long atNs =
                    Math.max(0, nowNs - (random.nextInt(5) == 0 ? random.nextInt(400_000_000) : 0));
            int port = random.nextInt(9);
            int bytes = 28 + random.nextInt(300);
            file.udp(atNs, 0x0a000001, 0x0a000100 + port, port, bytes);
            long tsNs = PcapFile.START_NS + atNs;
            packets.add(new RowsModel.Row(tsNs, tsNs, port, 1, bytes));
        }
        pcap = file.write(folder.resolve("p.pcap")).toString();
    }

    @Test
    void chainsOfQueriesAreWhatTheModelSays() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            capture(random);
            RowsModel model = new RowsModel(random, packets);
            String where = "-Dweir.seed=" + (seed + round) + "\n" + model.sql();
            List<String> expected =
                    model.rows().stream().map(r -> text(model, r)).sorted().toList();
            for (String pipelines : List.of("1", "2")) {
                assertEquals(expected, run(model, pipelines), where);
            }
            if (model.form() == RowsModel.Form.TABLE) {
                assertEquals(expected, selected(model), "weir sql " + where);
            }
        }
    }

    private List<String> run(RowsModel model, String pipelines) {
        Cli.Result result =
                Cli.run(
                        "run",
                        "-e",
                        model.sql(),
                        "--pcap",
                        pcap,
                        "--format",
                        "json",
                        "--query",
                        model.name(),
                        "--pipelines",
                        pipelines);
        assertEquals(0, result.code(), result.err() + model.sql());
        return result.out().lines().map(RowsOfRowsOracleTest::text).sorted().toList();
    }

    private List<String> selected(RowsModel model) {
        String script = model.sql() + "SELECT k, n, b FROM " + model.name() + ";";
        Cli.Result result = Cli.run("sql", "--pcap", pcap, "-e", script);
        assertEquals(0, result.code(), result.err());
        return result.out()
                .lines()
                .filter(line -> line.startsWith("|"))
                .skip(1)
                .map(line -> line.replace("|", " ").strip().replaceAll(" +", " "))
                .sorted()
                .toList();
    }

    private static String text(RowsModel model, RowsModel.Row row) {
        String times =
                switch (model.form()) {
                    case TABLE -> "";
                    case PACKETS -> row.startNs() + " ";
                    case WINDOWS -> row.startNs() + " " + row.endNs() + " ";
                };
        return times + row.k() + " " + row.n() + " " + row.b();
    }

    private static String text(String json) {
        String[] values = new String[6];
        Matcher field = FIELD.matcher(json);
        while (field.find()) {
            String value = field.group(2).replace("\"", "");
            switch (field.group(1)) {
                case "ts", "window_start" -> values[0] = ns(value);
                case "window_end" -> values[1] = ns(value);
                case "k" -> values[2] = value;
                case "n" -> values[3] = value;
                case "b" -> values[4] = value;
                default -> {}
            }
        }
        StringBuilder text = new StringBuilder();
        for (String value : values) {
            text.append(value == null ? "" : value + " ");
        }
        return text.toString().strip();
    }

    private static String ns(String time) {
        Instant at = Instant.parse(time);
        return Long.toString(at.getEpochSecond() * 1_000_000_000L + at.getNano());
    }
}
