package io.weir.cluster.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads requests of HTTP/1.0 and 1.1 (RFC 9112), strictly: an ambiguous request is refused. One
 * connection, one thread.
 */
final class HttpReader {
    private static final int MOST_HEAD_BYTES = 16 << 10;
    private static final int MOST_HEADERS = 100;
    private static final int LONGEST_CHUNK_LINE = 256;
    private static final Pattern REQUEST_LINE =
            Pattern.compile("([A-Z]{1,16}) ([!-~]{1,4096}) HTTP/1\\.([01])");
    private static final Pattern HEADER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*(.*?)[ \\t]*");
    private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,8})(?:[ \\t]*;.*)?");

    private final InputStream in;
    private int headBytes;
    private boolean isOld;

    HttpReader(InputStream in) {
        this.in = in;
    }

    /** Returns the first byte of the next request; negative at the connection's end. */
    int first() throws IOException {
        int c = in.read();
        while (c == '\r' || c == '\n') {
            c = in.read();
        }
        return c;
    }

    HttpHead head(int first, InetAddress client) throws IOException, HttpFault {
        headBytes = 0;
        Matcher line = REQUEST_LINE.matcher((char) first + line(MOST_HEAD_BYTES));
        if (!line.matches()) {
            throw new HttpFault(400);
        }
        isOld = line.group(3).equals("0");
        Map<String, String> headers = new HashMap<>();
        int count = 0;
        for (String text = line(MOST_HEAD_BYTES); !text.isEmpty(); text = line(MOST_HEAD_BYTES)) {
            Matcher header = HEADER.matcher(text);
            if (!header.matches()) {
                throw new HttpFault(400);
            }
            String name = header.group(1).toLowerCase(Locale.ROOT);
            if (headers.putIfAbsent(name, header.group(2)) != null && isSingle(name)) {
                throw new HttpFault(400);
            } else if (++count > MOST_HEADERS) {
                throw new HttpFault(431);
            }
        }
        String path = line.group(2).replaceFirst("[?#].*", "");
        return new HttpHead(line.group(1), path, headers, client);
    }

    private static boolean isSingle(String name) {
        return name.equals("content-length")
                || name.equals("transfer-encoding")
                || name.equals("host")
                || name.equals("authorization");
    }

    /** Returns a line without its end. */
    private String line(int most) throws IOException, HttpFault {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            } else if (++headBytes > most) {
                throw new HttpFault(431);
            }
            line.append((char) c);
        }
        int length = line.length();
        if (length > 0 && line.charAt(length - 1) == '\r') {
            line.setLength(length - 1);
        }
        if (line.chars().anyMatch(c -> c < ' ' && c != '\t' || c == 0x7f)) {
            throw new HttpFault(400);
        }
        return line.toString();
    }

    /** Returns whether the client will close the connection. */
    boolean isLast(HttpHead head) {
        String wish = head.header("connection").orElse("").toLowerCase(Locale.ROOT);
        return wish.contains("close") || isOld && !wish.contains("keep-alive");
    }

    /** Returns the bytes of the body; negative if it comes in chunks. */
    long bodyBytes(HttpHead head) throws HttpFault {
        String length = head.header("content-length").orElse(null);
        String coding = head.header("transfer-encoding").orElse(null);
        if (coding != null) {
            if (length != null || isOld) {
                throw new HttpFault(400);
            } else if (!coding.equalsIgnoreCase("chunked")) {
                throw new HttpFault(501);
            }
            return -1;
        } else if (length == null) {
            return 0;
        } else if (!length.matches("\\d{1,18}")) {
            throw new HttpFault(400);
        }
        return Long.parseLong(length);
    }

    /** Reads a body of the length from {@link #bodyBytes}. */
    byte[] body(long length, int most) throws IOException, HttpFault {
        if (length > most) {
            throw new HttpFault(413);
        } else if (length < 0) {
            return chunks(most);
        }
        byte[] body = in.readNBytes((int) length);
        if (body.length < length) {
            throw new EOFException();
        }
        return body;
    }

    private byte[] chunks(int most) throws IOException, HttpFault {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        long length = chunkLength();
        while (length > 0) {
            if (body.size() + length > most) {
                throw new HttpFault(413);
            }
            body.write(body(length, most));
            if (!chunkLine().isEmpty()) {
                throw new HttpFault(400);
            }
            length = chunkLength();
        }
        headBytes = 0;
        String field = line(MOST_HEAD_BYTES);
        while (!field.isEmpty()) { // fields behind a body have no meaning here
            field = line(MOST_HEAD_BYTES);
        }
        return body.toByteArray();
    }

    private long chunkLength() throws IOException, HttpFault {
        Matcher chunk = CHUNK.matcher(chunkLine());
        if (!chunk.matches()) {
            throw new HttpFault(400);
        }
        return Long.parseLong(chunk.group(1), 16);
    }

    private String chunkLine() throws IOException, HttpFault {
        headBytes = 0;
        return line(LONGEST_CHUNK_LINE);
    }

    /** Reads the rest, at most some bytes. */
    void skip(int most) throws IOException {
        byte[] unused = in.readNBytes(most);
        assert unused.length <= most;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
