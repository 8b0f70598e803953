package io.weir.sql;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.graph.Type;
import io.weir.operators.table.StoredTable;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.plan.PlanText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Texts and what must come of them, from files: the text, a line {@code ---}, the expected lines, a
 * line {@code ===}. A text that begins with {@code equery} is that. Parameters are given where the
 * text has them. The queries {@code ddos} and {@code scans} are running, and there is a lookup
 * table {@code bad}.
 */
final class Golden {
    private static final Map<String, String> PARAMETERS =
            Map.of("TH", "40", "A", "10.0.0.1", "NodeX", "edge-1", "W", "5", "K1", "1000");

    private static final String RUNNING =
            """
            CREATE QUERY ddos AS SELECT window_end, dst_addr, COUNT(DISTINCT src_addr) AS sources
            FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr;
            CREATE QUERY scans AS SELECT src_addr, COUNT(DISTINCT dst_port) AS ports
            FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr""";

    private static final TableSchema BAD =
            new TableSchema(
                    List.of(
                            Variable.column("addr", Type.INET),
                            Variable.column("name", Type.VARCHAR.orNull()),
                            Variable.column("score", Type.BIGINT.orNull())),
                    List.of(0),
                    TableSchema.Match.EQUAL);

    record Case(String text, String expected) {}

    private Golden() {}

    static List<Case> cases(String file) throws IOException {
        List<Case> cases = new ArrayList<>();
        try (InputStream stream = Golden.class.getResourceAsStream(file)) {
            String all = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            for (String part : all.split("(?m)^===\n")) {
                int bar = part.indexOf("\n---\n");
                cases.add(new Case(part.substring(0, bar), part.substring(bar + 5)));
            }
        }
        return cases;
    }

    static MapCatalog running() {
        MapCatalog catalog = new MapCatalog();
        for (Statement statement : new SqlFrontend(catalog).parse(RUNNING)) {
            catalog.put(((Statement.CreateQuery) statement).query());
        }
        catalog.put(new StoredTable("bad", BAD));
        return catalog;
    }

    /** Plans, or the error as the user reads it. */
    static String outcome(String text) {
        StringBuilder outcome = new StringBuilder();
        try {
            for (Statement statement : parse(text)) {
                outcome.append(shown(statement));
            }
        } catch (WeirException e) {
            outcome.append(e.text()).append('\n');
        }
        return outcome.toString();
    }

    static List<Statement> parse(String text) {
        SqlFrontend frontend = new SqlFrontend(running());
        boolean equery = text.startsWith("equery ");
        String body = equery ? text.substring(7) : text;
        Map<String, String> given = new HashMap<>(PARAMETERS);
        given.keySet().removeIf(name -> !body.matches("(?s).*\\b" + name + "\\b.*"));
        return equery ? frontend.parseEquery(body, given) : frontend.parse(body, given);
    }

    /** The query of a statement that has one. */
    static Optional<Query> query(Statement statement) {
        if (statement instanceof Statement.Select select) {
            return Optional.of(select.query());
        } else if (statement instanceof Statement.CreateQuery create) {
            return Optional.of(create.query());
        } else if (statement instanceof Statement.Explain explain) {
            return Optional.of(explain.query());
        }
        return Optional.empty();
    }

    private static String shown(Statement statement) {
        if (statement instanceof Statement.Select select) {
            return PlanText.of(select.query());
        } else if (statement instanceof Statement.CreateQuery create) {
            return (create.orReplace() ? "replace " : "create ") + PlanText.of(create.query());
        } else if (statement instanceof Statement.Explain explain) {
            return (explain.kernel() ? "kernel of " : "") + PlanText.explain(explain.query());
        }
        return statement + "\n";
    }
}
