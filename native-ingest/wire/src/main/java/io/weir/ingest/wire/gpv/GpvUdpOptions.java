package io.weir.ingest.wire.gpv;

import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of a {@code gpv-udp:} source, as its URI has them.
 *
 * @param port of pipeline instance 0
 * @param ports one more for each further instance
 * @param allow the senders whose blocks are taken
 * @param senders the most that are kept apart
 * @param bufferBytes of each socket in the kernel
 * @param layout of the blocks that are taken
 */
record GpvUdpOptions(
        Network listen,
        int port,
        int ports,
        List<Network> allow,
        int senders,
        int bufferBytes,
        String layout) {
    static final String PORTS = "ports";
    static final String ALLOW = "allow";
    static final String SENDERS = "senders";
    static final String BUFFER = "buffer";
    static final String LAYOUT = SourceSpec.LAYOUT;
    static final Set<String> NAMES = Set.of(PORTS, ALLOW, SENDERS, BUFFER, LAYOUT);

    private static final int MOST_PORTS = 64;
    private static final int MOST_SENDERS = 4_096;
    private static final int MOST_BUFFER_MIB = 1024;
    private static final int BUFFER_MIB = 8;
    private static final int DEFAULT_SENDERS = 256;
    private static final Pattern ADDRESS = Pattern.compile("(\\[[^\\]]*\\]|[^:\\[\\]]*)(?::(.*))?");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    static GpvUdpOptions of(SourceSpec spec) {
        Matcher parts = ADDRESS.matcher(spec.address());
        String host = parts.matches() ? parts.group(1).replaceAll("[\\[\\]]", "") : "";
        Network listen =
                host.isEmpty() && parts.matches()
                        ? Network.LOOPBACK
                        : Network.parse(host).filter(Network::isOne).orElseThrow(() -> bad(spec));
        String port = parts.group(2) == null ? "" : parts.group(2);
        int first = port.isEmpty() ? WireBlock.DEFAULT_PORT : number("the port", port, 0, 0xFFFF);
        int ports = count(spec, first);
        return new GpvUdpOptions(
                listen,
                first,
                ports,
                allow(spec, listen.isLoopback()),
                senders(spec),
                number(spec, BUFFER, BUFFER_MIB, 1, MOST_BUFFER_MIB) << 20,
                spec.option(LAYOUT).orElseThrow());
    }

    static int count(SourceSpec spec, int first) {
        int ports = number(spec, PORTS, 1, 1, MOST_PORTS);
        if (first + ports - 1 > 0xFFFF || first == 0 && ports > 1) {
            throw invalid("ports=" + ports + " from port " + first + " cannot be", null);
        }
        return ports;
    }

    static int senders(SourceSpec spec) {
        return number(spec, SENDERS, DEFAULT_SENDERS, 1, MOST_SENDERS);
    }

    private static WeirException bad(SourceSpec spec) {
        return invalid(
                "gpv-udp:" + spec.address() + " is no address and port",
                "gpv-udp:127.0.0.1:" + WireBlock.DEFAULT_PORT + " or gpv-udp:[::1]:PORT");
    }

    /** Without the option, senders of this machine are allowed where only they can send. */
    static List<Network> allow(SourceSpec spec, boolean isLoopback) {
        String text = spec.option(ALLOW).orElse("");
        if (text.isEmpty() && !isLoopback) {
            throw invalid(
                    spec.name() + " does not say whose blocks it takes",
                    "allow=10.0.0.0/24,10.1.0.7 names the senders");
        }
        List<Network> allow = new ArrayList<>();
        for (String part :
                text.isEmpty() ? List.of("127.0.0.0/8", "::1") : List.of(text.split(","))) {
            allow.add(
                    Network.parse(part)
                            .orElseThrow(
                                    () ->
                                            invalid(
                                                    "allow=" + part + " is no network",
                                                    "allow=10.0.0.0/24,2001:db8::/32")));
        }
        if (allow.size() > Network.MOST) {
            throw invalid("allow names " + allow.size() + " networks", "at most " + Network.MOST);
        }
        return allow;
    }

    static int number(SourceSpec spec, String option, int usual, int least, int most) {
        return spec.option(option).map(text -> number(option, text, least, most)).orElse(usual);
    }

    private static int number(String what, String text, int least, int most) {
        int number = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : -1;
        if (number < least || number > most) {
            throw invalid(what + "=" + text + " cannot be", "from " + least + " to " + most);
        }
        return number;
    }

    static WeirException invalid(String what, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, what, hint);
    }
}
