package io.weir.operators.kernel;

import io.weir.operators.kernel.code.GeneratedSource;
import io.weir.operators.kernel.code.Plan;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.commons.compiler.InternalCompilerException;
import org.codehaus.janino.SimpleCompiler;

/**
 * Compiles sources with Janino and caches the classes by their text. Queries that differ only in
 * literals share a class. Beyond {@link #LIMIT} the least recently used are dropped, and unloaded
 * when no query uses them. Any thread.
 */
final class GeneratedClasses {
    private static final int LIMIT = 1024;

    /**
     * If a larger text fails in Janino, a method is over 64 KB or too deep. This is not our bug.
     */
    private static final int LARGE_CHARACTERS = 1 << 16;

    private static final AtomicLong MADE = new AtomicLong();
    private static final Map<String, Class<?>> CLASSES =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Class<?>> eldest) {
                    return size() > LIMIT;
                }
            };

    private GeneratedClasses() {}

    /**
     * Makes an object of the generated class, with the source's literals.
     *
     * @throws io.weir.operators.error.WeirException NOT_SUPPORTED when the query is too large to be
     *     compiled
     */
    static <T> T instance(GeneratedSource source, Class<T> type) {
        try {
            long[] literals = source.literals().stream().mapToLong(Long::longValue).toArray();
            Object made = classOf(source).getConstructor(long[].class).newInstance(literals);
            return type.cast(made);
        } catch (ReflectiveOperationException | VerifyError bug) {
            throw new IllegalStateException(source.text(), bug);
        }
    }

    private static synchronized Class<?> classOf(GeneratedSource source) {
        return CLASSES.computeIfAbsent(source.text(), text -> compile(source));
    }

    private static Class<?> compile(GeneratedSource source) {
        try {
            SimpleCompiler compiler = new SimpleCompiler();
            compiler.setParentClassLoader(GeneratedClasses.class.getClassLoader());
            String name = source.className();
            String room = name.substring(0, name.lastIndexOf('.'));
            // Each class has its own package, so that the JIT's list tells one class from another.
            String own = room + ".c" + MADE.incrementAndGet();
            compiler.cook(source.text().replaceFirst(room + ";", own + ";"));
            return compiler.getClassLoader().loadClass(own + name.substring(room.length()));
        } catch (CompileException | InternalCompilerException | ClassNotFoundException failure) {
            if (source.text().length() > LARGE_CHARACTERS || isOverflow(failure)) {
                throw Plan.tooLarge();
            }
            throw new IllegalStateException("generated code:\n" + source.text(), failure);
        } catch (StackOverflowError deep) {
            throw Plan.tooLarge();
        }
    }

    /** The compiler is recursive and runs on the stack that its caller has left. */
    private static boolean isOverflow(Throwable failure) {
        Throwable e = failure;
        while (e != null && !(e instanceof StackOverflowError)) {
            e = e.getCause();
        }
        return e != null;
    }
}
