package io.weir.cluster.launcher;

import io.weir.cluster.metrics.Meter;
import io.weir.cluster.metrics.MetricsEndpoint;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Where Prometheus finds how the process is: the same for all that run on. */
final class MetricsOption {
    private static final Pattern ADDRESS = Pattern.compile("(?:(.+):)?(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--metrics",
            paramLabel = "[HOST:]PORT",
            description = {
                "Tells Prometheus how this process is, at http://HOST:PORT/metrics (HOST by default"
                        + " 127.0.0.1; port 0: any)."
            })
    private String address;

    /** What to close; the parts of the process are told as they come. */
    static final class Page implements AutoCloseable {
        private final MetricsEndpoint endpoint;

        private Page(MetricsEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        /** Told of at each scrape, if there are any. */
        Page with(Meter meter) {
            if (endpoint != null) {
                endpoint.add(meter);
            }
            return this;
        }

        @Override
        public void close() {
            if (endpoint != null) {
                endpoint.close();
            }
        }
    }

    /** Listens, if that was asked for. */
    Page open(String role, PrintStream err) {
        if (address == null) {
            return new Page(null);
        }
        InetSocketAddress socket = socket(address);
        MetricsEndpoint endpoint = new MetricsEndpoint(socket, role);
        err.println(
                "metrics on http://" + socket.getHostString() + ":" + endpoint.port() + "/metrics");
        return new Page(endpoint);
    }

    private static InetSocketAddress socket(String text) {
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches() || Integer.parseInt(address.group(2)) > MAX_PORT) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, "--metrics: there is no port " + text, "as in 9470");
        }
        String host = address.group(1) == null ? "127.0.0.1" : address.group(1);
        InetSocketAddress socket = new InetSocketAddress(host, Integer.parseInt(address.group(2)));
        if (socket.isUnresolved()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, "--metrics: no address is known for " + host);
        }
        return socket;
    }
}
