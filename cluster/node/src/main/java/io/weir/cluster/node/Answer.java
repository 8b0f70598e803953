package io.weir.cluster.node;

import io.weir.cluster.catalog.AuditNoting;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Type;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The execution of a prepared statement. */
public sealed interface Answer {
    /** The rows of SELECT and SUBSCRIBE as they come. Each execution makes its own producer. */
    record Flow(List<Variable> columns, Supplier<RowProducer> producer) implements Answer {
        public Flow {
            columns = List.copyOf(columns);
        }
    }

    /**
     * A few rows of text, at once, of SHOW, DESCRIBE and EXPLAIN.
     *
     * @param numbers which columns have only whole numbers, or nothing
     * @param decimals which columns have only numbers, or nothing
     */
    record Texts(
            List<String> headings,
            Set<String> numbers,
            Set<String> decimals,
            Supplier<List<List<String>>> rows)
            implements Answer {
        public Texts {
            headings = List.copyOf(headings);
            numbers = Set.copyOf(numbers);
            decimals = Set.copyOf(decimals);
        }

        public Texts(
                List<String> headings, Set<String> numbers, Supplier<List<List<String>>> rows) {
            this(headings, numbers, Set.of(), rows);
        }

        public Texts(List<String> headings, Supplier<List<List<String>>> rows) {
            this(headings, Set.of(), rows);
        }

        /** Returns the same for programs: numbers are numbers. */
        public Snapshot snapshot() {
            List<Variable> columns =
                    headings.stream().map(name -> Variable.column(name, type(name))).toList();
            return new Snapshot(columns, () -> rows.get().stream().map(this::values).toList());
        }

        private Type type(String heading) {
            if (decimals.contains(heading)) {
                return Type.DOUBLE;
            }
            return numbers.contains(heading) ? Type.BIGINT : Type.VARCHAR;
        }

        private Object[] values(List<String> row) {
            Object[] values = row.toArray();
            for (int i = 0; i < values.length; i++) {
                if (numbers.contains(headings.get(i))) {
                    values[i] = row.get(i).isEmpty() ? null : Long.valueOf(row.get(i));
                } else if (decimals.contains(headings.get(i))) {
                    values[i] = row.get(i).isEmpty() ? null : Double.valueOf(row.get(i));
                }
            }
            return values;
        }
    }

    /**
     * The rows of SELECT from sys at one moment. A column has a Long, Double, Boolean, text or
     * null.
     */
    record Snapshot(List<Variable> columns, Supplier<List<Object[]>> rows) implements Answer {
        public Snapshot {
            columns = List.copyOf(columns);
        }
    }

    /**
     * A change of the catalogue, without rows: CREATE and DROP.
     *
     * @param action returns the new version, if there is one and it is known
     * @param noted does the same, if the catalogue can write the change and its note together
     */
    record Change(
            Supplier<OptionalLong> action, Optional<Function<AuditNoting, OptionalLong>> noted)
            implements Answer {
        /** Makes a change that the caller must note. */
        public Change(Supplier<OptionalLong> action) {
            this(action, Optional.empty());
        }

        /** Makes a change that writes its own note. */
        public static Change noted(Function<Optional<AuditNoting>, OptionalLong> action) {
            return new Change(
                    () -> action.apply(Optional.empty()),
                    Optional.of(note -> action.apply(Optional.of(note))));
        }

        /** Returns the same change inside another action. */
        public Change within(UnaryOperator<Supplier<OptionalLong>> care) {
            return new Change(
                    care.apply(action),
                    noted.map(make -> note -> care.apply(() -> make.apply(note)).get()));
        }
    }
}
