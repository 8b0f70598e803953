package io.weir.cluster.kafka.results;

import io.weir.operators.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the entries of an outbox that Kafka refuses. An entry that it will never take is set
 * aside, so that it does not block all others. A refusal that may end is reported to people once,
 * when it has lasted. The sender's thread, except {@link #refused} and {@link #reason}.
 */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    /** Brokers that restart are away for less. */
    static final long LASTING_MS = 10_000;

    private static final int MOST_REASONS = 64;
    private static final List<Class<? extends Exception>> FOR_EVER =
            List.of(
                    RecordTooLargeException.class,
                    UnsupportedForMessageFormatException.class,
                    InvalidRecordException.class,
                    InvalidTimestampException.class);

    private final String title;
    private final UnaryOperator<String> withoutSecrets;
    private final Clock clock;

    /** The first refusal in the last transaction; later failures came from it. */
    private final AtomicReference<Refused> first = new AtomicReference<>();

    private final Set<Long> aside = new HashSet<>();
    private final Set<String> toldAside = new HashSet<>();
    private final Set<String> toldWaiting = new HashSet<>();
    private OptionalLong failingSinceNs = OptionalLong.empty();
    private volatile String reason = "";

    private record Refused(long number, String topic, Exception why) {}

    /**
     * @param title the outbox, for people
     */
    Refusals(String title, UnaryOperator<String> withoutSecrets, Clock clock) {
        this.title = title;
        this.withoutSecrets = withoutSecrets;
        this.clock = clock;
    }

    /** Returns whether an entry must not be sent. */
    boolean isAside(long number) {
        return aside.contains(number);
    }

    /**
     * Takes Kafka's answer for an entry. Any thread.
     *
     * @param failure null: it was taken
     */
    void refused(long number, String topic, Exception failure) {
        if (failure != null && FOR_EVER.contains(failure.getClass())) {
            first.compareAndSet(null, new Refused(number, topic, failure));
        }
    }

    /** Returns whether an entry will never be taken. That one is set aside now. */
    boolean setAside() {
        Refused refused = first.getAndSet(null);
        if (refused == null || !aside.add(refused.number())) {
            return false;
        }
        String kind = refused.topic() + " " + refused.why().getClass().getName();
        if (isNew(toldAside, kind)) {
            LOG.warn(
                    "{}: Kafka refuses some rows for {}, which are lost: {}",
                    title,
                    refused.topic(),
                    text(refused.why()));
        }
        return true;
    }

    /** Notes that nothing was sent. It will be tried again. */
    void failed(KafkaException failure) {
        first.set(null);
        long now = clock.nanos();
        if (failingSinceNs.isEmpty()) {
            failingSinceNs = OptionalLong.of(now);
        }
        if (now - failingSinceNs.getAsLong() < TimeUnit.MILLISECONDS.toNanos(LASTING_MS)) {
            return;
        }
        Throwable cause = cause(failure);
        reason = text(cause);
        if (isNew(toldWaiting, cause.getClass().getName())) {
            LOG.warn("{}: no row is sent, and all wait: {}", title, reason);
        }
    }

    /** If a transaction failed, Kafka only says that it did. */
    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() instanceof KafkaException deeper) {
            cause = deeper;
        }
        return cause;
    }

    private String text(Throwable why) {
        String words = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
        return withoutSecrets.apply(words).replace('\n', ' ');
    }

    private static boolean isNew(Set<String> told, String what) {
        return told.size() < MOST_REASONS && told.add(what);
    }

    /** Notes that all earlier entries that were not set aside are in Kafka. */
    void sent(long next) {
        aside.removeIf(number -> number < next);
        first.set(null);
        failingSinceNs = OptionalLong.empty();
        if (!reason.isEmpty()) {
            reason = "";
            toldWaiting.clear();
            LOG.info("{}: they are sent again", title);
        }
    }

    /** Returns why nothing has been sent for a while; empty if something was. Any thread. */
    String reason() {
        return reason;
    }
}
