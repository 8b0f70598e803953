package io.weir.operators.kernel.code;

import java.util.List;

/**
 * A generated class and the literals that its constructor takes.
 *
 * @param text the same for queries alike but for literals
 * @param comment what the literals are
 */
public record Source(String className, String text, List<Long> literals, String comment) {
    static final String PACKAGE = "io.weir.operators.kernel.generated";

    private static final String IMPORTS =
            """
            import io.weir.operators.kernel.*;
            import io.weir.operators.map.*;
            import io.weir.operators.memory.Memory;
            import io.weir.operators.result.RowBatch;
            import io.weir.operators.window.*;
            """;

    static Source of(String name, String extending, Block members, Literals literals) {
        Block type = new Block();
        type.line("package " + PACKAGE + ";").line("").line(IMPORTS);
        Block body = type.braces("public final class " + name + " " + extending);
        literals.declare(body, name);
        body.line("").add(members);
        String full = PACKAGE + "." + name;
        return new Source(full, type.text(), literals.words(), literals.comment());
    }

    /** As EXPLAIN (KERNEL) shows it. */
    public String shown() {
        return comment + text;
    }
}
