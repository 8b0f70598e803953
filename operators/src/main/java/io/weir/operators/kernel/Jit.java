package io.weir.operators.kernel;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What HotSpot runs compiled, and how well, as of one moment: what {@code jcmd Compiler.codelist}
 * prints. To look takes some milliseconds and stops nobody. Any thread.
 */
final class Jit {
    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

    /** What compiles a method last: 4 is C2. */
    private static final String BEST_LEVEL = bestLevel();

    private static final String ANY_LEVEL = "";

    private final String list;

    private Jit(String list) {
        this.list = list;
    }

    /** Whether there is a compiler to wait for. */
    static boolean compiles() {
        return ManagementFactory.getCompilationMXBean() != null && !BEST_LEVEL.equals("0");
    }

    static Jit look() {
        return new Jit(codeList());
    }

    /** Whether each kernel's {@code run} is the best there will be; it may have others inside. */
    boolean runs(Collection<Class<?>> kernels) {
        return all(kernels, method -> method.getName().equals("run"), BEST_LEVEL);
    }

    /** Whether all that packets call by itself is, and the rest compiled. */
    boolean isBest(Collection<Class<?>> kernels) {
        return isCompiled(kernels)
                && all(kernels, method -> Modifier.isPublic(method.getModifiers()), BEST_LEVEL);
    }

    /** Whether all that the kernels have is compiled, be it quickly. */
    boolean isCompiled(Collection<Class<?>> kernels) {
        return all(kernels, method -> true, ANY_LEVEL);
    }

    private boolean all(Collection<Class<?>> kernels, Predicate<Method> asked, String level) {
        return kernels.stream()
                .flatMap(kernel -> Arrays.stream(kernel.getDeclaredMethods()))
                .filter(method -> asked.test(method) && !method.isBridge())
                .allMatch(method -> isCompiled(method, level));
    }

    private boolean isCompiled(Method method, String level) {
        String called = " " + method.getDeclaringClass().getName() + "." + method.getName() + "(";
        int at = list.indexOf(called);
        while (at >= 0 && !isInUse(level, at)) {
            at = list.indexOf(called, at + 1);
        }
        return at >= 0;
    }

    /** A line is: number, level, state (0: in use), method. */
    private boolean isInUse(String level, int methodAt) {
        int start = list.lastIndexOf('\n', methodAt) + 1;
        String[] words = list.substring(start, methodAt).strip().split("\\s+");
        return words.length == 3 && words[1].startsWith(level) && words[2].equals("0");
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

    private static String bestLevel() {
        HotSpotDiagnosticMXBean hotSpot =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return hotSpot.getVMOption("TieredStopAtLevel").getValue();
    }
}
