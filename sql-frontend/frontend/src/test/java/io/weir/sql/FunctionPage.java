package io.weir.sql;

import io.weir.operators.function.Distinct;
import io.weir.operators.function.Example;
import io.weir.operators.function.Form;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.FunctionLibrary;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.function.SamplePackets;
import io.weir.operators.graph.Kind;
import io.weir.operators.kernel.SampleRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The reference page of functions, made from the registry. */
final class FunctionPage {
    private static final int WIDTH = 100;
    private static final List<String> SHOWN =
            List.of("ts", "bytes", "payload_bytes", "tcp_flags", "tcp_seq", "ip_ttl");

    private static final String INTRODUCTION =
            """
            # Functions

            `SHOW FUNCTIONS` lists them; so does `SELECT * FROM sys.functions`. This page is made from the
            same registry, and a test runs each example. To write the page anew:

                mvn -pl sql-frontend -am test -Dtest=FunctionPageTest -Dweir.write=true \\
                    -Dsurefire.failIfNoSpecifiedTests=false

            Operators (`+`, `<`, `CASE`, …) and types are in [SQL.md](SQL.md). In any function of one row
            a NULL argument gives NULL, unless its text says otherwise. An aggregate passes over rows in
            which an argument is NULL.

            The examples are about these four packets of one flow, from 192.0.2.10 port 40000 to
            198.51.100.5 port 443. An example of a single row shows the value for the first of them.

            """;

    private final StringBuilder page = new StringBuilder(INTRODUCTION);

    static String text() {
        FunctionPage page = new FunctionPage();
        page.packets();
        FunctionRegistry.loaded().libraries().forEach(page::library);
        return page.page.toString();
    }

    private void packets() {
        row(SHOWN);
        row(SHOWN.stream().map(name -> "---").toList());
        for (Map<String, Object> packet : SamplePackets.all()) {
            List<String> cells = new ArrayList<>();
            for (String name : SHOWN) {
                Kind kind = name.equals("ts") ? Kind.TIMESTAMP : Kind.BIGINT;
                cells.add(SampleRun.text(packet.get(name), kind));
            }
            row(cells);
        }
    }

    private void library(FunctionLibrary library) {
        page.append("\n## ").append(library.topic()).append('\n');
        library.functions().forEach(this::function);
    }

    private void function(FunctionDef def) {
        page.append("\n### ").append(def.name()).append("\n\n");
        for (Form form : def.forms()) {
            wrapped("- `" + form.text() + "`: " + form.about() + ".");
        }
        page.append('\n');
        String others =
                def.otherNames().isEmpty()
                        ? ""
                        : " Also called `" + String.join("`, `", def.otherNames()) + "`.";
        String over =
                def.distinct() == Distinct.CHANGES_NOTHING ? " DISTINCT changes nothing." : "";
        String nulls = def.nulls().equals("never") ? " Never NULL." : " NULL " + def.nulls() + ".";
        wrapped("Gives " + def.gives() + "." + nulls + others + over);
        page.append('\n');
        for (Example example : def.examples()) {
            page.append("    ").append(example.sql()).append('\n');
            if (!example.rest().isEmpty()) {
                page.append("        ").append(example.rest()).append('\n');
            }
            page.append("    → ").append(example.value()).append('\n');
        }
    }

    private void wrapped(String text) {
        WrappedLines.lines(text, WIDTH).forEach(line -> page.append(line).append('\n'));
    }

    private void row(List<String> cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
