package io.weir.cluster.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Time;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing of JDBC is accepted and ignored: a setting can be seen, or is refused. */
@Timeout(120)
class JdbcSettersTest extends JdbcFixture {
    /** Settings whose effect another test of JDBC, shows. */
    private static final Set<String> SHOWN_ELSEWHERE =
            Set.of(
                    "PreparedStatement.setTimestamp",
                    "PreparedStatement.setString",
                    "PreparedStatement.setNString",
                    "PreparedStatement.setObject",
                    "PreparedStatement.setNull",
                    "PreparedStatement.setBoolean",
                    "PreparedStatement.setByte",
                    "PreparedStatement.setShort",
                    "PreparedStatement.setInt",
                    "PreparedStatement.setLong",
                    "PreparedStatement.setFloat",
                    "PreparedStatement.setDouble",
                    "PreparedStatement.setBigDecimal");

    /** Each setter of each type with several values: its getter says so, or it is refused. */
    @Test
    void everySetterIsSeenOrRefused() throws Exception {
        try (Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("count 2");
                ResultSet rows = connection.createStatement().executeQuery("count 2")) {
            assertTrue(rows.next());
            List<String> ignored = new ArrayList<>();
            check(Connection.class, connection, ignored);
            check(Statement.class, statement, ignored);
            check(PreparedStatement.class, prepared, ignored);
            check(ResultSet.class, rows, ignored);
            assertEquals(List.of(), ignored);
        }
    }

    private static void check(Class<?> type, Object target, List<String> ignored) throws Exception {
        int setters = 0;
        for (Method method : type.getMethods()) {
            String name = method.getName();
            boolean sets = name.startsWith("set") || name.startsWith("update");
            if (!sets || SHOWN_ELSEWHERE.contains(type.getSimpleName() + "." + name)) {
                continue;
            }
            setters++;
            for (int sample = 0; sample < 4; sample++) {
                tell(target, method, arguments(method, sample), ignored);
            }
        }
        assertTrue(setters > 0, type.getName());
    }

    private static void tell(Object target, Method setter, Object[] arguments, List<String> ignored)
            throws Exception {
        String shown = setter + " of " + Arrays.toString(arguments);
        try {
            setter.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (!isRefusal(e.getCause())) {
                ignored.add(shown + " threw " + e.getCause());
            }
            return;
        }
        Optional<Object> seen = seen(target, setter.getName().substring(3));
        Object set = arguments.length == 0 ? "" : arguments[arguments.length - 1];
        if (seen.isEmpty() || !String.valueOf(seen.get()).equals(String.valueOf(set))) {
            boolean bounded =
                    setter.getName().equals("setFetchSize") && set.equals(0)
                            || setter.getName().equals("setFetchSize") && (Integer) set > 1_000;
            if (!bounded) {
                ignored.add(shown + " is seen as " + seen);
            }
        }
    }

    /** Says why, and by which SQLSTATE. */
    private static boolean isRefusal(Throwable thrown) {
        return thrown instanceof SQLException refused
                && refused.getMessage() != null
                && refused.getSQLState() != null
                && (refused instanceof SQLFeatureNotSupportedException
                        || refused instanceof SQLClientInfoException
                        || Set.of("HY024", "3D000", "3F000", "07009")
                                .contains(refused.getSQLState()));
    }

    private static Optional<Object> seen(Object target, String property) throws Exception {
        for (String getter : List.of("get" + property, "is" + property)) {
            try {
                return Optional.ofNullable(method(target, getter).invoke(target));
            } catch (NoSuchMethodException e) {
                // It is called otherwise.
            }
        }
        return Optional.empty();
    }

    private static Method method(Object target, String name) throws NoSuchMethodException {
        for (Class<?> type : target.getClass().getInterfaces()) {
            try {
                return type.getMethod(name);
            } catch (NoSuchMethodException e) {
                // Another of its types may have it.
            }
        }
        throw new NoSuchMethodException(name);
    }

    static Object[] arguments(Method method, int sample) {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            boolean parameter = i == 0 && types.length > 1 && types[i] == int.class;
            arguments[i] = parameter ? 1 : value(types[i], sample);
        }
        return arguments;
    }

    private static Object value(Class<?> type, int sample) {
        int[] ints = {0, 7, 1_003, -5};
        if (type == int.class) {
            return ints[sample];
        } else if (type == long.class) {
            return (long) ints[sample];
        } else if (type == boolean.class) {
            return sample % 2 == 0;
        } else if (type == byte.class) {
            return (byte) sample;
        } else if (type == short.class) {
            return (short) sample;
        } else if (type == float.class) {
            return 0.5f;
        } else if (type == double.class) {
            return 0.5;
        } else if (type == String.class) {
            return "x" + sample;
        } else if (type == Properties.class) {
            Properties properties = new Properties();
            properties.setProperty("ApplicationName", "a");
            return properties;
        } else if (type == Executor.class) {
            return (Executor) Runnable::run;
        } else if (type == Map.class) {
            return Map.of();
        } else if (type == Date.class) {
            return new Date(0);
        } else if (type == Time.class) {
            return new Time(0);
        }
        return null;
    }
}
