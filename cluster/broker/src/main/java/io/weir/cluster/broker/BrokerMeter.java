package io.weir.cluster.broker;

import io.weir.cluster.disk.DiskSpace;
import io.weir.cluster.metrics.Meter;
import io.weir.cluster.metrics.Readings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Shows some measures of the broker in this process, read from Kafka's own beans. Users with their
 * own Kafka have exporters for it.
 */
public final class BrokerMeter implements Meter {
    private static final List<Bean> BEANS =
            List.of(
                    new Bean(
                            "weir_broker_under_replicated_partitions",
                            "Partitions with fewer copies in step than they should have",
                            "ReplicaManager,name=UnderReplicatedPartitions",
                            "Value",
                            false),
                    new Bean(
                            "weir_broker_leaders",
                            "Partitions that it leads",
                            "ReplicaManager,name=LeaderCount",
                            "Value",
                            false),
                    new Bean(
                            "weir_broker_messages_in",
                            "Records that came in",
                            "BrokerTopicMetrics,name=MessagesInPerSec",
                            "Count",
                            true),
                    new Bean(
                            "weir_broker_bytes_in",
                            "Bytes that came in",
                            "BrokerTopicMetrics,name=BytesInPerSec",
                            "Count",
                            true),
                    new Bean(
                            "weir_broker_bytes_out",
                            "Bytes that went out",
                            "BrokerTopicMetrics,name=BytesOutPerSec",
                            "Count",
                            true));

    private final Path directory;

    private record Bean(String metric, String help, String type, String attribute, boolean adds) {}

    /**
     * @param directory of its logs
     */
    public BrokerMeter(Path directory) {
        this.directory = directory;
    }

    @Override
    public void read(Readings out) {
        BEANS.forEach(bean -> read(bean, out));
        out.gauge(
                "weir_broker_disk_free_bytes",
                "Free bytes on the disk of its logs",
                DiskSpace.freeBytes(directory));
    }

    /** A value that has not been counted yet has no bean: then it is 0. */
    private static void read(Bean bean, Readings out) {
        double value = 0;
        try {
            Object read =
                    ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(
                                    new ObjectName("kafka.server:type=" + bean.type()),
                                    bean.attribute());
            value = ((Number) read).doubleValue();
        } catch (JMException notYet) {
            value = 0;
        }
        if (bean.adds()) {
            out.counter(bean.metric(), bean.help(), value);
        } else {
            out.gauge(bean.metric(), bean.help(), value);
        }
    }
}
