package io.weir.cluster.console;

import io.weir.operators.error.WeirException;
import io.weir.sql.parse.StatementCutter;
import io.weir.sql.parse.StatementCutter.Piece;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jline.reader.LineReader;

/**
 * The line editor for sqlline. Each line that it reads is one statement or one command, even if
 * several were typed before Enter. After a failed one, the rest are left out. The console's thread.
 */
final class TypedLines {
    private final ConsoleLine line;
    private final LineReader editor;
    private final StatementLines parser;
    private final Deque<Piece> pieces = new ArrayDeque<>();

    private TypedLines(ConsoleLine line, LineReader editor, StatementLines parser) {
        this.line = line;
        this.editor = editor;
        this.parser = parser;
    }

    static LineReader of(ConsoleLine line, LineReader editor, StatementLines parser) {
        TypedLines typed = new TypedLines(line, editor, parser);
        return (LineReader)
                Proxy.newProxyInstance(
                        LineReader.class.getClassLoader(),
                        new Class<?>[] {LineReader.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("readLine")
                                        ? typed.next(method, arguments)
                                        : invoke(editor, method, arguments));
    }

    private String next(Method method, Object[] arguments) throws Throwable {
        if (line.failed()) {
            pieces.clear();
        }
        while (pieces.isEmpty()) {
            parser.typing(true);
            try {
                cut((String) invoke(editor, method, arguments));
            } finally {
                parser.typing(false);
            }
        }
        return line.command(pieces.remove());
    }

    private void cut(String typed) {
        StatementCutter cutter = new StatementCutter(PlainCommands::isCommand);
        try {
            cutter.append(typed.replace("\r\n", "\n").replace('\r', '\n') + "\n");
            Optional<Piece> piece = cutter.next();
            for (; piece.isPresent(); piece = cutter.next()) {
                pieces.add(piece.get());
            }
            cutter.rest().ifPresent(pieces::add);
        } catch (WeirException e) {
            pieces.clear();
            line.error(e.text());
        }
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
