package io.weir.cluster.launcher;

import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.Shape;
import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.PcapFactory;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.node.IdleMode;
import io.weir.operators.node.ThreadOptions;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the sources of packets, and for reading them. All commands have the same. */
final class InputOptions {
    @Option(
            names = "--pcap",
            arity = "1..*",
            paramLabel = "[NODE=]FILE",
            description = {
                "Capture files, pcap or pcapng; their packets are merged by time. weir run, worker"
                        + " and up take pipes too, and - for standard input.",
                "NODE= says which node recorded the file (column node_id)."
            })
    private List<String> pcaps = new ArrayList<>();

    @Option(
            names = "--source",
            arity = "1..*",
            paramLabel = "URI",
            description = {
                "Sources of packets. pcap:FILE, pcap:FOLDER (its captures) and pcap:- (standard"
                        + " input) are what --pcap reads.",
                "Options follow a question mark: ?node=ID, lateness and timeout, and of a pipe"
                        + " live=true: its packets do not wait for room, and those that find none are"
                        + " counted as lost."
            })
    private List<String> uris = new ArrayList<>();

    @Option(
            names = "--node-id",
            paramLabel = "ID",
            defaultValue = "local",
            description = "node_id of files without NODE= (default: ${DEFAULT-VALUE}).")
    private String nodeId;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "1",
            description = "Split the packets by hash of (src_addr, dst_addr) into N parts.")
    private int partitions;

    @Option(
            names = "--pipelines",
            paramLabel = "N",
            defaultValue = "1",
            description = {
                "Threads for each partition. One partition with one pipeline runs on the reader's"
                        + " thread. The rows are the same for all.",
                "0: the reader of each receive queue runs the queries over its own packets (run to"
                        + " completion)."
            })
    private int pipelines;

    @Option(
            names = "--wait",
            paramLabel = "HOW",
            defaultValue = "backoff",
            description = {
                "What threads do that wait: busy spins (a core each, the least delay), backoff"
                        + " spins and then sleeps up to 0.1 ms (default), park sleeps 1 ms at once."
            })
    private String idle;

    @Option(
            names = "--pin",
            split = ",",
            paramLabel = "CPU",
            description = {
                "Bind the pipelines' threads to these CPUs, in turn; with one pipeline the"
                        + " reader's. Needs taskset (util-linux)."
            })
    private List<Integer> pin = new ArrayList<>();

    @Option(
            names = "--layout",
            paramLabel = "NAME",
            defaultValue = "full",
            description = {
                "What is kept of each packet: full (default), or as *Flow's switch does flow32"
                        + " (time to 1 us, length to 2047) or flow64 (and the TCP sequence)."
            })
    private String layout;

    @Mixin private DelayOptions times = new DelayOptions();

    @Option(
            names = "--cache-slots",
            paramLabel = "N",
            defaultValue = "16384",
            description = "Flows in the GPV cache, a power of two (default: ${DEFAULT-VALUE}).")
    private int cacheSlots;

    @Option(
            names = "--cache-wide",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Flows that can hold more packets than 4, up to 28 (default: 4096).")
    private int cacheWide;

    String nodeId() {
        return nodeId;
    }

    List<SourceSpec> sources() {
        return sources(nodeId);
    }

    /**
     * @param defaultNode of sources that name none
     */
    List<SourceSpec> sources(String defaultNode) {
        List<SourceSpec> sources = new ArrayList<>();
        for (String text : pcaps) {
            checkNoOption(text);
            sources.add(PcapFactory.parse(text, defaultNode));
        }
        sources.addAll(parsed(uris, defaultNode));
        return times.of(sources);
    }

    /** Returns the sources of --source. */
    static List<SourceSpec> parsed(List<String> uris, String defaultNode) {
        List<SourceSpec> sources = new ArrayList<>();
        for (String uri : uris) {
            checkNoOption(uri);
            sources.addAll(TypedOptions.named("--source", () -> Sources.parse(uri, defaultNode)));
        }
        return sources;
    }

    /** Fails for a mistyped option. After --pcap and --source it looks like one more source. */
    private static void checkNoOption(String text) {
        if (text.startsWith("--") && !new File(text).exists()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "Unknown option: '" + text + "'",
                    "-h shows the options");
        }
    }

    NodeSettings settings() {
        if (pipelines == 0 && partitions > 1) {
            throw invalid(
                    "--pipelines 0 with --partitions " + partitions,
                    "without threads for pipelines, receive queues are the only partitions");
        }
        if (partitions < 1 || pipelines < 0 || pipelines > Shape.MAX_PIPELINES / partitions) {
            throw invalid(
                    "--partitions " + partitions + " with --pipelines " + pipelines,
                    "--partitions at least 1, and together at most "
                            + Shape.MAX_PIPELINES
                            + " threads");
        }
        checkLayout(layout);
        times.check();
        try {
            ThreadOptions threads = new ThreadOptions(idle(), pin, false);
            TypedOptions.named(
                    "--pin",
                    () -> {
                        threads.check();
                        return threads;
                    });
            Shape shape = new Shape(partitions, pipelines);
            return new NodeSettings(shape, times.lateness(), cache(), threads).covering(sources());
        } catch (IllegalArgumentException e) {
            throw new WeirException(ErrorCode.INVALID_OPTION, e.getMessage());
        }
    }

    private CacheConfig cache() {
        if (cacheSlots < 1
                || Integer.bitCount(cacheSlots) != 1
                || cacheSlots > CacheConfig.MOST_SLOTS) {
            throw invalid(
                    "--cache-slots " + cacheSlots,
                    "a power of two, at most " + CacheConfig.MOST_SLOTS);
        }
        if (cacheWide < 0 || cacheWide > CacheConfig.MOST_WIDE_BUFFERS) {
            throw invalid(
                    "--cache-wide " + cacheWide, "from 0 to " + CacheConfig.MOST_WIDE_BUFFERS);
        }
        CacheConfig standard = CacheConfig.DEFAULT;
        return new CacheConfig(
                cacheSlots,
                standard.narrowTuples(),
                cacheWide,
                standard.wideTuples(),
                times.timeout().toNanos(),
                layout);
    }

    static void checkLayout(String layout) {
        if (GpvLayout.of(layout, 4).isEmpty()) {
            throw invalid("--layout " + layout, "the layouts are full, flow32 and flow64");
        }
    }

    private IdleMode idle() {
        for (IdleMode known : IdleMode.values()) {
            if (known.name().equalsIgnoreCase(idle)) {
                return known;
            }
        }
        throw invalid("--wait " + idle, "busy, backoff or park");
    }

    private static WeirException invalid(String what, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, what + " cannot be", hint);
    }
}
