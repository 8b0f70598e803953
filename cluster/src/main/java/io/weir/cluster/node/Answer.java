package io.weir.cluster.node;

import io.weir.operators.graph.Expr.Variable;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** What a prepared statement does when it is executed. */
public sealed interface Answer {
    /** Rows that flow: of SELECT and SUBSCRIBE. Each execution makes a producer of its own. */
    record Flow(List<Variable> columns, Supplier<RowProducer> producer) implements Answer {
        public Flow {
            columns = List.copyOf(columns);
        }
    }

    /** A few rows of text, at once: of SHOW, DESCRIBE and EXPLAIN. */
    record Texts(List<String> headings, Supplier<List<List<String>>> rows) implements Answer {
        public Texts {
            headings = List.copyOf(headings);
        }
    }

    /**
     * A change of the catalogue, without rows: CREATE and DROP.
     *
     * @param action returns the new version, where there is one and it is known
     */
    record Change(Supplier<OptionalLong> action) implements Answer {}
}
