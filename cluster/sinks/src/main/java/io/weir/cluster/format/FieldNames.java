package io.weir.cluster.format;

import io.weir.operators.graph.Expr.Variable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Makes names of fields for a query's columns: the columns' own if Avro and Protobuf allow them.
 * Otherwise it puts _ for forbidden characters, and a number if the name is taken.
 */
final class FieldNames {
    private FieldNames() {}

    static List<String> of(List<Variable> columns) {
        List<String> names = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (Variable column : columns) {
            String plain = plain(column.name());
            String name = plain;
            // Protobuf makes one accessor for a_b and aB, so names must differ by more than that.
            for (int n = 2; !taken.add(accessor(name)); n++) {
                name = plain + "_" + n;
            }
            names.add(name);
        }
        return names;
    }

    /** Returns a name of letters, digits and _, with a letter or _ first. */
    static String plain(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_]", "_");
        return plain.isEmpty() || Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
    }

    private static String accessor(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
