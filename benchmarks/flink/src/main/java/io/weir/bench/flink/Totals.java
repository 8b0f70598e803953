package io.weir.bench.flink;

import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Computes groups over all packets, in Flink's keyed state on the heap; rows come at the end of
 * input. A group is put into the state once, and then changed in place: {@code reduce} would look
 * it up twice a packet.
 */
final class Totals extends AbstractStreamOperator<long[]>
        implements OneInputStreamOperator<Packet, long[]>, BoundedOneInput {
    private static final long serialVersionUID = 1;

    private final Work work;
    private transient ValueStateDescriptor<Group> descriptor;
    private transient ValueState<Group> state;

    Totals(Work work) {
        this.work = work;
    }

    @Override
    public void open() throws Exception {
        super.open();
        descriptor = new ValueStateDescriptor<>("group", TypeInformation.of(Group.class));
        state = getRuntimeContext().getState(descriptor);
    }

    @Override
    public void processElement(StreamRecord<Packet> element) throws Exception {
        Group group = state.value();
        if (group == null) {
            group = new Group();
            state.update(group);
        }
        work.update().add(group, element.getValue());
    }

    @Override
    public void endInput() throws Exception {
        StreamRecord<long[]> row = new StreamRecord<>(null);
        this.<Long>getKeyedStateBackend()
                .applyToAllKeys(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        descriptor,
                        (key, group) ->
                                output.collect(row.replace(work.row().of(key, group.value()))));
    }
}
