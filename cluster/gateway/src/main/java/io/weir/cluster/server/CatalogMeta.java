package io.weir.cluster.server;

import io.weir.cluster.catalog.Version;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.node.SqlNode.Stream;
import io.weir.cluster.session.Sessions;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.sql.catalog.Streams;
import io.weir.sql.sys.SysNames;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.sql.DatabaseMetaData;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.MetaImpl;

/**
 * Answers DatabaseMetaData. Streams are tables of type STREAM. Users' queries are tables of type
 * QUERY. Listings are tables of type SYSTEM TABLE in their own schema, as far as the user may read
 * them. For things that Weir does not have (keys, procedures, …) the result is empty.
 */
abstract class CatalogMeta extends MetaImpl {
    private static final String STREAM = "STREAM";
    private static final String QUERY = "QUERY";

    private static final String SYSTEM_TABLE = "SYSTEM TABLE";

    private final SqlNode node;
    private final Sessions sessions;

    /** A thing to select from: a stream, a query or a listing. */
    private record Table(String schema, String name, String type, List<Variable> columns) {
        ColumnTypes.JdbcType type(Kind kind) {
            return schema.equals(SysNames.SCHEMA)
                    ? ColumnTypes.inSnapshot(kind)
                    : ColumnTypes.of(kind);
        }

        String about() {
            return schema.equals(SysNames.SCHEMA) ? "" : Streams.about(name);
        }

        String about(Variable column) {
            return schema.equals(SysNames.SCHEMA) ? "" : Streams.about(name, column.name());
        }
    }

    CatalogMeta(SqlNode node, Sessions sessions) {
        super(null); // a server has no connection of its own; methods that use it are overridden
        this.node = node;
        this.sessions = sessions;
    }

    /** Notes that the client is alive. */
    final void touch(ConnectionHandle ch) {
        Errors.<Void, RuntimeException>inSession(
                () -> {
                    sessions.touch(ch.id, Callers.current());
                    return null;
                });
    }

    @Override
    public Map<DatabaseProperty, Object> getDatabaseProperties(ConnectionHandle ch) {
        Map<DatabaseProperty, Object> properties = new EnumMap<>(DatabaseProperty.class);
        properties.put(DatabaseProperty.GET_DATABASE_PRODUCT_NAME, "Weir");
        properties.put(DatabaseProperty.GET_DATABASE_PRODUCT_VERSION, Version.TEXT);
        properties.put(DatabaseProperty.GET_DATABASE_MAJOR_VERSION, Version.MAJOR);
        properties.put(DatabaseProperty.GET_DATABASE_MINOR_VERSION, Version.MINOR);
        properties.put(
                DatabaseProperty.GET_S_Q_L_KEYWORDS, "WHEN,UNTIL,QUERY,SUBSCRIBE,TUMBLE,HOP,INET");
        return properties;
    }

    @Override
    public MetaResultSet getTables(
            ConnectionHandle ch,
            String catalog,
            Pat schemaPattern,
            Pat tableNamePattern,
            List<String> typeList) {
        List<Object> rows = new ArrayList<>();
        for (Table table : tables(ch, schemaPattern, tableNamePattern)) {
            if (typeList == null || typeList.contains(table.type())) {
                MetaTable row = new MetaTable(null, table.schema(), table.name(), table.type());
                rows.add(remarked(MetaTable.class, row, table.about()));
            }
        }
        return rows(ch, MetaTable.class, rows);
    }

    private List<Table> tables(ConnectionHandle ch, Pat schemaPattern, Pat tableNamePattern) {
        touch(ch);
        LikePattern schemas = LikePattern.ofSchemas(schemaPattern.s);
        LikePattern names = LikePattern.of(tableNamePattern.s);
        List<Table> tables = new ArrayList<>();
        for (Stream stream : node.streams()) {
            String type = stream.isQuery() ? QUERY : STREAM;
            tables.add(new Table(Streams.SCHEMA, stream.name(), type, stream.columns()));
        }
        for (Stream listing : node.sysTables(Callers.current())) {
            tables.add(new Table(SysNames.SCHEMA, listing.name(), SYSTEM_TABLE, listing.columns()));
        }
        tables.removeIf(table -> !schemas.matches(table.schema()) || !names.matches(table.name()));
        return tables;
    }

    @Override
    public MetaResultSet getSchemas(ConnectionHandle ch, String catalog, Pat schemaPattern) {
        touch(ch);
        LikePattern schemas = LikePattern.ofSchemas(schemaPattern.s);
        List<Object> rows = new ArrayList<>();
        for (String schema : List.of(Streams.SCHEMA, SysNames.SCHEMA)) {
            if (schemas.matches(schema)) {
                rows.add(new MetaSchema(null, schema));
            }
        }
        return rows(ch, MetaSchema.class, rows);
    }

    @Override
    public MetaResultSet getColumns(
            ConnectionHandle ch,
            String catalog,
            Pat schemaPattern,
            Pat tableNamePattern,
            Pat columnNamePattern) {
        LikePattern names = LikePattern.of(columnNamePattern.s);
        List<Object> rows = new ArrayList<>();
        for (Table table : tables(ch, schemaPattern, tableNamePattern)) {
            columns(table, names, rows);
        }
        return rows(ch, MetaColumn.class, rows);
    }

    private static void columns(Table table, LikePattern names, List<Object> rows) {
        int ordinal = 0;
        for (Variable column : table.columns()) {
            ordinal++;
            if (!names.matches(column.name())) {
                continue;
            }
            ColumnTypes.JdbcType type = table.type(column.type().kind());
            boolean nullable = column.type().nullable();
            MetaColumn row =
                    new MetaColumn(
                            null,
                            table.schema(),
                            table.name(),
                            column.name(),
                            type.jdbc(),
                            type.name(),
                            type.size() == 0 ? null : type.size(),
                            null,
                            10,
                            nullable ? 1 : 0,
                            null,
                            ordinal,
                            nullable ? "YES" : "NO",
                            "NO",
                            "NO");
            rows.add(remarked(MetaColumn.class, row, table.about(column)));
        }
    }

    /** In the order of {@link Types}, as JDBC requires. */
    @Override
    public MetaResultSet getTypeInfo(ConnectionHandle ch) {
        touch(ch);
        List<Object> rows =
                Arrays.stream(Kind.values())
                        .map(ColumnTypes::of)
                        .sorted(Comparator.comparingInt(ColumnTypes.JdbcType::jdbc))
                        .<Object>map(CatalogMeta::typeInfo)
                        .toList();
        return rows(ch, MetaTypeInfo.class, rows);
    }

    private static MetaTypeInfo typeInfo(ColumnTypes.JdbcType type) {
        boolean number = type.jdbc() == Types.BIGINT || type.jdbc() == Types.DOUBLE;
        boolean quoted = type.jdbc() == Types.VARCHAR && !type.name().equals("INTERVAL");
        String quote = quoted ? "'" : null;
        return new MetaTypeInfo(
                type.name(),
                type.jdbc(),
                type.size() == 0 ? null : type.size(),
                quote,
                quote,
                (short) DatabaseMetaData.typeNullable,
                true,
                (short) DatabaseMetaData.typeSearchable,
                false,
                false,
                false,
                null,
                null,
                number ? 10 : 0); // Avatica accepts no null here
    }

    @Override
    public MetaResultSet getTableTypes(ConnectionHandle ch) {
        return rows(
                ch,
                MetaTableType.class,
                List.of(
                        new MetaTableType(QUERY),
                        new MetaTableType(STREAM),
                        new MetaTableType(SYSTEM_TABLE)));
    }

    private MetaResultSet rows(ConnectionHandle ch, Class<?> type, List<Object> elements) {
        List<ColumnMetaData> columns = fieldMetaData(type).columns;
        List<Object> rows = new ArrayList<>();
        for (Object element : elements) {
            rows.add(element instanceof Object[] row ? row : fields(type, element));
        }
        return resultSet(ch.id, columns, new Frame(0, true, rows));
    }

    /** Avatica's rows have a column of remarks that is always NULL. */
    private static Object[] remarked(Class<?> type, Object element, String remarks) {
        Object[] row = fields(type, element);
        for (ColumnMetaData column : fieldMetaData(type).columns) {
            if (column.columnName.equals("REMARKS") && !remarks.isEmpty()) {
                row[column.ordinal] = remarks;
            }
        }
        return row;
    }

    /** Returns the public fields, in the order of {@link #fieldMetaData}. */
    private static Object[] fields(Class<?> type, Object element) {
        List<Object> values = new ArrayList<>();
        for (Field field : type.getFields()) {
            if (Modifier.isPublic(field.getModifiers())
                    && !Modifier.isStatic(field.getModifiers())) {
                try {
                    values.add(field.get(element));
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return values.toArray();
    }

    /** Avatica calls this for empty results, and does not name the connection. */
    @Override
    protected MetaResultSet createResultSet(
            Map<String, Object> internalParameters,
            List<ColumnMetaData> columns,
            CursorFactory cursorFactory,
            Frame firstFrame) {
        return resultSet("", columns, firstFrame);
    }

    private MetaResultSet resultSet(
            String connectionId, List<ColumnMetaData> columns, Frame frame) {
        Signature signature =
                new Signature(
                        columns,
                        "",
                        List.of(),
                        Map.of(),
                        CursorFactory.ARRAY,
                        StatementType.SELECT);
        return MetaResultSet.create(connectionId, sessions.newId(), true, signature, frame);
    }
}
