package io.weir.sql.catalog;

import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The existing streams: {@code packets}, {@code flows}, and each query under its own name. */
public final class Streams {
    public static final String FLOWS = "flows";

    /** The schema of streams and queries. It may be left out. */
    public static final String SCHEMA = "public";

    /** The columns that identify a flow. */
    public static final List<String> FLOW_KEY =
            List.of("node_id", "src_addr", "dst_addr", "src_port", "dst_port", "proto");

    /** Columns of flows that are known and not computed yet. */
    public static final List<String> FLOW_COLUMNS_TO_COME =
            List.of(
                    "lost_packets",
                    "lost_bytes",
                    "src_mac",
                    "dst_mac",
                    "ip_ttl",
                    "ip_tos",
                    "tcp_seq",
                    "tcp_ack",
                    "tcp_window");

    private static final TimeColumn TIME = new TimeColumn("ts", RowTime.ITSELF);

    private static final Map<String, String> TO_COME =
            Map.of(
                    "gpvs", "read packets: it has a row for each packet of a GPV",
                    "flow_records", "read flows, which is made of packets",
                    "host_metrics", "read packets or flows");

    private static final Stream PACKET_STREAM =
            new Stream(
                    Operator.Scan.PACKETS,
                    Stream.Form.PACKETS,
                    PacketColumns.all().stream().map(PacketColumns.PacketColumn::variable).toList(),
                    List.of(TIME),
                    false);

    private static final Stream FLOW_STREAM =
            new Stream(FLOWS, Stream.Form.FLOWS, flowColumns(), List.of(TIME), true);

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
        return columns;
    }

    public static Stream packets() {
        return PACKET_STREAM;
    }

    /** Returns whether no query can have this name. */
    public static boolean isReserved(String name) {
        return name.equals(Operator.Scan.PACKETS)
                || name.equals(FLOWS)
                || name.equals("sys")
                || TO_COME.containsKey(name);
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
        return switch (stream) {
            case Operator.Scan.PACKETS -> aboutPacket(column);
            case FLOWS -> FLOW_KEY.contains(column) ? aboutPacket(column) : "of the flow's packets";
            default -> "";
        };
    }

    private static String aboutPacket(String column) {
        return PacketColumns.find(column).map(PacketColumns.PacketColumn::meaning).orElse("");
    }

    /** Describes a row of a stream or query. */
    public static String about(String stream) {
        return switch (stream) {
            case Operator.Scan.PACKETS -> "a row for each IP packet";
            case FLOWS -> "a row for each 5-tuple and node";
            default -> "the rows of the query";
        };
    }

    public Optional<Stream> find(String name) {
        return switch (name) {
            case Operator.Scan.PACKETS -> Optional.of(PACKET_STREAM);
            case FLOWS -> Optional.of(FLOW_STREAM);
            default -> catalog.find(name).map(query -> Stream.of(query, this::find));
        };
    }

    /** Returns the replacement for a stream that is known and not there yet. */
    public static Optional<String> inPlaceOf(String name) {
        return Optional.ofNullable(TO_COME.get(name));
    }

    public List<String> names() {
        List<String> names = new ArrayList<>(List.of(Operator.Scan.PACKETS, FLOWS));
        names.addAll(catalog.names());
        return names;
    }
}
