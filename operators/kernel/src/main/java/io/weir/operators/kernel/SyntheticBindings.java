package io.weir.operators.kernel;

import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Correlation.Equation;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Made-up bindings, one for each family, so that a warm kernel has seen packets of a binding. */
final class SyntheticBindings {
    private static final long NUMBER = 6;

    private SyntheticBindings() {}

    /**
     * Makes the bindings of a query.
     *
     * @param literals gets their key, by column: some synthetic packets then match
     */
    static Optional<BindingFeed> of(Query query, Map<String, List<Object>> literals) {
        Optional<Correlation> used = query.when().flatMap(when -> when.correlation());
        used.ifPresent(c -> c.equations().forEach(equation -> add(equation, literals)));
        return used.map(SyntheticBindings::feed);
    }

    private static void add(Equation equation, Map<String, List<Object>> literals) {
        if (equation.value() instanceof Expr.Variable column) {
            boolean address = column.type().kind() == Kind.INET;
            literals.computeIfAbsent(column.name(), name -> new ArrayList<>())
                    .addAll(address ? List.of(address(4), address(6)) : List.of(NUMBER));
        }
    }

    private static Inet address(int family) {
        return family == 4 ? Inet.v4((int) NUMBER) : Inet.v6(NUMBER, NUMBER);
    }

    private static BindingFeed feed(Correlation correlation) {
        BindingFeed feed = new BindingFeed(correlation, 0);
        int valueWords = BindingFeed.valueWords(correlation);
        for (int family : new int[] {4, 6}) {
            long[] key = new long[BindingFeed.keyWords(correlation)];
            int at = 0;
            for (Equation equation : correlation.equations()) {
                boolean address = equation.column().type().kind() == Kind.INET;
                if (address) {
                    key[at++] = family;
                    key[at++] = address(family).high();
                }
                key[at++] = NUMBER;
            }
            feed.put(
                    new BindingFeed.Change(
                            family,
                            Long.MIN_VALUE,
                            Long.MAX_VALUE,
                            0,
                            key,
                            new long[valueWords],
                            false));
        }
        return feed;
    }
}
