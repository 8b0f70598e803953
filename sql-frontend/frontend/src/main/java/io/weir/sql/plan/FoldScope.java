package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlIdentifier;

/** Names are words of an aggregate's state, and what else its clause can read. */
final class FoldScope extends ConstantScope {
    /** The qualifier of the other state's words in MERGE. */
    static final String OTHER = "other";

    private final Map<String, Variable> names = new LinkedHashMap<>();
    private final boolean wraps;

    /**
     * @param wraps whether whole numbers wrap at 64 bits; otherwise they are NULL beyond
     */
    FoldScope(Binding binding, String clause, boolean wraps) {
        super(binding, clause);
        this.wraps = wraps;
    }

    FoldScope with(List<Variable> variables) {
        variables.forEach(variable -> names.put(variable.name(), variable));
        return this;
    }

    /** Adds the words of the other state. */
    FoldScope withOther(List<Variable> others) {
        others.forEach(variable -> names.put(OTHER + "." + variable.name(), variable));
        return this;
    }

    @Override
    public Expr column(SqlIdentifier name) {
        String wanted = String.join(".", name.names);
        Variable known = names.get(wanted);
        if (known == null) {
            List<String> all = new ArrayList<>(names.keySet());
            throw binding.error(
                    ErrorCode.UNKNOWN_COLUMN,
                    name,
                    "there is no " + wanted + " in " + clause,
                    Suggestion.hint(wanted, all, "it can read " + String.join(", ", all)));
        }
        return known;
    }

    @Override
    public int bits(Variable column) {
        return wraps ? 0 : super.bits(column);
    }
}
