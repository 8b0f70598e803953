package io.weir.cluster.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;

/** What a handler says to a request's head: the answer, or that it wants the body first. */
public sealed interface HttpStep {
    /**
     * The body is read, if it is not too large, and then answered.
     *
     * @param mostBytes more is refused with 413, unread
     */
    record Body(int mostBytes, Function<byte[], Answer> then) implements HttpStep {}

    /** An answer: its status, headers beside those that the connection writes itself, a body. */
    final class Answer implements HttpStep {
        private static final byte[] NOTHING = {};

        private final int status;
        private final Map<String, String> headers;
        private final byte[] body;

        /** The body is not copied. */
        public Answer(int status, Map<String, String> headers, byte[] body) {
            this.status = status;
            this.headers = Map.copyOf(headers);
            this.body = body;
        }

        /** One without a body. */
        public static Answer of(int status) {
            return new Answer(status, Map.of(), NOTHING);
        }

        /** One of a text in UTF-8. */
        public static Answer of(int status, String type, String text) {
            return new Answer(
                    status, Map.of("Content-Type", type), text.getBytes(StandardCharsets.UTF_8));
        }

        int status() {
            return status;
        }

        Map<String, String> headers() {
            return headers;
        }

        byte[] body() {
            return body;
        }
    }
}
