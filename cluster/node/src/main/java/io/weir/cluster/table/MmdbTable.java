package io.weir.cluster.table;

import com.maxmind.db.CHMCache;
import com.maxmind.db.DatabaseRecord;
import com.maxmind.db.InvalidNetworkException;
import com.maxmind.db.Network;
import com.maxmind.db.Networks;
import com.maxmind.db.Reader;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.sql.catalog.TableSpec;
import io.weir.sql.catalog.TableSpec.Column;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a table from a file in MaxMind's format, by the vendor's library. A record is a map; a
 * column is a value in it, by its path: {@code country.iso_code}, or {@code subdivisions.0.name}.
 * Stateless.
 */
final class MmdbTable {
    private static final int IPV4_IN_IPV6 = 96;

    private MmdbTable() {}

    static boolean isOne(TableSpec spec) {
        return spec.file().toLowerCase(Locale.ROOT).endsWith(".mmdb");
    }

    /** Fails if the statement does not tell the columns, or asks by equal keys. */
    static void check(TableSpec spec) {
        String example =
                "CREATE TABLE t (net CIDR, country VARCHAR PATH 'country.iso_code')"
                        + " WITH (file = '…', key = 'net', match = 'prefix')";
        if (spec.columns().isEmpty()) {
            throw TableFault.of(
                    spec.file() + " has records of any form: its columns must be declared",
                    example);
        } else if (spec.match() != Match.PREFIX) {
            throw TableFault.of(spec.file() + " has prefixes: its key matches by them", example);
        }
    }

    /**
     * Reads the rows.
     *
     * @param columns of the table, in its order
     */
    static void read(TableSpec spec, List<Column> columns, byte[] bytes, TableSink sink) {
        try (Reader reader = new Reader(new ByteArrayInputStream(bytes), new CHMCache())) {
            Networks<Map<String, Object>> networks = networks(reader);
            while (networks.hasNext()) {
                DatabaseRecord<Map<String, Object>> next = networks.next();
                Cell.Prefix prefix = prefix(next.getNetwork());
                String place = prefix.network() + "/" + prefix.bits();
                Object[] values = new Object[columns.size()];
                for (int c = 0; c < values.length; c++) {
                    values[c] =
                            spec.key().contains(columns.get(c).name())
                                    ? prefix
                                    : value(spec, columns.get(c), next.getData(), place);
                }
                sink.row(values, place);
            }
        } catch (IOException | InvalidNetworkException | IndexOutOfBoundsException damaged) {
            throw damaged(spec, damaged);
        } catch (RuntimeException e) {
            throw isOfLibrary(e) ? damaged(spec, e) : e;
        }
    }

    /** The library's iterator wraps what it cannot read. */
    private static boolean isOfLibrary(RuntimeException e) {
        return e.getClass().getName().startsWith("com.maxmind.")
                || e.getCause() != null
                        && e.getCause().getClass().getName().startsWith("com.maxmind.");
    }

    private static RuntimeException damaged(TableSpec spec, Exception e) {
        return TableFault.of(spec.file() + " is no MaxMind file, or is damaged: " + e.getMessage());
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // records are maps with names
    private static Networks<Map<String, Object>> networks(Reader reader)
            throws IOException, InvalidNetworkException {
        return (Networks) reader.networks(Map.class);
    }

    private static Cell.Prefix prefix(Network network) {
        byte[] address = network.getNetworkAddress().getAddress();
        int bits = network.getPrefixLength();
        BigInteger number = new BigInteger(1, address);
        boolean four = address.length == 4 || bits >= IPV4_IN_IPV6 && number.bitLength() <= 32;
        if (four) {
            int own = address.length == 4 && bits <= 32 ? bits : bits - IPV4_IN_IPV6;
            return Cell.Prefix.of(Inet.v4(number.intValue()), own);
        }
        return Cell.Prefix.of(
                Inet.v6(number.shiftRight(Long.SIZE).longValue(), number.longValue()), bits);
    }

    private static Object value(
            TableSpec spec, Column column, Map<String, Object> data, String place) {
        Object at = data;
        for (String step : column.path().split("\\.")) {
            if (at instanceof Map<?, ?> map) {
                at = map.get(step);
            } else if (at instanceof List<?> list && step.matches("[0-9]{1,6}")) {
                int index = Integer.parseInt(step);
                at = index < list.size() ? list.get(index) : null;
            } else {
                at = null;
            }
        }
        Object found = at;
        if (found == null) {
            return null;
        }
        return typed(found, column.kind())
                .orElseThrow(
                        () ->
                                TableFault.of(
                                        spec.file()
                                                + ", "
                                                + place
                                                + ": "
                                                + column.path()
                                                + " is not "
                                                + Cell.called(column.kind(), false)));
    }

    private static Optional<?> typed(Object value, Kind kind) {
        return switch (kind) {
            case VARCHAR ->
                    value instanceof Map || value instanceof List
                            ? Optional.empty()
                            : Optional.of(value.toString());
            case BIGINT ->
                    value instanceof Number number && !(value instanceof Double)
                            ? whole(number)
                            : Optional.empty();
            case DOUBLE ->
                    value instanceof Number number
                            ? Optional.of(number.doubleValue())
                            : Optional.empty();
            case BOOLEAN -> value instanceof Boolean ? Optional.of(value) : Optional.empty();
            case INET -> InetText.parse(value.toString());
            default -> Cell.value(value.toString(), kind);
        };
    }

    private static Optional<Long> whole(Number number) {
        boolean fits = !(number instanceof BigInteger big) || big.bitLength() < Long.SIZE;
        return fits ? Optional.of(number.longValue()) : Optional.empty();
    }
}
