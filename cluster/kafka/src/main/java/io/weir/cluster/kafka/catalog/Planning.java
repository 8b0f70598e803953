package io.weir.cluster.kafka.catalog;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.catalog.Dependencies;
import io.weir.cluster.catalog.StatementCatalog;
import io.weir.cluster.catalog.Version;
import io.weir.cluster.graph.GraphReader;
import io.weir.cluster.graph.GraphTables;
import io.weir.cluster.table.NamedTable;
import io.weir.cluster.wire.CatalogRecord;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.catalog.TimeColumn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Plans queries from records. Equal latest records give equal queries, whatever came before them.
 * So a process that joins late, after compaction, sees the same as all others.
 */
final class Planning {
    static final int FORMAT = 1;

    private Planning() {}

    /** The latest record of a name, as it is in the topic. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Entry(String name, long offset, byte[] value) {}

    private record Parsed(Entry entry, CatalogRecord record) {}

    /**
     * @param entries the latest record of each name
     * @param before keeps its queries that have not changed
     */
    static CatalogState plan(Iterable<Entry> entries, CatalogState before, long offset) {
        List<Fault> faults = new ArrayList<>();
        List<Parsed> readable = new ArrayList<>();
        Map<String, SlicedReplay> slices = new HashMap<>();
        Map<String, Retirement> retired = new HashMap<>();
        Map<String, NamedSource> sources = new HashMap<>();
        Map<String, DefinedAggregate> aggregates = new TreeMap<>();
        Map<String, NamedTable> tables = new TreeMap<>();
        for (Entry entry : entries) {
            try {
                CatalogRecord record = read(entry);
                if (record.hasSlices()) {
                    SlicedReplay replay =
                            SlicedReplay.of(entry.name(), entry.offset(), record.getSlices());
                    slices.put(replay.name(), replay);
                } else if (record.hasRetired()) {
                    Retirement worker = Retirement.of(entry.name(), record.getRetired());
                    retired.put(worker.worker(), worker);
                } else if (record.hasSource()) {
                    NamedSource source = NamedSource.of(entry.name(), record.getSource());
                    sources.put(source.name(), source);
                } else if (record.hasAggregate()) {
                    DefinedAggregate aggregate = AggregateRecords.of(entry.name(), record);
                    aggregates.put(aggregate.name(), aggregate);
                } else if (record.hasTable()) {
                    NamedTable table =
                            TableRecords.of(entry.name(), entry.offset(), record, before);
                    tables.put(table.name(), table);
                } else {
                    readable.add(new Parsed(entry, record));
                }
            } catch (InvalidProtocolBufferException e) {
                faults.add(fault(entry, "it is no catalogue record: " + e.getMessage()));
            } catch (IllegalArgumentException e) {
                faults.add(fault(entry, e.getMessage()));
            } catch (WeirException e) {
                faults.add(fault(entry, e.text().replace('\n', ' ')));
            }
        }
        readable.sort(
                Comparator.<Parsed>comparingLong(r -> r.record().getPlace())
                        .thenComparing(r -> r.entry().name()));
        Map<String, Definition> definitions = new LinkedHashMap<>();
        Set<String> changed = new HashSet<>();
        MapCatalog seen = new MapCatalog();
        aggregates.values().forEach(seen::put);
        tables.values().forEach(table -> seen.put(table.table()));
        for (Parsed next : readable) {
            try {
                Definition definition = definition(next, before, changed, seen);
                for (Query one : definition.query().all()) {
                    definitions.put(
                            one.name(),
                            new Definition(
                                    one,
                                    definition.version(),
                                    definition.place(),
                                    definition.pausedVersion()));
                }
                seen.put(definition.query());
            } catch (WeirException e) {
                changed.add(next.entry().name());
                faults.add(fault(next.entry(), e.text().replace('\n', ' ')));
            }
        }
        return new CatalogState(
                offset,
                definitions,
                slices,
                retired,
                sources,
                List.copyOf(aggregates.values()),
                tables,
                faults);
    }

    private static CatalogRecord read(Entry entry) throws InvalidProtocolBufferException {
        CatalogRecord record = CatalogRecord.parseFrom(entry.value());
        if (record.getFormat() != FORMAT) {
            throw new IllegalArgumentException(
                    "its format is " + record.getFormat() + ", known is " + FORMAT);
        }
        return record;
    }

    private static Definition definition(
            Parsed next, CatalogState before, Set<String> changed, Catalog seen) {
        String name = next.entry().name();
        Definition known = before.definitions().get(name);
        if (known != null
                && known.version() == next.entry().offset()
                && Dependencies.of(known.query()).stream().noneMatch(changed::contains)) {
            return known;
        }
        changed.add(name);
        Query query = query(name, next.record(), seen);
        if (!query.name().equals(name)) {
            throw notUnder(name, query.name());
        }
        return new Definition(
                query,
                next.entry().offset(),
                next.record().getPlace(),
                next.record().hasPaused()
                        ? OptionalLong.of(next.record().getPaused())
                        : OptionalLong.empty());
    }

    /**
     * Takes the record's graph. Its statement is planned if there is no graph, or if a query that
     * it reads was replaced and does not fit the graph now.
     */
    private static Query query(String name, CatalogRecord record, Catalog seen) {
        if (record.hasGraph()) {
            Query planned =
                    GraphReader.query(
                            record.getGraph(),
                            name,
                            record.getSql(),
                            Version.TEXT,
                            GraphTables.of(seen::table));
            Streams streams = new Streams(new StatementCatalog(planned, seen));
            if (planned.all().stream().allMatch(one -> fits(one, streams))) {
                return planned;
            }
        }
        return create(record.getSql(), seen).query();
    }

    /** Returns whether the queries that it reads or waits for are there, with its columns. */
    private static boolean fits(Query query, Streams streams) {
        Operator.Scan scan = query.scan();
        List<String> upstreams = query.when().map(When::upstreams).orElse(List.of());
        if (!upstreams.stream().allMatch(name -> streams.find(name).isPresent())) {
            return false;
        } else if (!scan.type().isOfQuery()) {
            return true;
        } else if (scan.of().isPresent()) {
            return fits(scan, streams);
        }
        Optional<Stream> read = streams.find(scan.stream());
        return read.isPresent()
                && read.get().columns().containsAll(scan.columns())
                && read.get().isTable() == scan.isTable()
                && read.get()
                        .time(scan.time())
                        .orElse(read.get().time())
                        .equals(new TimeColumn(scan.time(), scan.reads()));
    }

    /** Returns whether the queries have all columns that a union or a join of them takes. */
    private static boolean fits(Operator.Scan scan, Streams streams) {
        Set<String> there = new HashSet<>();
        for (String query : scan.queries()) {
            Optional<Stream> stream =
                    streams.find(query).filter(s -> s.isTable() == scan.isTable());
            if (stream.isEmpty()) {
                return false;
            }
            stream.get().columns().forEach(column -> there.add(column.name()));
        }
        Optional<Combination.Join> join = scan.join();
        return scan.columns().stream()
                .map(column -> join.map(j -> j.own(column.name())).orElse(column.name()))
                .allMatch(there::contains);
    }

    /** Returns the one CREATE of a text. */
    static Statement.CreateQuery create(String sql, Catalog catalog) {
        List<Statement> statements = new SqlFrontend(catalog).parse(sql);
        if (statements.size() == 1 && statements.get(0) instanceof Statement.CreateQuery create) {
            return create;
        }
        throw new WeirException(
                ErrorCode.NOT_SUPPORTED,
                "the cluster's catalogue holds statements CREATE QUERY, one a record");
    }

    private static WeirException notUnder(String key, String name) {
        return new WeirException(
                ErrorCode.INVALID_QUERY, "the query " + name + " lies under the name " + key);
    }

    private static Fault fault(Entry entry, String about) {
        return new Fault(entry.name(), entry.offset(), about);
    }
}
