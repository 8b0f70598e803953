package io.weir.cluster.launcher;

import io.weir.cluster.metrics.Meter;
import io.weir.cluster.metrics.MetricsEndpoint;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import picocli.CommandLine.Option;

/** Where Prometheus finds how the process is: the same for all that run on. */
final class MetricsOption {
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
        InetSocketAddress socket = Ports.address(address, "as in 9470", MetricsOption::wrong);
        MetricsEndpoint endpoint = new MetricsEndpoint(socket, role);
        err.println(
                "metrics on http://" + socket.getHostString() + ":" + endpoint.port() + "/metrics");
        return new Page(endpoint);
    }

    private static WeirException wrong(String problem, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, "--metrics: " + problem, hint);
    }
}
