package io.weir.cluster.server;

import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The objects that a client of the driver holds. Each wraps one of Avatica's and corrects it.
 * Errors have a text and an SQLSTATE. Methods that Avatica accepts and ignores are refused. Facts
 * about the database are Weir's. One per connection, thread-safe.
 */
final class JdbcProxy {
    private static final Set<Class<?>> FACES =
            Set.of(
                    Connection.class,
                    Statement.class,
                    PreparedStatement.class,
                    ResultSet.class,
                    DatabaseMetaData.class);

    /** Parameters of types that Weir does not have. Avatica accepts some, and ignores them. */
    private static final Set<String> NO_PARAMETERS =
            Set.of(
                    "setArray",
                    "setAsciiStream",
                    "setBinaryStream",
                    "setBlob",
                    "setBytes",
                    "setCharacterStream",
                    "setClob",
                    "setDate",
                    "setNCharacterStream",
                    "setNClob",
                    "setRef",
                    "setRowId",
                    "setSQLXML",
                    "setTime",
                    "setURL",
                    "setUnicodeStream");

    /**
     * The wrappers by the wrapped object, so that a statement's connection is the one that made it.
     */
    private final Map<Object, WeakReference<Object>> faces = new WeakHashMap<>();

    private JdbcProxy() {}

    static Connection of(Connection connection) {
        return (Connection) new JdbcProxy().face(Connection.class, connection);
    }

    private synchronized Object face(Class<?> type, Object target) {
        WeakReference<Object> known = faces.get(target);
        Object face = known == null ? null : known.get();
        if (face == null) {
            Class<?> widest = target instanceof PreparedStatement ? PreparedStatement.class : type;
            face =
                    Proxy.newProxyInstance(
                            JdbcProxy.class.getClassLoader(),
                            new Class<?>[] {widest},
                            new Call(target));
            faces.put(target, new WeakReference<>(face));
        }
        return face;
    }

    /** Handles the calls of one object. */
    private final class Call implements InvocationHandler {
        private final Object target;

        Call(Object target) {
            this.target = target;
        }

        @Override
        public Object invoke(Object face, Method method, Object[] arguments) throws Throwable {
            String name = method.getName();
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(face, name, arguments);
            } else if (name.equals("unwrap") && ((Class<?>) arguments[0]).isInstance(face)) {
                return face;
            } else if (method.getDeclaringClass() == PreparedStatement.class
                    && NO_PARAMETERS.contains(name)) {
                throw JdbcErrors.notSupported(
                        method, "is not supported: addresses and times are given by setString");
            } else if (target instanceof DatabaseMetaData
                    && DatabaseFacts.BY_METHOD.containsKey(name)) {
                return DatabaseFacts.BY_METHOD.get(name);
            }
            return result(method, invoke(method, arguments));
        }

        private Object ofObject(Object face, String name, Object[] arguments) {
            return switch (name) {
                case "equals" -> face == arguments[0];
                case "hashCode" -> System.identityHashCode(target);
                default -> target.toString();
            };
        }

        private Object invoke(Method method, Object[] arguments) throws Throwable {
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw JdbcErrors.of(e.getCause(), method);
            }
        }

        private Object result(Method method, Object result) {
            Class<?> type = method.getReturnType();
            return result == null || !FACES.contains(type) ? result : face(type, result);
        }
    }
}
