package io.weir.cluster.http;

import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;

/**
 * A request without its body.
 *
 * @param path without the part after a question mark
 * @param headers by name in lower case
 * @param client the address that it comes from
 */
public record HttpHead(
        String method, String path, Map<String, String> headers, InetAddress client) {
    public HttpHead {
        headers = Map.copyOf(headers);
    }

    /**
     * A header's value.
     *
     * @param name in lower case
     */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }
}
