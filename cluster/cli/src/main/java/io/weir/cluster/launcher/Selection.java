package io.weir.cluster.launcher;

import io.weir.cluster.node.Program;
import io.weir.cluster.sink.Format;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import java.util.List;

/** Chooses the queries of a text that are printed. */
final class Selection {
    private Selection() {}

    /**
     * @param name the one to print; null for all, which csv cannot hold (ADR 0022)
     */
    static List<Query> of(Program program, String name, Format format) {
        String names = String.join(", ", program.names());
        if (program.queries().isEmpty()) {
            throw new WeirException(ErrorCode.INVALID_QUERY, "the text has no query to run");
        }
        if (name != null) {
            List<Query> named =
                    program.queries().stream().filter(q -> q.name().equals(name)).toList();
            if (named.isEmpty()) {
                throw new WeirException(
                        ErrorCode.UNKNOWN_QUERY,
                        "the text has no query " + name,
                        "--query takes one of: " + names);
            }
            return named;
        }
        if (format == Format.CSV && program.queries().size() > 1) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "csv has the rows of one query, and the text has " + program.queries().size(),
                    "pick one with --query: " + names);
        }
        return program.queries();
    }
}
