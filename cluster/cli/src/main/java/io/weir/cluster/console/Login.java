package io.weir.cluster.console;

import io.weir.cluster.server.WeirDriver;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * Connects the console to its server. sqlline gets a URL without secrets, and this driver adds user
 * and password. So no password is in sqlline's commands, lists and history.
 */
public final class Login implements Driver {
    private static final String PREFIX = "jdbc:weir-console:";
    private static final String OURS = "jdbc:weir:";
    private static final String LIVE_SOURCES =
            "SELECT name FROM sys.sources WHERE state <> 'finite'";
    private static final String WORKERS = "SELECT worker FROM sys.workers";

    private final String url;
    private final Properties properties = new Properties();
    private final HeldStatements held = new HeldStatements();

    /** The console's connection; null before it has one. The console's thread. */
    private Connection current;

    /** True if the server speaks for a cluster, whose SELECTs end. Empty until it is asked. */
    private Optional<Boolean> ofCluster = Optional.empty();

    /**
     * @param url {@code jdbc:weir://host:port[?tls=true]}
     * @param user empty if the server has no users
     * @param trust a file of certificates
     */
    public Login(String url, Optional<String> user, char[] password, Optional<String> trust) {
        this.url = url;
        user.ifPresent(
                name -> {
                    properties.setProperty("user", name);
                    properties.setProperty("password", new String(password));
                });
        trust.ifPresent(file -> properties.setProperty(WeirDriver.TRUST, file));
    }

    /** Makes a login to a server that has no users. */
    public static Login none(String url) {
        return new Login(url, Optional.empty(), new char[0], Optional.empty());
    }

    /** Returns the statements that sqlline runs over this driver. */
    HeldStatements held() {
        return held;
    }

    String server() {
        return url;
    }

    /** Returns the URL that sqlline connects to. */
    String consoleUrl() {
        return url.startsWith(OURS) ? PREFIX + url.substring(OURS.length()) : url;
    }

    /**
     * Returns whether a SELECT from packets does not end, because packets come to the server by
     * themselves. Asks on the console's own connection.
     */
    boolean isLive() {
        if (current == null) {
            return false;
        }
        ofCluster = ofCluster.or(() -> Optional.of(isOfCluster(current)));
        if (ofCluster.get()) {
            return false;
        }
        try (Statement statement = current.createStatement();
                ResultSet sources = statement.executeQuery(LIVE_SOURCES)) {
            return sources.next();
        } catch (SQLException e) {
            return false; // a server of an older release
        }
    }

    private static boolean isOfCluster(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(WORKERS);
        } catch (SQLException e) {
            return false; // one machine has no workers
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url, properties);
    }

    /** Accepts only this console's URL: no other server gets the password. */
    @Override
    public boolean acceptsURL(String asked) {
        return asked.equals(consoleUrl());
    }

    @Override
    public Connection connect(String asked, Properties info) throws SQLException {
        if (!acceptsURL(asked)) {
            return null;
        }
        current = connect();
        ofCluster = Optional.empty();
        return held.in(current);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String asked, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }
}
