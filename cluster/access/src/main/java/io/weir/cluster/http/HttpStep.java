package io.weir.cluster.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;

/** A handler's reply to a request's head: the answer, or a request for the body first. */
public sealed interface HttpStep {
    /**
     * Reads the body, if it is not too large, and then answers.
     *
     * @param mostBytes a larger body is refused with 413, unread
     */
    record Body(int mostBytes, Function<byte[], Answer> then) implements HttpStep {}

    /** An answer: its status, its body, and further headers besides the connection's own. */
    final class Answer implements HttpStep {
        private static final byte[] NOTHING = {};

        private final int status;
        private final Map<String, String> headers;
        private final byte[] body;

        /** Does not copy the body. */
        public Answer(int status, Map<String, String> headers, byte[] body) {
            this.status = status;
            this.headers = Map.copyOf(headers);
            this.body = body;
        }

        /** Makes an answer without a body. */
        public static Answer of(int status) {
            return new Answer(status, Map.of(), NOTHING);
        }

        /** Makes an answer with a text in UTF-8. */
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
