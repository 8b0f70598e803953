package io.weir.ingest.wire.gpv;

import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Stage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** A source at a free port, and a channel for each sender's address. */
final class Wire implements AutoCloseable {
    final RingEnd end = new RingEnd();
    final GpvUdpSource source;
    private final List<DatagramChannel> channels = new ArrayList<>();

    Wire(String options) {
        SourceSpec spec = Sources.parse("gpv-udp:127.0.0.1:0?" + options, "here").get(0);
        GpvUdpOptions udp = GpvUdpOptions.of(spec);
        SourceContext context =
                end.context(udp.layout(), () -> System.currentTimeMillis() * 1_000_000);
        source = new GpvUdpSource(spec, udp, 0, context);
    }

    @SuppressWarnings("AddressSelection") // it is a number, and has one address
    DatagramChannel from(String address) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channels.add(channel);
        channel.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        channel.connect(new InetSocketAddress("127.0.0.1", source.port()));
        return channel;
    }

    void step() {
        source.step();
        end.read();
    }

    void finish() {
        for (int i = 0; i < 10; i++) {
            step();
        }
        source.stop();
        while (source.step()) {}
        end.read();
    }

    Stage.Snapshot page(String name) {
        return end.account.snapshot().stream()
                .filter(page -> page.stage().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() throws IOException {
        for (DatagramChannel channel : channels) {
            channel.close();
        }
        source.close();
        end.close();
    }
}
