package io.weir.cluster.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.DriverVersion;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.remote.Driver;

/**
 * The JDBC driver of {@code jdbc:weir://host[:port]}: Avatica's remote driver, less its habit of
 * holding a row back until the next one is there. A row of a stream that runs for ever is shown as
 * soon as the server has it.
 *
 * <p>User and password are passed over: the server has no authentication yet.
 */
public final class WeirDriver extends Driver {
    static final String PREFIX = "jdbc:weir:";

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
        properties.setProperty("url", address.http());
        properties.setProperty("serialization", "PROTOBUF");
        properties.setProperty("httpclient_impl", HttpTransport.class.getName());
        properties.setProperty("transparent_reconnection", "true");
        try {
            return super.connect(PREFIX, properties);
        } catch (RuntimeException e) {
            throw new SQLException("cannot reach " + url + ": " + rootMessage(e), "08001", e);
        }
    }

    private static String rootMessage(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    /**
     * The remote Meta with an iterable of our own. A proxy, because Avatica keeps its class to
     * itself.
     */
    @Override
    public Meta createMeta(AvaticaConnection connection) {
        Meta remote = super.createMeta(connection);
        InvocationHandler handler =
                (proxy, method, arguments) -> {
                    if (method.getName().equals("createIterable")) {
                        Meta.StatementHandle statement = (Meta.StatementHandle) arguments[0];
                        Meta.Frame firstFrame = (Meta.Frame) arguments[4];
                        return FetchedRows.of(remote, connection, statement, firstFrame);
                    }
                    try {
                        return method.invoke(remote, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                };
        return (Meta)
                Proxy.newProxyInstance(
                        WeirDriver.class.getClassLoader(), new Class<?>[] {Meta.class}, handler);
    }
}
