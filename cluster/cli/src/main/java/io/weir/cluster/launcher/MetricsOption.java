package io.weir.cluster.launcher;

import io.weir.cluster.metrics.Meter;
import io.weir.cluster.metrics.MetricsEndpoint;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** The option for the address of Prometheus' metrics, the same for all long-running commands. */
final class MetricsOption {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsOption.class);

    @Option(
            names = "--metrics",
            paramLabel = "[HOST:]PORT",
            description = {
                "Tells Prometheus how this process is, at http://HOST:PORT/metrics (HOST by default"
                        + " 127.0.0.1; port 0: any)."
            })
    private String address;

    /** The open endpoint. Parts of the process are added as they begin. */
    static final class Page implements AutoCloseable {
        private final MetricsEndpoint endpoint;

        private Page(MetricsEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        /** Adds a meter for each scrape, if there are scrapes. */
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

    /** Listens, if the option was given. */
    Page open(String role) {
        if (address == null) {
            return new Page(null);
        }
        InetSocketAddress socket = Ports.address(address, "as in 9470", MetricsOption::wrong);
        MetricsEndpoint endpoint = new MetricsEndpoint(socket, role);
        LOG.info("metrics on http://{}:{}/metrics", socket.getHostString(), endpoint.port());
        return new Page(endpoint);
    }

    private static WeirException wrong(String problem, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, "--metrics: " + problem, hint);
    }
}
