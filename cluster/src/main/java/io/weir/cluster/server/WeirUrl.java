package io.weir.cluster.server;

import java.net.URI;
import java.net.URISyntaxException;
import java.sql.SQLException;

/**
 * {@code jdbc:weir://host[:port]}, an IPv6 address in brackets.
 *
 * @param host as it stands in a URL
 */
record WeirUrl(String host, int port) {
    static WeirUrl parse(String url) throws SQLException {
        String rest = url.substring(WeirDriver.PREFIX.length());
        try {
            URI uri = new URI("weir:" + rest);
            boolean onlyAddress =
                    uri.getHost() != null
                            && (uri.getPath() == null || uri.getPath().matches("/?"))
                            && uri.getQuery() == null
                            && uri.getUserInfo() == null;
            if (rest.startsWith("//") && onlyAddress) {
                int port = uri.getPort() < 0 ? WeirServer.DEFAULT_PORT : uri.getPort();
                return new WeirUrl(uri.getHost(), port);
            }
        } catch (URISyntaxException e) {
            throw malformed(url);
        }
        throw malformed(url);
    }

    private static SQLException malformed(String url) {
        return new SQLException(url + " is not of the form jdbc:weir://host[:port]", "08001");
    }

    String http() {
        return "http://" + host + ":" + port + "/";
    }
}
