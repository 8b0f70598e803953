package io.weir.operators.function;

import io.weir.operators.graph.Symbols;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Names of protocols and services. A number without a name is its own name. Kernels call this for a
 * packet: a text gets its symbol when it is first asked for, and later calls are one read.
 */
public final class KnownNames {
    static final String UNKNOWN = "unknown";

    private static final int PORTS = 1 << 16;
    private static final int PROTOCOLS = 1 << 8;
    private static final List<String> TRANSPORTS = List.of("tcp", "udp", "sctp");
    private static final Map<String, String> SERVICES = read("services.txt");
    private static final Map<String, String> KEYWORDS = read("protocols.txt");

    /** The symbols plus 1; 0: not asked for yet. Two threads may write the same value. */
    private static final int[] OF_PROTOCOL = new int[PROTOCOLS];

    private static final int[][] OF_PORT = new int[TRANSPORTS.size() + 1][PORTS];

    private KnownNames() {}

    private static Map<String, String> read(String file) {
        Map<String, String> names = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(KnownNames.class.getResourceAsStream(file));
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(
                            line -> {
                                int name = line.lastIndexOf(' ');
                                names.put(line.substring(0, name), line.substring(name + 1));
                            });
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the symbol of a protocol's keyword. */
    public static long protocol(long number) {
        if (number < 0 || number >= PROTOCOLS) {
            return Symbols.id(UNKNOWN);
        }
        int at = (int) number;
        if (OF_PROTOCOL[at] == 0) {
            OF_PROTOCOL[at] = Symbols.id(protocolText(number)) + 1;
        }
        return OF_PROTOCOL[at] - 1L;
    }

    /** Returns the symbol of the service's name at a port of a protocol. */
    public static long service(long port, long protocol) {
        if (port < 0 || port >= PORTS) {
            return Symbols.id(UNKNOWN);
        }
        int[] symbols = OF_PORT[transport(protocol)];
        int at = (int) port;
        if (symbols[at] == 0) {
            symbols[at] = Symbols.id(serviceText(port, protocol)) + 1;
        }
        return symbols[at] - 1L;
    }

    static String protocolText(long number) {
        return number < 0 || number >= PROTOCOLS
                ? UNKNOWN
                : KEYWORDS.getOrDefault(Long.toString(number), Long.toString(number));
    }

    static String serviceText(long port, long protocol) {
        if (port < 0 || port >= PORTS) {
            return UNKNOWN;
        }
        int transport = transport(protocol);
        String number = Long.toString(port);
        return transport == TRANSPORTS.size()
                ? number
                : SERVICES.getOrDefault(number + " " + TRANSPORTS.get(transport), number);
    }

    private static int transport(long protocol) {
        if (protocol == 6) {
            return 0;
        } else if (protocol == 17) {
            return 1;
        }
        return protocol == 132 ? 2 : TRANSPORTS.size();
    }
}
