package io.weir.sql.plan;

import io.weir.sql.catalog.Stream;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/**
 * The stream that FROM names.
 *
 * @param alias by which columns are qualified
 * @param window of TABLE(TUMBLE(…)) or TABLE(HOP(…))
 * @param at its place
 */
record FromSource(Stream stream, String alias, Optional<Windowing> window, SqlNode at) {}
