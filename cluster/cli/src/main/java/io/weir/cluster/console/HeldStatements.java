package io.weir.cluster.console;

import io.weir.sql.parse.StatementCutter.Piece;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Holds the statements that sqlline will run. It gets a number instead of the text, because it
 * would cut the text at semicolons by its own rules. Its connection replaces the number by the
 * text. The console's thread.
 */
final class HeldStatements {
    private static final String PREFIX = "statement ";

    /** More than a batch can have. The oldest is removed. */
    private static final int MOST = 10_000;

    private final Map<String, Piece> held =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Piece> eldest) {
                    return size() > MOST;
                }
            };

    private long next = 1;

    /** Returns the name under which sqlline runs a statement. */
    String hold(Piece statement) {
        String name = PREFIX + next++;
        held.put(name, statement);
        return name;
    }

    /** Returns a text for sqlline to show, with the statement in place of its name. */
    String shown(String text) {
        int at = text.indexOf(PREFIX);
        Piece statement = at < 0 ? null : held.get(text.substring(at).strip());
        return statement == null ? text : text.substring(0, at) + statement.text();
    }

    /** Returns a connection whose statements run the held texts. */
    Connection in(Connection connection) {
        return proxy(Connection.class, connection);
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            try {
                                Object made = method.invoke(target, texts(arguments));
                                return made instanceof Statement statement
                                                && method.getName().equals("createStatement")
                                        ? proxy(Statement.class, statement)
                                        : made;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }

    private Object[] texts(Object[] arguments) {
        if (arguments == null || arguments.length == 0) {
            return arguments;
        }
        Object[] texts = arguments.clone();
        // sqlline removes or adds the semicolon, depending on its settings.
        Piece statement =
                texts[0] instanceof String name ? held.remove(name.replace(";", "")) : null;
        if (statement != null) {
            texts[0] = statement.text();
        }
        return texts;
    }
}
