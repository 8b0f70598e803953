package io.weir.cluster.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.cluster.service.TinyCluster;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dashboards, alert rules and the runbook, held against what a real cluster says of itself. */
class OperationsTest {
    private static final Path OPERATIONS = Path.of("../docs/operations");
    private static final Path RULES = OPERATIONS.resolve("prometheus/weir.rules.yml");
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:weir|jvm|process)_[a-z0-9_]+)(?![a-z0-9_.])");
    private static final Pattern STAGE = Pattern.compile("stage=~?\"([a-z ]+)\"");
    private static final Pattern ALERT = Pattern.compile("(?m)^  - alert: (\\w+)$");

    @TempDir private Path directory;

    private static List<Path> dashboards() throws IOException {
        try (Stream<Path> files = Files.list(OPERATIONS.resolve("grafana"))) {
            return files.sorted().toList();
        }
    }

    /** The values of a member of this name, wherever it stands. */
    private static List<String> members(Path json, String name) throws IOException {
        List<String> values = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(json.toFile())) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.FIELD_NAME
                        && parser.currentName().equals(name)
                        && parser.nextToken().isScalarValue()) {
                    values.add(parser.getText());
                }
            }
        }
        return values;
    }

    private static List<String> expressions() throws IOException {
        List<String> all = new ArrayList<>();
        for (Path dashboard : dashboards()) {
            all.addAll(members(dashboard, "expr"));
        }
        String rules = Files.readString(RULES);
        Matcher rule = Pattern.compile("(?s)    expr: (.*?)\n    (?:for|labels):").matcher(rules);
        while (rule.find()) {
            all.add(rule.group(1));
        }
        assertTrue(all.size() > 60, "only " + all.size());
        return all;
    }

    private static Set<String> found(Pattern pattern, List<String> in) {
        Set<String> found = new TreeSet<>();
        for (String text : in) {
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                found.add(matcher.group(1));
            }
        }
        return found;
    }

    @Test
    void whatTheyAskForIsThere() throws Exception {
        List<String> asked = expressions();
        try (TinyCluster cluster = new TinyCluster(directory, "a", "b")) {
            cluster.createQueries();
            assertThrows(SQLException.class, () -> cluster.execute("DROP QUERY nothing"));
            cluster.await("server", "weir_merge_rows_total", n -> n > 0);
            cluster.await(
                    "worker-a", "weir_query_state_bytes{query=\"here\",worker=\"a\"}", n -> n > 0);
            System.gc(); // so that there is a pause to tell of
            Set<String> missing = new TreeSet<>();
            Set<String> stages = new TreeSet<>();
            long deadline = System.currentTimeMillis() + 60_000;
            do {
                List<String> pages = new ArrayList<>();
                for (String page : cluster.pages()) {
                    pages.addAll(cluster.scrape(page).lines().toList());
                }
                missing = found(METRIC, asked);
                missing.removeAll(
                        found(Pattern.compile("^([a-z0-9_]+)[{ ]"), pages)); // no comments
                stages = found(STAGE, asked);
                stages.removeAll(found(Pattern.compile("[{,]stage=\"([^\"]*)\""), pages));
            } while (!(missing.isEmpty() && stages.isEmpty())
                    && System.currentTimeMillis() < deadline);
            for (String page : cluster.pages()) {
                lint(page, cluster.scrape(page));
            }
            assertEquals(Set.of(), missing, "no page has these metrics");
            assertEquals(Set.of(), stages, "no page has these stages");
        }
    }

    @Test
    void everyPanelHasAPlaceOfItsOwn() throws Exception {
        Set<String> uids = new HashSet<>();
        for (Path dashboard : dashboards()) {
            List<String> ids = members(dashboard, "id");
            assertEquals(ids.size(), new HashSet<>(ids).size(), dashboard + ": ids twice");
            assertTrue(ids.size() > 15, dashboard.toString());
            String uid =
                    members(dashboard, "uid").stream()
                            .filter(u -> u.startsWith("weir-"))
                            .findFirst()
                            .orElseThrow();
            assertTrue(uids.add(uid), uid);
        }
    }

    @Test
    void everyAlertHasItsParagraph() throws Exception {
        String rules = Files.readString(RULES);
        Set<String> headings =
                found(
                        Pattern.compile("(?m)^## (.+)$"),
                        List.of(Files.readString(OPERATIONS.resolve("runbook.md"))));
        Set<String> alerts = found(ALERT, List.of(rules));
        String tests = Files.readString(OPERATIONS.resolve("prometheus/weir.test.yml"));
        assertTrue(alerts.size() >= 18, alerts.toString());
        for (String alert : alerts) {
            String anchor = alert.toLowerCase(Locale.ROOT);
            String url = "runbook_url: docs/operations/runbook.md#" + anchor;
            assertTrue(rules.contains(url), "no " + url);
            assertTrue(headings.contains(alert), "runbook.md has no ## " + alert);
            assertTrue(tests.contains("alertname: " + alert + "\n"), alert + " is not tested");
        }
        headings.removeIf(heading -> !heading.startsWith("Weir"));
        assertEquals(alerts, headings);
    }

    @Test
    void prometheusTakesTheRulesAndTheyFire() throws Exception {
        assumeTrue(Files.isExecutable(PROMTOOL), "no promtool: apt-get install prometheus");
        promtool("check", "rules", RULES.toString());
        promtool("test", "rules", OPERATIONS.resolve("prometheus/weir.test.yml").toString());
    }

    /** Prometheus' own judgement of a page, where there is a Prometheus. */
    private void lint(String name, String page) throws Exception {
        if (Files.isExecutable(PROMTOOL)) {
            Path file = Files.writeString(directory.resolve(name + ".prom"), page);
            promtool(Redirect.from(file.toFile()), "check", "metrics");
        }
    }

    private static void promtool(String... arguments) throws Exception {
        promtool(Redirect.PIPE, arguments);
    }

    private static void promtool(Redirect in, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(PROMTOOL.toString()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command).redirectErrorStream(true).redirectInput(in).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(120, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), said);
    }
}
