package io.weir.cluster.table;

import io.weir.operators.table.StoredTable;
import io.weir.sql.catalog.TableSpec;

/**
 * A lookup table of a cluster's catalogue.
 *
 * @param table the one that this process' queries read. It has no content until the file was read
 * @param hash SHA-256 of the file
 * @param version grows with every edit of the catalogue
 */
public record NamedTable(TableSpec spec, StoredTable table, String hash, long version) {
    public String name() {
        return spec.name();
    }
}
