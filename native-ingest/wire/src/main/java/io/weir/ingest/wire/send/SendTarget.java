package io.weir.ingest.wire.send;

import io.weir.ingest.wire.gpv.WireBlock;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A receiver of blocks: the other end of a UDP socket. It counts packets and blocks by their
 * outcome. One thread.
 */
final class SendTarget implements DatagramSink, AutoCloseable {
    private static final Pattern ADDRESS =
            Pattern.compile("(\\[[^\\]]+\\]|[^:\\[\\]]+)(?::(\\d{1,5}))?");

    private final String name;
    private final DatagramChannel channel;
    private final Outcome packets;
    private final Outcome blocks;
    private String problem = "";

    /** The counts of one page. */
    private record Outcome(Counter offered, Counter sent, Counter refused, Counter failed) {
        Outcome(Stage stage) {
            this(stage.offered(), stage.processed(), stage.lost("refused"), stage.lost("not_sent"));
        }
    }

    private SendTarget(String name, DatagramChannel channel, Stage packets, Stage blocks) {
        this.name = name;
        this.channel = channel;
        this.packets = new Outcome(packets);
        this.blocks = new Outcome(blocks);
    }

    /**
     * Opens a socket to {@code HOST} or {@code HOST:PORT}.
     *
     * @param packets gets the outcome of each packet; who calls {@link #datagram} has offered it
     * @param blocks gets the number and the outcome of datagrams
     * @throws WeirException INVALID_OPTION: no such address, or no way to it
     */
    static SendTarget open(String text, Stage packets, Stage blocks) {
        InetSocketAddress address = address(text);
        try {
            DatagramChannel channel = DatagramChannel.open();
            try {
                channel.connect(address);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
            return new SendTarget(text, channel, packets, blocks);
        } catch (IOException e) {
            throw invalid("nothing can be sent to " + text + ": " + e.getMessage(), "ip route get");
        }
    }

    private static InetSocketAddress address(String text) {
        Matcher parts = ADDRESS.matcher(text);
        boolean sound = parts.matches();
        String digits = sound ? parts.group(2) : null;
        int port = digits == null ? WireBlock.DEFAULT_PORT : Integer.parseInt(digits);
        if (!sound || port < 1 || port > 0xFFFF) {
            throw invalid(
                    text + " is no HOST:PORT",
                    "127.0.0.1:" + WireBlock.DEFAULT_PORT + " or [::1]:PORT");
        }
        try {
            return new InetSocketAddress(host(parts.group(1)), port);
        } catch (UnknownHostException e) {
            throw invalid("there is no host " + parts.group(1), "an address, or a name of one");
        }
    }

    @SuppressWarnings("AddressSelection") // as every program that takes a name does
    private static InetAddress host(String name) throws UnknownHostException {
        return InetAddress.getByName(name);
    }

    private static WeirException invalid(String what, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, "--to: " + what, hint);
    }

    @Override
    public void datagram(ByteBuffer datagram, int count) {
        blocks.offered().add(1);
        try {
            channel.write(datagram);
            packets.sent().add(count);
            blocks.sent().add(1);
        } catch (PortUnreachableException e) {
            packets.refused().add(count);
            blocks.refused().add(1);
            problem = name + ": nobody listens at this port; what is sent there is lost";
        } catch (IOException e) {
            packets.failed().add(count);
            blocks.failed().add(1);
            problem = name + ": " + e.getMessage();
        }
    }

    /** Returns a sentence about blocks that could not be sent. */
    Optional<String> note() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            problem = name + ": " + e.getMessage();
        }
    }
}
