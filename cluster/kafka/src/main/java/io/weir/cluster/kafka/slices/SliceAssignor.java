package io.weir.cluster.kafka.slices;

import io.weir.cluster.placement.SliceShares;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;

/**
 * Makes {@link SliceShares} an assignor of Kafka's group protocol, cooperative. The owner of a
 * slice that moves gives it up in one round, and the next owner gets it in the round after. In
 * between it has no owner. It never has two.
 */
public final class SliceAssignor implements ConsumerPartitionAssignor, Configurable {
    /** The key of the node in a consumer's configuration. */
    static final String NODE = "weir.slices.node";

    /**
     * The key of the least number of members. The group waits for them while no slice has an owner.
     */
    static final String LEAST_MEMBERS = "weir.slices.least.members";

    private byte[] node = new byte[0];
    private int leastMembers;

    @Override
    public void configure(Map<String, ?> configs) {
        node = String.valueOf(configs.get(NODE)).getBytes(StandardCharsets.UTF_8);
        leastMembers = (Integer) configs.get(LEAST_MEMBERS);
    }

    @Override
    public String name() {
        return "weir-slices";
    }

    @Override
    public List<RebalanceProtocol> supportedProtocols() {
        return List.of(RebalanceProtocol.COOPERATIVE);
    }

    @Override
    public ByteBuffer subscriptionUserData(Set<String> topics) {
        return ByteBuffer.wrap(node);
    }

    @Override
    public GroupAssignment assign(Cluster metadata, GroupSubscription group) {
        Map<String, Subscription> members = group.groupSubscription();
        Map<String, List<TopicPartition>> assigned = new HashMap<>();
        members.keySet().forEach(id -> assigned.put(id, new ArrayList<>()));
        Set<String> topics =
                members.values().stream()
                        .flatMap(member -> member.topics().stream())
                        .collect(Collectors.toSet());
        for (String topic : topics) {
            Integer slices = metadata.partitionCountForTopic(topic);
            if (slices != null) {
                assign(topic, slices, members, assigned);
            }
        }
        Map<String, Assignment> all = new HashMap<>();
        assigned.forEach((id, partitions) -> all.put(id, new Assignment(partitions)));
        return new GroupAssignment(all);
    }

    private void assign(
            String topic,
            int slices,
            Map<String, Subscription> members,
            Map<String, List<TopicPartition>> assigned) {
        int newest =
                members.values().stream()
                        .mapToInt(member -> member.generationId().orElse(-1))
                        .max()
                        .orElse(-1);
        TreeMap<String, SliceShares.Member> wanting = new TreeMap<>();
        Map<Integer, String> owners = new HashMap<>();
        members.forEach(
                (id, member) -> {
                    Set<Integer> owned = new HashSet<>();
                    // A member that missed a round may have lost its slices to another.
                    if (member.generationId().orElse(-1) == newest) {
                        member.ownedPartitions().stream()
                                .filter(partition -> partition.topic().equals(topic))
                                .forEach(partition -> owned.add(partition.partition()));
                    }
                    owned.forEach(slice -> owners.put(slice, id));
                    wanting.put(id, new SliceShares.Member(node(member), owned));
                });
        if (owners.isEmpty() && members.size() < leastMembers) {
            return; // the next member would take slices that count already
        }
        SliceShares.of(slices, wanting)
                .forEach(
                        (id, share) -> {
                            for (int slice : share) {
                                if (owners.getOrDefault(slice, id).equals(id)) {
                                    assigned.get(id).add(new TopicPartition(topic, slice));
                                }
                            }
                        });
    }

    private static String node(Subscription member) {
        return member.userData() == null
                ? ""
                : StandardCharsets.UTF_8.decode(member.userData().duplicate()).toString();
    }
}
