package io.weir.sql.sys;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** Makes a listing a table of Calcite's. */
final class SysTable extends AbstractTable implements ScannableTable {
    private final List<Variable> columns;
    private final List<Object[]> rows;
    private final Runnable check;

    /**
     * @param rows a Long, a Double, a text or null in each column
     * @param check runs before each row, and throws when it is time to end
     */
    SysTable(List<Variable> columns, List<Object[]> rows, Runnable check) {
        this.columns = columns;
        this.rows = rows;
        this.check = check;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory types) {
        RelDataTypeFactory.Builder row = types.builder();
        for (Variable column : columns) {
            row.add(column.name(), type(column.type().kind(), types));
        }
        return row.build();
    }

    /** A real number can be unknown. */
    private static RelDataType type(Kind kind, RelDataTypeFactory types) {
        return switch (kind) {
            case BIGINT -> types.createSqlType(SqlTypeName.BIGINT);
            case DOUBLE ->
                    types.createTypeWithNullability(types.createSqlType(SqlTypeName.DOUBLE), true);
            default -> types.createSqlType(SqlTypeName.VARCHAR);
        };
    }

    @Override
    public Enumerable<Object[]> scan(DataContext root) {
        return Linq4j.asEnumerable(rows)
                .select(
                        row -> {
                            check.run();
                            return row;
                        });
    }
}
