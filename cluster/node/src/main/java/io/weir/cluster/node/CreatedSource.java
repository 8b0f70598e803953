package io.weir.cluster.node;

import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.Statement;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the source of a CREATE SOURCE, and checks that a node can run it. Stateless. */
public final class CreatedSource {
    private static final String URI = "uri";
    private static final String DEFAULT_NODE = "local";

    private CreatedSource() {}

    /**
     * Returns the source of a statement.
     *
     * @throws WeirException INVALID_OPTION, UNREADABLE_INPUT: the uri is wrong, or names something
     *     that cannot be read or is not live
     */
    static SourceSpec of(Statement.CreateSource create) {
        SourceSpec spec = read(create, DEFAULT_NODE);
        Sources.checkAll(List.of(spec));
        return spec;
    }

    /**
     * Returns the source of a statement, which another machine may open.
     *
     * @param defaultNode of one without a node
     * @throws WeirException INVALID_OPTION: the uri is wrong, or names something that is not live
     */
    public static SourceSpec read(Statement.CreateSource create, String defaultNode) {
        Map<String, String> options = new TreeMap<>(create.settings());
        String uri = options.remove(URI);
        List<String> more = new ArrayList<>();
        options.forEach((name, value) -> more.add(name + "=" + encoded(value)));
        String whole = uri;
        if (!more.isEmpty()) {
            whole += (uri.contains("?") ? "&" : "?") + String.join("&", more);
        }
        List<SourceSpec> specs = Sources.parse(whole, defaultNode);
        SourceSpec spec = specs.get(0);
        if (specs.size() > 1 || !spec.isLive()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    uri + " is finite: its packets would be read once, by nobody in particular",
                    "name captures when the node starts: --source " + uri);
        }
        return spec;
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Fails if queries of a running node would not wait long enough for its packets.
     *
     * @throws WeirException INVALID_OPTION
     */
    public static void checkDelay(SourceSpec spec, NodeSettings running) {
        NodeSettings needed = running.covering(List.of(spec));
        checkTime("lateness", needed.lateness(), running.lateness());
        checkTime(
                "timeout",
                Duration.ofNanos(needed.cache().timeoutNs()),
                Duration.ofNanos(running.cache().timeoutNs()));
    }

    private static void checkTime(String name, Duration needed, Duration most) {
        if (needed.compareTo(most) > 0) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    name + " of " + needed.toMillis() + " ms is longer than this node's",
                    "at most " + most.toMillis() + " ms here: --" + name + " when it starts");
        }
    }
}
