package io.weir.operators.kernel.code;

import io.weir.operators.graph.Symbol;
import java.util.List;

/**
 * A generated class and the literals that its constructor takes.
 *
 * @param text the same for queries that differ only in literals
 * @param symbols the strings among the literals; the owner of an instance keeps them
 * @param comment describes the literals
 */
public record GeneratedSource(
        String className, String text, List<Long> literals, List<Symbol> symbols, String comment) {
    public static final String PACKAGE = "io.weir.operators.kernel.generated";

    /**
     * The imports name classes, not packages. Janino looks for every name in every imported
     * package.
     */
    private static final List<String> IMPORTS =
            List.of(
                    "io.weir.operators.gpv.TupleMatch",
                    "io.weir.operators.gpv.TupleSum",
                    "io.weir.operators.graph.SymbolSet",
                    "io.weir.operators.kernel.Finisher",
                    "io.weir.operators.kernel.Gather",
                    "io.weir.operators.kernel.GatherKernel",
                    "io.weir.operators.kernel.Kernel",
                    "io.weir.operators.kernel.Merger",
                    "io.weir.operators.kernel.RowContext",
                    "io.weir.operators.kernel.RowPredicate",
                    "io.weir.operators.map.Batch",
                    "io.weir.operators.map.FlatMap1",
                    "io.weir.operators.map.FlatMap2",
                    "io.weir.operators.map.FlatMapDirect",
                    "io.weir.operators.map.FlatMapInt",
                    "io.weir.operators.map.FlatMapN",
                    "io.weir.operators.memory.Memory",
                    "io.weir.operators.memory.Prefetch",
                    "io.weir.operators.rows.RowBatch",
                    "io.weir.operators.table.TableReader",
                    "io.weir.operators.window.Panes",
                    "io.weir.operators.window.RowBuffer",
                    "io.weir.operators.window.Tables");

    static GeneratedSource of(String name, String extending, Block members, Literals literals) {
        return of(name, extending, members, literals, "");
    }

    /**
     * Makes the source of a class.
     *
     * @param base arguments for the constructor of the class that it extends
     */
    static GeneratedSource of(
            String name, String extending, Block members, Literals literals, String base) {
        Block type = new Block();
        Block body = type.braces("public final class " + name + " " + extending);
        literals.declare(body, name, base);
        body.line("").add(members);
        String text = type.text();
        StringBuilder whole = new StringBuilder("package " + PACKAGE + ";\n\n");
        for (String imported : IMPORTS) {
            String simple = imported.substring(imported.lastIndexOf('.') + 1);
            if (names(text, simple)) {
                whole.append("import ").append(imported).append(";\n");
            }
        }
        whole.append('\n').append(text);
        String full = PACKAGE + "." + name;
        return new GeneratedSource(
                full, whole.toString(), literals.words(), literals.symbols(), literals.comment());
    }

    /**
     * Returns whether the text has the word, as a whole. It is coded by hand because a pattern was
     * too slow.
     */
    private static boolean names(String text, String word) {
        int at = text.indexOf(word);
        while (at >= 0 && !isWhole(text, at, at + word.length())) {
            at = text.indexOf(word, at + 1);
        }
        return at >= 0;
    }

    private static boolean isWhole(String text, int from, int to) {
        boolean begins = from == 0 || !Character.isJavaIdentifierPart(text.charAt(from - 1));
        return begins && (to == text.length() || !Character.isJavaIdentifierPart(text.charAt(to)));
    }

    /** Returns the text that EXPLAIN (KERNEL) shows. */
    public String shown() {
        return comment + text;
    }
}
