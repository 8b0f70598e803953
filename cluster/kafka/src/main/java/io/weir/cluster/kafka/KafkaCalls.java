package io.weir.cluster.kafka;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Stopwatch;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/** Makes calls to Kafka that a user waits for. It turns failures into Weir's errors. */
public final class KafkaCalls {
    /** The longest wait for an answer. */
    public static final long TIMEOUT_MS = 30_000;

    private static final int CONNECT_MS = 500;

    private KafkaCalls() {}

    /** A call that waits for Kafka. */
    @FunctionalInterface
    public interface Call {
        void run() throws Exception;
    }

    /** Makes a client for a few such calls. It ends with them when it is closed. */
    public static Admin admin(KafkaSettings settings, String clientId) {
        Map<String, Object> config = settings.client(clientId);
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TIMEOUT_MS);
        return Admin.create(config);
    }

    /** Returns the result of the future. It throws its failure unchanged. */
    public static <T> T await(KafkaFuture<T> future) throws Exception {
        try {
            return future.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Returns whether Kafka, which was there before, answers now. */
    public static boolean answers(KafkaSettings settings, String clientId, Duration within) {
        Map<String, Object> config = settings.client(clientId);
        int timeoutMs = (int) within.toMillis();
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMs);
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMs);
        Admin admin = Admin.create(config);
        try {
            var nodes = admin.describeCluster().nodes().get(timeoutMs, TimeUnit.MILLISECONDS);
            return !nodes.isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    /**
     * @param failed the begin of the error's sentence
     * @throws WeirException KAFKA_UNAVAILABLE, or the error of the call itself
     */
    public static void run(KafkaSettings settings, String failed, Call call) {
        Stopwatch waited = Stopwatch.started();
        try {
            call.run();
        } catch (KafkaException e) {
            throw failure(settings, failed, e, waited.ns());
        } catch (RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(settings, failed, e, waited.ns());
        } catch (Exception e) {
            throw failure(settings, failed, e, waited.ns());
        }
    }

    /** Makes the error for a user. It keeps Kafka's own words, because they name the cause. */
    public static WeirException failure(KafkaSettings settings, String failed, Exception e) {
        return failure(settings, failed, e, TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS));
    }

    private static WeirException failure(
            KafkaSettings settings, String failed, Exception e, long waitedNs) {
        WeirException failure =
                new WeirException(
                        ErrorCode.KAFKA_UNAVAILABLE,
                        failed
                                + " ("
                                + settings
                                + "): "
                                + settings.withoutSecrets(reason(e, waitedNs)),
                        hint(e));
        failure.initCause(e);
        return failure;
    }

    /** Returns whether the error says that Kafka does not answer, rather than that it refuses. */
    public static boolean isAway(WeirException failure) {
        Throwable cause = failure.getCause();
        return failure.code() == ErrorCode.KAFKA_UNAVAILABLE
                && !(cause instanceof AuthenticationException)
                && !(cause instanceof AuthorizationException);
    }

    /** Returns whether the error says that no address is known for any of Kafka's hosts. */
    public static boolean isUnresolved(WeirException failure) {
        return failure.getCause() instanceof KafkaException cause && isUnresolved(cause);
    }

    /** Returns the same for an error from making a client. */
    static boolean isUnresolved(KafkaException failure) {
        return String.valueOf(failure.getMessage()).contains("No resolvable")
                || failure.getCause() instanceof ConfigException config
                        && config.getMessage().contains("No resolvable");
    }

    /** Returns whether nobody listens at any of Kafka's addresses. Then it is certainly away. */
    public static boolean isRefused(KafkaSettings settings) {
        return Stream.of(settings.bootstrap().split(",")).allMatch(KafkaCalls::isRefused);
    }

    private static boolean isRefused(String address) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
        int port = Integer.parseInt(address.substring(colon + 1));
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MS);
            return false;
        } catch (ConnectException | UnknownHostException e) {
            return true;
        } catch (IOException e) {
            return false; // it is silent, and may be there
        }
    }

    private static String reason(Exception e, long waitedNs) {
        if (isTimeout(e) || e.getMessage() == null) {
            return "no answer in " + TimeUnit.NANOSECONDS.toSeconds(waitedNs) + " s";
        }
        StringBuilder reason = new StringBuilder(e.getMessage());
        Throwable cause = e;
        while (isSettings(cause) && cause.getCause() != null) {
            cause = cause.getCause();
            reason.append(": ").append(cause.getMessage());
        }
        return reason.toString().replace('\n', ' ');
    }

    /** The time-out is ours, or Kafka's own, whose words are about nodes and assignments. */
    private static boolean isTimeout(Exception e) {
        return e instanceof TimeoutException
                || e instanceof org.apache.kafka.common.errors.TimeoutException;
    }

    /** If settings are wrong, Kafka only says that a client could not be made. */
    private static boolean isSettings(Throwable e) {
        return String.valueOf(e.getMessage()).startsWith("Failed to");
    }

    private static String hint(Exception e) {
        if (e instanceof KafkaException failed && isUnresolved(failed)) {
            return "no address is known for the host: is its name spelt right?";
        }
        if (e instanceof AuthenticationException
                || e instanceof AuthorizationException
                || isSettings(e) && !isTimeout(e)) {
            return "credentials come from --kafka-config FILE, or "
                    + KafkaSettings.FILE_VARIABLE
                    + "; docs/CLUSTER.md lists the rights that Weir needs";
        }
        return e instanceof KafkaException || isTimeout(e)
                ? "is Kafka running there? weir broker starts one"
                : null;
    }
}
