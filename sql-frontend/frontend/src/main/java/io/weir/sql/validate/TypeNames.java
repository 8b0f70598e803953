package io.weir.sql.validate;

import io.weir.operators.graph.Kind;
import java.util.Locale;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** The types of SQL by their names. */
public final class TypeNames {
    private TypeNames() {}

    /** Returns the kind of a type that a declaration names. Throws NOT_SUPPORTED. */
    public static Kind kind(Binding binding, SqlNode type) {
        if (type instanceof SqlIdentifier) {
            return Kind.INTERVAL; // the grammar takes it without a unit here only
        }
        return ofCast(binding, type);
    }

    /** Returns the kind that CAST names. Throws NOT_SUPPORTED. */
    static Kind ofCast(Binding binding, SqlNode type) {
        String name = name(type);
        return switch (name) {
            case "BIGINT", "INTEGER" -> Kind.BIGINT;
            case "DOUBLE", "FLOAT" -> Kind.DOUBLE;
            case "BOOLEAN" -> Kind.BOOLEAN;
            case "TIMESTAMP" -> Kind.TIMESTAMP;
            case "INET" -> Kind.INET;
            case "MACADDR" -> Kind.MACADDR;
            case "VARCHAR" -> Kind.VARCHAR;
            case "SMALLINT", "TINYINT" ->
                    throw binding.notSupported(
                            type, "the type " + name, "every integer is a BIGINT");
            case "DECIMAL", "REAL" ->
                    throw binding.notSupported(type, "the type " + name, "use DOUBLE");
            case "TEXT", "STRING", "CHAR" ->
                    throw binding.notSupported(type, "the type " + name, "use VARCHAR");
            default ->
                    throw binding.notSupported(
                            type,
                            "a cast to " + name.replace('_', ' '),
                            "the types are BIGINT, DOUBLE, BOOLEAN, TIMESTAMP, INET, MACADDR,"
                                    + " VARCHAR");
        };
    }

    private static String name(SqlNode type) {
        if (type instanceof SqlDataTypeSpec spec) {
            boolean precise =
                    spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
                            && basic.getPrecision() >= 0;
            String name = String.join(".", spec.getTypeName().names).toUpperCase(Locale.ROOT);
            return precise ? name + "(" + precision(spec) + ")" : name;
        }
        return "INTERVAL";
    }

    private static int precision(SqlDataTypeSpec spec) {
        return ((SqlBasicTypeNameSpec) spec.getTypeNameSpec()).getPrecision();
    }
}
