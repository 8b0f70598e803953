package io.weir.cluster.broker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.loader.MetadataLoader;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.BrokerRegistration;

/**
 * Waits until the controllers know that a broker's killed process is gone. A broker that starts
 * earlier first leads its partitions as the killed process did, and loses them in the next second.
 * Transaction markers that it must write in between are lost for good: Kafka takes a partition
 * without a leader for a deleted one. Then nobody can read later records in these partitions. A
 * broker cannot register earlier either, so the wait delays nothing. One thread.
 */
final class FormerLife implements MetadataPublisher {
    private final int broker;
    private final CountDownLatch gone = new CountDownLatch(1);

    private FormerLife(int broker) {
        this.broker = broker;
    }

    /**
     * Returns when it is gone, or after this time: without most of the controllers nobody knows.
     */
    static void awaitGone(MetadataLoader loader, int broker, Duration longest) {
        FormerLife former = new FormerLife(broker);
        var unusedBegin = loader.installPublishers(List.of(former));
        try {
            var unusedAnswer = former.gone.await(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var unusedEnd = loader.removeAndClosePublisher(former);
    }

    @Override
    public String name() {
        return "FormerLife broker " + broker;
    }

    @Override
    public void onMetadataUpdate(
            MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
        BrokerRegistration known = image.cluster().broker(broker);
        if (known == null || known.fenced()) {
            gone.countDown();
        }
    }

    /** Closes nothing. */
    @Override
    public void close() {}
}
