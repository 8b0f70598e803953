package io.weir.ingest.wire.dpdk;

import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.wire.gpv.GpvPorts;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A device of DPDK, as a {@code dpdk:} URI names it. A card has its PCI address. A virtual device
 * has the name of its driver and a number, as {@code net_pcap0}.
 *
 * @param options of the URI, for Weir and for the driver
 * @param gpvPorts of datagrams with GPVs; without them its frames are packets
 */
record DpdkDevice(String name, Map<String, String> options, Optional<GpvPorts> gpvPorts) {
    private static final Pattern CARD =
            Pattern.compile("[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
    private static final Pattern VIRTUAL = Pattern.compile("(net_[a-z][a-z0-9_]*?)\\d{1,4}");
    private static final Pattern CORES = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

    /** The first UDP port of datagrams with GPVs. */
    static final String GPV = "gpv";

    private static final String PCAP = "net_pcap";
    private static final String RX_PCAP = "rx_pcap";
    private static final String INFINITE = "infinite_rx";

    /** Arguments of common drivers. The option args takes all others. */
    static final Set<String> DRIVER_OPTIONS =
            Set.of(
                    "iface",
                    RX_PCAP,
                    "rx_iface",
                    "rx_iface_in",
                    INFINITE,
                    "role",
                    "id",
                    "socket",
                    "socket-abstract",
                    "secret",
                    "bsize",
                    "rsize",
                    "framesz",
                    "framecnt",
                    "blocksz",
                    "size",
                    "copy");

    /** Options of Weir. */
    static final Set<String> OWN_OPTIONS =
            Set.of(
                    "args",
                    "queues",
                    "descriptors",
                    "mbufs",
                    "mbuf_size",
                    "mtu",
                    "rss",
                    "cores",
                    "hugepages",
                    "memory",
                    GPV);

    /** LINKTYPE_ETHERNET. */
    private static final int ETHERNET = 1;

    private static final int MOST_QUEUES = 64;

    /** A finite capture's frames are not cut by a buffer. */
    private static final int LARGEST_MBUF = 65_407;

    /** Buffers of a burst that is read, of one that waits, and of the caches of threads. */
    private static final int MBUFS_BESIDE = 1024;

    DpdkDevice {
        options = Map.copyOf(options);
    }

    static DpdkDevice of(SourceSpec spec) {
        boolean gpv = spec.option(GPV).isPresent();
        return new DpdkDevice(
                spec.address(),
                spec.options(),
                gpv ? Optional.of(GpvPorts.of(spec, GPV)) : Optional.empty());
    }

    /**
     * Fails if the name or a value cannot be.
     *
     * @throws WeirException INVALID_OPTION
     */
    void check() {
        if (!isCard() && !VIRTUAL.matcher(name).matches()) {
            throw invalid(
                    "dpdk:" + name + " names no device",
                    "a PCI address as 0000:01:00.0, or a virtual device as net_af_packet0");
        }
        for (String option : DRIVER_OPTIONS) {
            if (options.getOrDefault(option, "").contains(",")) {
                throw invalid(option + " has a comma, at which DPDK would cut it", null);
            }
        }
        settings(0);
        hugepages();
        memoryMib();
        if (!cores().isEmpty() && cores().size() < queues()) {
            throw invalid("cores= names fewer cores than there are queues", "a core for each");
        }
        GpvPorts.OPTIONS.stream()
                .filter(option -> gpvPorts.isEmpty() && options.containsKey(option))
                .forEach(
                        option -> {
                            throw invalid(option + "= is for GPVs", "gpv=PORT reads them");
                        });
        if (gpvPorts.isPresent() && capture().isPresent() && linkType() != ETHERNET) {
            throw invalid(
                    "gpv= reads frames of Ethernet, and " + capture().get() + " has others", null);
        }
        if (isFinite() && queues() > 1) {
            throw invalid("a finite rx_pcap has one queue", "infinite_rx=1 can have more");
        }
    }

    boolean isCard() {
        return CARD.matcher(name).matches();
    }

    /** Returns the driver of a virtual device. */
    String driver() {
        Matcher matcher = VIRTUAL.matcher(name);
        return matcher.matches() ? matcher.group(1) : "";
    }

    /** Returns the capture that net_pcap reads. */
    Optional<Path> capture() {
        return driver().equals(PCAP)
                ? Optional.ofNullable(options.get(RX_PCAP)).map(Path::of)
                : Optional.empty();
    }

    private boolean isRepeated() {
        return flag(INFINITE).orElse(false);
    }

    /** Returns whether its packets end, and wait for room: those of a capture do. */
    boolean isFinite() {
        return capture().isPresent() && !isRepeated();
    }

    /** Returns the kernel's interface that a virtual device reads. */
    Optional<String> kernelInterface() {
        for (String option : List.of("iface", "rx_iface", "rx_iface_in")) {
            if (options.containsKey(option)) {
                return Optional.of(options.get(option));
            }
        }
        return Optional.empty();
    }

    int queues() {
        return number("queues", 1, 1, MOST_QUEUES);
    }

    /** Returns the core of each queue's thread; none if they may run on any. */
    List<Integer> cores() {
        List<Integer> cores = new ArrayList<>();
        String text = options.get("cores");
        if (text == null) {
            return cores;
        }
        for (String part : text.split(",", -1)) {
            Matcher range = CORES.matcher(part);
            if (!range.matches()) {
                throw invalid("cores=" + text + " cannot be", "as cores=2,4-5");
            }
            int last = Integer.parseInt(range.group(range.group(2) == null ? 1 : 2));
            for (int core = Integer.parseInt(range.group(1)); core <= last; core++) {
                cores.add(core);
            }
        }
        return cores;
    }

    /** Returns whether DPDK shall use huge pages, if the user says so. */
    Optional<Boolean> hugepages() {
        return flag("hugepages");
    }

    /** Returns DPDK's memory if it has no huge pages, which can give it more. */
    int memoryMib() {
        return number("memory", 512, 64, 1 << 20);
    }

    /** Returns how its port is set up. A repeated capture lies in buffers as a whole. */
    PortSettings settings() {
        boolean repeats = capture().isPresent() && isRepeated();
        return settings(repeats ? (int) frames() : 0);
    }

    private PortSettings settings(int frames) {
        int descriptors = number("descriptors", isFinite() ? 256 : 1024, 32, 1 << 15);
        int mbufs = Math.max(4095, queues() * (descriptors + frames + MBUFS_BESIDE));
        int size = number("mbuf_size", isFinite() ? LARGEST_MBUF : 2048, 256, LARGEST_MBUF);
        return new PortSettings(
                queues(),
                descriptors,
                number("mbufs", isFinite() ? 2047 : mbufs, 512, 1 << 24),
                size,
                number("mtu", 0, 68, 65_535),
                rss());
    }

    private int rss() {
        String fields = options.getOrDefault("rss", "ports");
        int place = List.of("none", "ip", "ports").indexOf(fields);
        if (place < 0) {
            throw invalid("rss=" + fields + " cannot be", "rss=ports, rss=ip or rss=none");
        }
        return place;
    }

    /** Returns LINKTYPE_ of its frames: cards have Ethernet, a capture says it. */
    int linkType() {
        if (capture().isEmpty()) {
            return ETHERNET;
        }
        try (CaptureFile file = Captures.open(capture().get())) {
            return file.next() ? file.linkType() : ETHERNET;
        }
    }

    private long frames() {
        try (CaptureFile file = Captures.open(capture().orElseThrow())) {
            while (file.next()) {}
            return file.packets();
        }
    }

    /** Returns the device and its driver's arguments, as DPDK reads them. */
    String arguments() {
        StringBuilder text = new StringBuilder(name);
        int streams = capture().isPresent() ? queues() : 1;
        new TreeMap<>(options)
                .forEach(
                        (option, value) -> {
                            if (DRIVER_OPTIONS.contains(option)) {
                                String written = option.equals(INFINITE) ? flagText() : value;
                                int times = option.equals(RX_PCAP) ? streams : 1;
                                text.append(("," + option + "=" + written).repeat(times));
                            }
                        });
        if (driver().equals("net_af_packet")) {
            text.append(",qpairs=").append(queues());
        }
        Optional.ofNullable(options.get("args")).ifPresent(args -> text.append(",").append(args));
        return text.toString();
    }

    private String flagText() {
        return isRepeated() ? "1" : "0";
    }

    private Optional<Boolean> flag(String option) {
        String value = options.get(option);
        if (value == null) {
            return Optional.empty();
        }
        return switch (value) {
            case "true", "1" -> Optional.of(true);
            case "false", "0" -> Optional.of(false);
            default ->
                    throw invalid(option + "=" + value + " cannot be", option + "=true or false");
        };
    }

    private int number(String option, int missing, int least, int most) {
        String value = options.get(option);
        if (value == null) {
            return missing;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // It is no number, and refused as one that is out of bounds.
        }
        throw invalid(option + "=" + value + " cannot be", "from " + least + " to " + most);
    }

    private static WeirException invalid(String what, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, what, hint);
    }
}
