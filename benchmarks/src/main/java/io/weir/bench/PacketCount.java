package io.weir.bench;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Turns operations into packets: JMH reports {@link #packets} per second beside its own figure. */
@AuxCounters(AuxCounters.Type.OPERATIONS)
@State(Scope.Thread)
public class PacketCount {
    public long packets;
}
