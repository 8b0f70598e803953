package io.weir.sql.sys;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** The differences between Weir's types and Calcite's. Calcite creates it by name. */
public final class SysTypes extends RelDataTypeSystemImpl {
    /** CHAR is padded with spaces to its length in each row. */
    private static final int LONGEST_CHAR = 256;

    @Override
    public int getMaxPrecision(SqlTypeName type) {
        return type == SqlTypeName.CHAR ? LONGEST_CHAR : super.getMaxPrecision(type);
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory types, RelDataType argument) {
        return types.createTypeWithNullability(
                types.createSqlType(SqlTypeName.DOUBLE), argument.isNullable());
    }
}
