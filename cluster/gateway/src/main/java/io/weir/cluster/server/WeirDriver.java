package io.weir.cluster.server;

import io.weir.cluster.catalog.Version;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.DriverVersion;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.UnregisteredDriver;
import org.apache.calcite.avatica.remote.Driver;

/**
 * The JDBC driver of {@code jdbc:weir://host[:port][?tls=true]}. It is Avatica's remote driver, but
 * it does not hold a row back until the next one is there. A row of an endless stream is shown as
 * soon as the server has it. The class {@link JdbcProxy} wraps all its objects.
 *
 * <p>Properties: {@code user} and {@code password}, as in JDBC. Another one, {@code trust}, is a
 * file of the certificates to trust (PEM, or a key store), if the JDK's do not suffice.
 */
public final class WeirDriver extends Driver {
    static final String PREFIX = "jdbc:weir:";

    /** Names the property of the file of trusted certificates. */
    public static final String TRUST = "trust";

    private static final String OUR_URL = "weir_url";

    static {
        new WeirDriver().register();
    }

    @Override
    protected String getConnectStringPrefix() {
        return PREFIX;
    }

    @Override
    protected DriverVersion createDriverVersion() {
        return new DriverVersion(
                "Weir JDBC Driver",
                Version.TEXT,
                "Weir",
                Version.TEXT,
                false,
                Version.MAJOR,
                Version.MINOR,
                Version.MAJOR,
                Version.MINOR);
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        WeirUrl address = WeirUrl.parse(url);
        Properties properties = new Properties();
        properties.setProperty(OUR_URL, url);
        properties.setProperty("url", address.http());
        properties.setProperty("serialization", "PROTOBUF");
        properties.setProperty("transparent_reconnection", "true");
        login(address, info, properties);
        if (info.getProperty(TRUST) != null) {
            properties.setProperty("truststore", info.getProperty(TRUST));
        }
        try {
            return JdbcProxy.of(super.connect(PREFIX, properties));
        } catch (RuntimeException e) {
            SQLException known = JdbcErrors.of(e);
            String state = known.getSQLState();
            throw JdbcErrors.of(
                    "cannot reach " + url + ": " + rootMessage(e),
                    state.startsWith("28") || state.startsWith("53") ? state : "08001",
                    0,
                    e);
        }
    }

    private static void login(WeirUrl address, Properties info, Properties properties)
            throws SQLException {
        String user = info.getProperty("user", "");
        if (user.isEmpty()) {
            return;
        } else if (user.contains(":")) {
            throw new SQLException("no user's name has a colon in it", "28000");
        } else if (address.isExposed()) {
            throw new SQLException(
                    "a password would be there to be read on the way: add ?tls=true to the URL",
                    "28000");
        }
        properties.setProperty("avatica_user", user);
        properties.setProperty("avatica_password", info.getProperty("password", ""));
    }

    private static String rootMessage(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    /**
     * Makes connections with our URL, not with the one given to Avatica. They report why a
     * statement cannot be prepared, and have rows of our own.
     */
    @Override
    protected AvaticaFactory createFactory() {
        AvaticaFactory remote = super.createFactory();
        return proxy(
                AvaticaFactory.class,
                (proxy, method, arguments) -> {
                    if (method.getName().equals("newConnection")) {
                        return connection(arguments);
                    } else if (method.getName().equals("newDatabaseMetaData")) {
                        return new WeirDatabaseMetaData((AvaticaConnection) arguments[0]);
                    } else if (method.getName().equals("newStatement")) {
                        return statement(arguments);
                    } else if (method.getName().equals("newPreparedStatement")) {
                        return prepared(arguments);
                    } else if (method.getName().equals("newResultSet")) {
                        return rows(remote, arguments);
                    }
                    return invoke(remote, method, arguments);
                });
    }

    private static AvaticaConnection connection(Object[] arguments) {
        Properties properties = (Properties) arguments[3];
        return new WeirConnection(
                (UnregisteredDriver) arguments[0],
                (AvaticaFactory) arguments[1],
                properties.getProperty(OUR_URL),
                properties);
    }

    private static AvaticaStatement statement(Object[] arguments) {
        return new WeirStatement(
                (WeirConnection) arguments[0],
                (Meta.StatementHandle) arguments[1],
                (Integer) arguments[2],
                (Integer) arguments[3],
                (Integer) arguments[4]);
    }

    private static AvaticaStatement prepared(Object[] arguments) throws SQLException {
        RefusedStatement.check((Meta.StatementHandle) arguments[1]);
        return new WeirPreparedStatement(
                (WeirConnection) arguments[0],
                (Meta.StatementHandle) arguments[1],
                (Meta.Signature) arguments[2],
                (Integer) arguments[3],
                (Integer) arguments[4],
                (Integer) arguments[5]);
    }

    private static AvaticaResultSet rows(AvaticaFactory remote, Object[] arguments)
            throws SQLException {
        AvaticaStatement statement = (AvaticaStatement) arguments[0];
        Meta.Signature signature = (Meta.Signature) arguments[2];
        return new WeirResultSet(
                statement,
                (QueryState) arguments[1],
                signature,
                remote.newResultSetMetaData(statement, signature),
                (TimeZone) arguments[3],
                (Meta.Frame) arguments[4]);
    }

    /**
     * The remote Meta, which reports why a statement cannot be prepared. It is a proxy, because
     * Avatica's class is private.
     */
    @Override
    public Meta createMeta(AvaticaConnection connection) {
        Meta remote = super.createMeta(connection);
        return proxy(
                Meta.class,
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepare")) {
                        return prepared(remote, connection, method, arguments);
                    }
                    return invoke(remote, method, arguments);
                });
    }

    /** Avatica drops the message of an exception here. It keeps the one of a later SQLException. */
    private static Object prepared(
            Meta remote, AvaticaConnection connection, Method method, Object[] arguments)
            throws Throwable {
        try {
            return invoke(remote, method, arguments);
        } catch (AvaticaClientRuntimeException error) {
            return new RefusedStatement(connection.id, error);
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        ClassLoader loader = WeirDriver.class.getClassLoader();
        return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
    }

    private static Object invoke(Object target, Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
