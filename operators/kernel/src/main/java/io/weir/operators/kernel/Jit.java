package io.weir.operators.kernel;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A snapshot of the methods of some classes that HotSpot runs compiled, with their level. It reads
 * {@code jcmd Compiler.codelist}. A look takes some milliseconds and stops no thread. Any thread.
 */
final class Jit {
    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

    /** The level of the best compiler: 4 is C2. */
    private static final int BEST_LEVEL = bestLevel();

    private static final int ANY_LEVEL = 1;

    /** The levels of compiled methods in use, by class and method. */
    private final Map<String, Integer> levels = new HashMap<>();

    private Jit(Collection<Class<?>> classes, String list) {
        for (Class<?> code : classes) {
            String called = " " + code.getName() + ".";
            int at = list.indexOf(called);
            for (; at >= 0; at = list.indexOf(called, at + 1)) {
                note(list, at);
            }
        }
    }

    /** A line is: number, level, state (0: in use), method. */
    private void note(String list, int methodAt) {
        int start = list.lastIndexOf('\n', methodAt) + 1;
        String[] words = list.substring(start, methodAt).strip().split("\\s+");
        if (words.length == 3 && words[2].equals("0")) {
            String method = list.substring(methodAt + 1, list.indexOf('(', methodAt));
            levels.merge(method, Integer.parseInt(words[1]), Math::max);
        }
    }

    /** Returns whether there is a compiler to wait for. */
    static boolean compiles() {
        return ManagementFactory.getCompilationMXBean() != null && BEST_LEVEL > 0;
    }

    static Jit look(Collection<Class<?>> classes) {
        return new Jit(classes, codeList());
    }

    /**
     * Returns whether the kernel's {@code run} has the best level. Other methods may be inlined in
     * it.
     */
    boolean runs(Class<?> kernel) {
        return all(kernel, method -> method.getName().equals("run"), BEST_LEVEL);
    }

    /**
     * Returns whether all methods that packets call have the best level, and the rest are compiled.
     */
    boolean isBest(Class<?> kernel) {
        return isCompiled(kernel)
                && all(kernel, method -> Modifier.isPublic(method.getModifiers()), BEST_LEVEL);
    }

    /** Returns whether all methods of the kernel are compiled, at any level. */
    boolean isCompiled(Class<?> kernel) {
        return all(kernel, method -> true, ANY_LEVEL);
    }

    /** Returns whether each compiled method whose name begins so has the best level. */
    boolean isBestWhereCompiled(Class<?> code, String beginning) {
        String called = code.getName() + "." + beginning;
        return levels.entrySet().stream()
                .filter(method -> method.getKey().startsWith(called))
                .allMatch(method -> method.getValue() >= BEST_LEVEL);
    }

    private boolean all(Class<?> kernel, Predicate<Method> asked, int level) {
        return Arrays.stream(kernel.getDeclaredMethods())
                .filter(method -> asked.test(method) && !method.isBridge())
                .allMatch(method -> levels.getOrDefault(name(method), 0) >= level);
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    private static String codeList() {
        try {
            return (String)
                    ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    new ObjectName(COMMANDS),
                                    "compilerCodelist",
                                    new Object[] {new String[0]},
                                    new String[] {String[].class.getName()});
        } catch (JMException unknown) {
            throw new IllegalStateException("this JVM does not tell what it compiled", unknown);
        }
    }

    private static int bestLevel() {
        HotSpotDiagnosticMXBean hotSpot =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return Integer.parseInt(hotSpot.getVMOption("TieredStopAtLevel").getValue());
    }
}
