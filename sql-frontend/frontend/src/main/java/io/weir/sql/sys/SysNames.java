package io.weir.sql.sys;

import io.weir.sql.grammar.ParsedStatement.Listed;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;

/** The names of the listings in the schema sys. */
public final class SysNames {
    /** The name of the schema of listings. */
    public static final String SCHEMA = "sys";

    private SysNames() {}

    /** Returns whether a name is of a table in sys, existing or not. */
    public static boolean isOne(SqlIdentifier name) {
        return name.names.size() > 1 && name.names.get(0).equals(SCHEMA);
    }

    /** Returns the name of a listing in sys. */
    public static String name(Listed listed) {
        return listed.name().toLowerCase(Locale.ROOT);
    }
}
