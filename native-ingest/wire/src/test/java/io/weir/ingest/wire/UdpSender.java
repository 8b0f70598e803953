package io.weir.ingest.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Sends UDP packets as fast as it can: address, port, packets, number of own ports. */
final class UdpSender {
    private static final int FIRST_PORT = 20_000;
    private static final int PAYLOAD_BYTES = 100 - 28;

    private UdpSender() {}

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress to = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        int packets = Integer.parseInt(arguments[2]);
        DatagramChannel[] channels = new DatagramChannel[Integer.parseInt(arguments[3])];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = DatagramChannel.open().bind(new InetSocketAddress(FIRST_PORT + i));
        }
        ByteBuffer payload = ByteBuffer.allocateDirect(PAYLOAD_BYTES);
        for (int i = 0; i < packets; i++) {
            payload.clear();
            if (channels[i % channels.length].send(payload, to) == 0) {
                throw new IOException("packet " + i + " was not sent");
            }
        }
        for (DatagramChannel channel : channels) {
            channel.close();
        }
    }
}
