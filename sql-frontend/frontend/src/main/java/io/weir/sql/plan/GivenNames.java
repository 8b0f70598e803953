package io.weir.sql.plan;

import io.weir.sql.validate.Binding;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** The names that SELECT gives, for hints where only columns of the input are known. */
record GivenNames(Binding binding, List<SqlNode> items) {
    /** Returns the hint for a name; empty if SELECT gives none like it. */
    Optional<String> hint(String name, String clause) {
        return items.stream()
                .filter(item -> item.getKind() == SqlKind.AS)
                .map(SqlCall.class::cast)
                .filter(as -> ((SqlIdentifier) as.operand(1)).getSimple().equals(name))
                .map(as -> instead(name, as.operand(0), clause))
                .findFirst();
    }

    private String instead(String name, SqlNode given, String clause) {
        String meaning = name + " is " + binding.quote(given);
        if (!Contains.aggregate(List.of(given))) {
            return meaning + ", a name that SELECT gives later: write that here";
        }
        return clause.equals("WHERE")
                ? meaning + ": groups are filtered by HAVING"
                : meaning + ": create a query of it, and select from that";
    }
}
