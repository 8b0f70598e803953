package io.weir.sql.catalog;

import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The existing streams: {@code packets}, {@code flows}, and each query under its own name. */
public final class Streams {
    public static final String FLOWS = "flows";

    /** The schema of streams and queries. It may be left out. */
    public static final String SCHEMA = "public";

    /** The columns that identify a flow. */
    public static final List<String> FLOW_KEY =
            List.of("node_id", "src_addr", "dst_addr", "src_port", "dst_port", "proto");

    /** Columns of packets of which a flow has the latest value. */
    public static final List<String> LATEST_OF_FLOW =
            List.of("src_mac", "dst_mac", "ip_ttl", "ip_tos", "tcp_seq", "tcp_ack", "tcp_window");

    private static final TimeColumn TIME = new TimeColumn("ts", RowTime.ITSELF);

    private static final Map<String, String> TO_COME =
            Map.of(
                    "gpvs", "read packets: it has a row for each packet of a GPV",
                    "flow_records", "read flows, which is made of packets",
                    "host_metrics", "read packets or flows");

    private static final Stream PACKET_STREAM =
            new Stream(
                    StreamType.PACKETS.name(),
                    StreamType.PACKETS,
                    Stream.Form.PACKETS,
                    PacketColumns.all().stream().map(PacketColumns.PacketColumn::variable).toList(),
                    List.of(TIME),
                    false);

    private static final Stream FLOW_STREAM =
            new Stream(
                    FLOWS,
                    StreamType.PACKETS,
                    Stream.Form.FLOWS,
                    flowColumns(),
                    List.of(TIME),
                    true);

    /**
     * A stream that is there without a query.
     *
     * @param about describes its rows
     * @param aboutColumn describes a column
     */
    private record BuiltIn(Stream stream, String about, UnaryOperator<String> aboutColumn) {}

    private static final Map<String, BuiltIn> BUILT_IN = new LinkedHashMap<>();

    static {
        add(new BuiltIn(PACKET_STREAM, "a row for each IP packet", Streams::aboutPacket));
        add(
                new BuiltIn(
                        FLOW_STREAM,
                        "a row for each 5-tuple and node",
                        column ->
                                FLOW_KEY.contains(column)
                                        ? aboutPacket(column)
                                        : aboutFlow(column)));
    }

    private static String aboutFlow(String column) {
        if (LATEST_OF_FLOW.contains(column)) {
            return "of the flow's latest packet";
        }
        if (column.equals("tcp_flags")) {
            return "all flags of the flow's packets";
        }
        return column.startsWith("lost_")
                ? "inferred from TCP retransmissions"
                : "of the flow's packets";
    }

    private static void add(BuiltIn stream) {
        BUILT_IN.put(stream.stream().name(), stream);
    }

    private final Catalog catalog;

    public Streams(Catalog catalog) {
        this.catalog = catalog;
    }

    private static List<Variable> flowColumns() {
        List<Variable> columns = new ArrayList<>();
        FLOW_KEY.forEach(name -> columns.add(PACKET_STREAM.find(name).orElseThrow()));
        columns.add(Variable.column("packets", Type.BIGINT));
        columns.add(Variable.column("bytes", Type.BIGINT));
        columns.add(Variable.column("time_flow_start", Type.TIMESTAMP));
        columns.add(Variable.column("time_flow_end", Type.TIMESTAMP));
        columns.add(Variable.column("tcp_flags", Type.BIGINT));
        columns.add(Variable.column("lost_packets", Type.BIGINT));
        columns.add(Variable.column("lost_bytes", Type.BIGINT));
        LATEST_OF_FLOW.forEach(name -> columns.add(PACKET_STREAM.find(name).orElseThrow()));
        return columns;
    }

    public static Stream packets() {
        return PACKET_STREAM;
    }

    /** Returns whether no query can have this name. */
    public static boolean isReserved(String name) {
        return isBuiltIn(name) || name.equals("sys") || TO_COME.containsKey(name);
    }

    /** Returns whether it is a stream that is there without a query. */
    public static boolean isBuiltIn(String name) {
        return BUILT_IN.containsKey(name);
    }

    /** Returns the name of a stream or query in that schema, or without a schema. */
    public static Optional<String> named(List<String> parts) {
        return switch (parts.size()) {
            case 1 -> Optional.of(parts.get(0));
            case 2 -> Optional.of(parts.get(1)).filter(name -> parts.get(0).equals(SCHEMA));
            default -> Optional.empty();
        };
    }

    /**
     * Describes the content of a column of a stream; empty for a query's, and if the name is
     * enough.
     */
    public static String about(String stream, String column) {
        BuiltIn known = BUILT_IN.get(stream);
        return known == null ? "" : known.aboutColumn().apply(column);
    }

    private static String aboutPacket(String column) {
        return PacketColumns.find(column).map(PacketColumns.PacketColumn::meaning).orElse("");
    }

    /** Describes a row of a stream or query. */
    public static String about(String stream) {
        BuiltIn known = BUILT_IN.get(stream);
        return known == null ? "the rows of the query" : known.about();
    }

    public Optional<Stream> find(String name) {
        BuiltIn known = BUILT_IN.get(name);
        return known == null ? catalog.find(name).map(this::of) : Optional.of(known.stream());
    }

    /** Returns the stream of a query's rows. */
    public Stream of(Query query) {
        return Stream.of(query, this::find);
    }

    /** Returns the windows of a query's rows; empty if they have none, or if they are sessions. */
    public Optional<Window> window(String query) {
        Optional<Query> found = catalog.find(query);
        if (found.isEmpty() || found.get().isTable()) {
            return Optional.empty();
        } else if (found.get().aggregate().isPresent()) {
            return found.get()
                    .aggregate()
                    .get()
                    .window()
                    .filter(window -> !window.isOfSessions())
                    .map(window -> window.with(WindowRows.FILLED));
        }
        return found.get().scan().queries().stream().findFirst().flatMap(this::window);
    }

    /** Returns the lookup table of a name. */
    public Optional<LookupTable> table(String name) {
        return catalog.table(name);
    }

    /** Returns the names of all lookup tables. */
    public List<String> tableNames() {
        return catalog.tableNames();
    }

    /** Returns the replacement for a stream that is known and not there yet. */
    public static Optional<String> inPlaceOf(String name) {
        return Optional.ofNullable(TO_COME.get(name));
    }

    public List<String> names() {
        List<String> names = new ArrayList<>(BUILT_IN.keySet());
        names.addAll(catalog.names());
        return names;
    }
}
