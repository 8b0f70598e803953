package io.weir.cluster.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.cluster.service.TinyCluster;
import io.weir.testing.Await;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dashboards, alert rules and the runbook, held against what a real cluster says of itself. */
class OperationsTest {
    private static final Path OPERATIONS = Path.of("../../docs/operations");
    private static final Path RULES = OPERATIONS.resolve("prometheus/weir.rules.yml");
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:weir|jvm|process)_[a-z0-9_]+)(?![a-z0-9_.])");
    private static final Pattern STAGE = Pattern.compile("stage=~?\"([a-z ]+)\"");

    /** What has no series before something was lost, or left out. */
    private static final Pattern WHERE_ALL_IS_WELL =
            Pattern.compile("weir_stage_(lost|excluded)_total");

    /** What the dashboards use of Grafana's schema for dashboards, panels and queries. */
    private static final Set<String> MEMBERS =
            Set.of(
                    ("annotations calcs collapsed colorMode current datasource defaults description"
                                    + " editable expr fieldConfig from graphMode gridPos h id includeAll"
                                    + " justifyMode label legendFormat list matcher min multi name options"
                                    + " orientation overrides panels percentChangeColorMode properties query"
                                    + " reduceOptions refId refresh schemaVersion showPercentChange tags"
                                    + " targets templating text textMode time timezone title to type uid unit"
                                    + " value version w wideLayout x y")
                            .split(" "));

    private static final Set<String> UNITS =
            Set.of("short", "s", "bytes", "Bps", "cps", "reqps", "percentunit");
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
        List<String> all = new ArrayList<>(shown());
        all.addAll(watched());
        assertTrue(all.size() > 60, "only " + all.size());
        return all;
    }

    /** By dashboards, with values in the place of Grafana's variables. */
    private static List<String> shown() throws IOException {
        List<String> all = new ArrayList<>();
        for (Path dashboard : dashboards()) {
            for (String expression : members(dashboard, "expr")) {
                all.add(expression.replace("$__rate_interval", "10s").replace("$worker", ".*"));
            }
        }
        return all;
    }

    /** By alerts. */
    private static List<String> watched() throws IOException {
        List<String> all = new ArrayList<>();
        String rules = Files.readString(RULES);
        Matcher rule = Pattern.compile("(?s)    expr: (.*?)\n    (?:for|labels):").matcher(rules);
        while (rule.find()) {
            all.add(rule.group(1).replaceFirst("^>-", ""));
        }
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
            answered(cluster);
        }
    }

    /** Where there is a Prometheus: each panel has something to show, and no alert is an error. */
    private void answered(TinyCluster cluster) throws Exception {
        if (!RealPrometheus.isThere()) {
            return;
        }
        String pages =
                cluster.pages().stream()
                        .map(page -> "'127.0.0.1:" + cluster.port(page) + "'")
                        .collect(Collectors.joining(", "));
        String job = "- job_name: weir\n  static_configs: [{targets: [" + pages + "]}]\n";
        try (RealPrometheus prometheus = RealPrometheus.start(directory, job)) {
            Set<String> silent = new TreeSet<>(shown());
            silent.removeIf(expression -> WHERE_ALL_IS_WELL.matcher(expression).find());
            Await.until(
                    () -> {
                        silent.removeAll(answered(prometheus, silent));
                        return silent.isEmpty();
                    },
                    () -> silent + prometheus.log());
            var unused = answered(prometheus, expressions());
        }
    }

    /** Those that have an answer, and not an empty one. */
    private static Set<String> answered(RealPrometheus prometheus, Collection<String> asked)
            throws InterruptedException {
        Set<String> answered = new HashSet<>();
        for (String expression : asked) {
            String answer = prometheus.answer(expression);
            assertFalse(answer.contains("\"status\":\"error\""), expression + answer);
            if (answer.contains("\"value\":")) {
                answered.add(expression);
            }
        }
        return answered;
    }

    /** A misspelt one is passed over by Grafana without a word. */
    @Test
    void membersAndUnitsAreGrafanas() throws Exception {
        for (Path dashboard : dashboards()) {
            Set<String> names = new TreeSet<>();
            try (JsonParser parser = new JsonFactory().createParser(dashboard.toFile())) {
                for (JsonToken at = parser.nextToken(); at != null; at = parser.nextToken()) {
                    if (at == JsonToken.FIELD_NAME) {
                        names.add(parser.currentName());
                    }
                }
            }
            names.removeAll(MEMBERS);
            assertEquals(Set.of(), names, dashboard + ": is this in Grafana's schema?");
            Set<String> units = new TreeSet<>(members(dashboard, "unit"));
            units.removeAll(UNITS);
            assertEquals(Set.of(), units, dashboard + ": is this a unit of Grafana's?");
        }
    }

    @Test
    void everyPanelHasAPlaceOfItsOwn() throws Exception {
        Set<String> uids = new HashSet<>();
        for (Path dashboard : dashboards()) {
            List<String> ids = new ArrayList<>(members(dashboard, "id"));
            ids.removeIf(id -> !id.matches("\\d+")); // of panels, not of what overrides match
            assertEquals(ids.size(), new HashSet<>(ids).size(), dashboard + ": ids twice");
            assertTrue(ids.size() > 15, dashboard.toString());
            assertFalse(members(dashboard, "title").contains(""), dashboard + ": a title");
            assertFalse(members(dashboard, "description").contains(""), dashboard + ": a text");
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
            assertTrue(headings.contains(alert), "runbook.md has no ## " + alert);
            assertTrue(tests.contains("alertname: " + alert + "\n"), alert + " is not tested");
        }
        headings.removeIf(heading -> !heading.startsWith("Weir"));
        assertEquals(alerts, headings);
    }

    /** Where the packages put the documents, and also where somebody else serves them. */
    @Test
    void everyAlertsLinkLeadsToItsParagraph() throws Exception {
        Matcher prefix =
                Pattern.compile("<prefix>(/usr/share/doc/[^<]+)</prefix>")
                        .matcher(Files.readString(Path.of("../cli/pom.xml")));
        assertTrue(prefix.find());
        String installed = "file://" + prefix.group(1) + "/";
        Matcher rule =
                Pattern.compile("(?s)- alert: (\\w+)\n.*?runbook_url: (\\S+)\n")
                        .matcher(Files.readString(RULES));
        int links = 0;
        for (; rule.find(); links++) {
            String[] link = rule.group(2).split("#");
            assertTrue(link[0].startsWith(installed), link[0]);
            Path document = Path.of("../../docs", link[0].substring(installed.length()));
            assertEquals(rule.group(1).toLowerCase(Locale.ROOT), link[1]);
            assertTrue(
                    Files.readAllLines(document).contains("## " + rule.group(1)),
                    document + " has no " + link[1]);
        }
        assertEquals(found(ALERT, List.of(Files.readString(RULES))).size(), links);
        String advice = Files.readString(OPERATIONS.resolve("metrics.md"));
        assertTrue(advice.contains("sed 's#" + installed.replaceFirst("/$", "") + "#"), advice);
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
