package io.weir.ingest.capture;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;

/**
 * The bytes of a channel from front to back. If they are compressed, it decompresses them. One
 * thread; the channel's owner closes the channel.
 */
final class ByteStream implements AutoCloseable {
    private static final int PACKED_BYTES = 64 << 10;
    private static final int UNPACKED_BYTES = 64 << 10;

    private final ReadableByteChannel channel;

    /** The first bytes, until they are given on. */
    private final ByteBuffer head =
            ByteBuffer.allocate(Compression.MAGIC_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /** Null if the bytes are not compressed. */
    private InputStream unpacked;

    private byte[] buffer;
    private IOException channelFailure;
    private String damage;

    private ByteStream(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /** Begins a stream. It waits for the first bytes, which show a compression. */
    static ByteStream of(ReadableByteChannel channel) throws IOException {
        ByteStream stream = new ByteStream(channel);
        while (stream.head.hasRemaining() && channel.read(stream.head) >= 0) {}
        stream.head.flip();
        Optional<Compression> compression =
                stream.head.remaining() == Compression.MAGIC_BYTES
                        ? Compression.of(stream.head.getInt(0))
                        : Optional.empty();
        if (compression.isPresent()) {
            stream.unpack(compression.get());
        }
        return stream;
    }

    private void unpack(Compression compression) throws IOException {
        buffer = new byte[UNPACKED_BYTES];
        try {
            unpacked = compression.unpack(new BufferedInputStream(new Packed(), PACKED_BYTES));
        } catch (IOException | RuntimeException e) {
            damaged(e);
            unpacked = InputStream.nullInputStream();
        }
    }

    /**
     * Reads into the buffer. Returns the bytes; -1 at the end.
     *
     * @throws IOException the channel could not be read
     */
    int read(ByteBuffer to) throws IOException {
        if (unpacked != null) {
            return readUnpacked(to);
        }
        if (!head.hasRemaining()) {
            return channel.read(to);
        }
        int bytes = Math.min(to.remaining(), head.remaining());
        to.put(head.slice().limit(bytes));
        head.position(head.position() + bytes);
        return bytes;
    }

    private int readUnpacked(ByteBuffer to) throws IOException {
        if (damage != null) {
            return -1;
        }
        try {
            int bytes = unpacked.read(buffer, 0, Math.min(buffer.length, to.remaining()));
            if (bytes > 0) {
                to.put(buffer, 0, bytes);
            }
            return bytes;
        } catch (IOException | RuntimeException e) {
            damaged(e);
            return -1;
        }
    }

    /** Notes that no more can be decompressed, unless the channel itself has failed. */
    private void damaged(Exception problem) throws IOException {
        if (channelFailure != null) {
            throw channelFailure;
        }
        String why = problem.getMessage();
        damage = why == null ? problem.getClass().getSimpleName() : why;
    }

    /** Returns the reason why the rest could not be decompressed; null if there is none. */
    String damage() {
        return damage;
    }

    /** Frees the memory of the decompression. */
    @Override
    public void close() {
        try {
            if (unpacked != null) {
                unpacked.close();
            }
        } catch (IOException | RuntimeException e) {
            damage = damage == null ? e.getMessage() : damage; // all bytes were given on before
        }
    }

    /** The compressed bytes. It remembers a failure of the channel, which is no damage. */
    private final class Packed extends InputStream {
        private final InputStream in = Channels.newInputStream(channel);

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (head.hasRemaining()) {
                int bytes = Math.min(length, head.remaining());
                head.get(to, offset, bytes);
                return bytes;
            }
            try {
                return in.read(to, offset, length);
            } catch (IOException e) {
                channelFailure = e;
                throw e;
            }
        }
    }
}
