package io.weir.cluster.server;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.sql.SQLException;

/**
 * {@code jdbc:weir://host[:port][?tls=true]}, an IPv6 address in brackets. User and password are no
 * part of it, because URLs are shown and stored.
 *
 * @param host as it stands in a URL
 */
record WeirUrl(String host, int port, boolean tls) {
    /** The end of a URL if the server speaks TLS. */
    static final String TLS = "?tls=true";

    private static final String IN_THE_CLEAR = "?tls=false";

    static WeirUrl parse(String url) throws SQLException {
        String rest = url.substring(WeirDriver.PREFIX.length());
        try {
            URI uri = new URI("weir:" + rest);
            String query = uri.getQuery() == null ? IN_THE_CLEAR : "?" + uri.getQuery();
            boolean onlyAddress =
                    uri.getHost() != null
                            && (uri.getPath() == null || uri.getPath().matches("/?"))
                            && (query.equals(TLS) || query.equals(IN_THE_CLEAR))
                            && uri.getUserInfo() == null;
            if (rest.startsWith("//") && onlyAddress) {
                int port = uri.getPort() < 0 ? WeirServer.DEFAULT_PORT : uri.getPort();
                return new WeirUrl(uri.getHost(), port, query.equals(TLS));
            }
        } catch (URISyntaxException e) {
            throw malformed();
        }
        throw malformed();
    }

    /** The error does not repeat the URL: somebody may have put a password there. */
    private static SQLException malformed() {
        return new SQLException(
                "the URL is not of the form jdbc:weir://host[:port][?tls=true]", "08001");
    }

    String http() {
        return (tls ? "https://" : "http://") + host + ":" + port + "/";
    }

    /** Returns whether others can read the traffic on the way. */
    boolean isExposed() throws SQLException {
        try {
            return !tls && !InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new SQLException("no address is known for " + host, "08001", e);
        }
    }
}
