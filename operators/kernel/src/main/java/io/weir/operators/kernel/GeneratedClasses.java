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

    /** A smaller text always compiles. */
    private static final int SMALL_CHARACTERS = 1 << 14;

    static final AtomicLong MADE = new AtomicLong();
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

    /**
     * Throws NOT_SUPPORTED when {@link #instance} would. Only a large text is tried for it, and no
     * class is defined.
     */
    static void check(GeneratedSource source) {
        if (source.text().length() > SMALL_CHARACTERS && !isKnown(source)) {
            var unused = cooked(source, GeneratedSource.PACKAGE);
        }
    }

    private static synchronized boolean isKnown(GeneratedSource source) {
        return CLASSES.containsKey(source.text());
    }

    private static synchronized Class<?> classOf(GeneratedSource source) {
        return CLASSES.computeIfAbsent(source.text(), text -> compile(source));
    }

    private static Class<?> compile(GeneratedSource source) {
        // Each class has its own package, so that the JIT's list tells one class from another.
        String own = GeneratedSource.PACKAGE + ".c" + MADE.incrementAndGet();
        SimpleCompiler compiled = cooked(source, own);
        String simple = source.className().substring(GeneratedSource.PACKAGE.length());
        try {
            return compiled.getClassLoader().loadClass(own + simple);
        } catch (ClassNotFoundException bug) {
            throw new IllegalStateException(source.text(), bug);
        }
    }

    /** Returns the compiler with the class's bytes. The class is defined when it is loaded. */
    private static SimpleCompiler cooked(GeneratedSource source, String room) {
        try {
            SimpleCompiler compiler = new SimpleCompiler();
            compiler.setParentClassLoader(GeneratedClasses.class.getClassLoader());
            compiler.cook(source.text().replaceFirst(GeneratedSource.PACKAGE + ";", room + ";"));
            return compiler;
        } catch (CompileException | InternalCompilerException failure) {
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
