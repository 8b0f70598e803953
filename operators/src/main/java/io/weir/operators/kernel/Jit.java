package io.weir.operators.kernel;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Asks HotSpot which methods it runs compiled by its best compiler: what {@code jcmd
 * Compiler.codelist} prints. Takes some milliseconds and stops nobody. Any thread.
 */
final class Jit {
    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

    /** What compiles a method last: 4 is C2. */
    private static final String BEST_LEVEL = bestLevel();

    private Jit() {}

    /** Whether there is a compiler to wait for. */
    static boolean compiles() {
        return ManagementFactory.getCompilationMXBean() != null && !BEST_LEVEL.equals("0");
    }

    /**
     * Those of the kernels' classes that are compiled as well as they will be.
     *
     * @param all each public method by itself; else {@code run}, which may have others inside
     */
    static Set<Class<?>> compiled(Collection<Class<?>> kernels, boolean all) {
        String list = codeList();
        Set<Class<?>> found = new HashSet<>();
        for (Class<?> kernel : kernels) {
            boolean every = true;
            for (Method method : kernel.getDeclaredMethods()) {
                boolean asked = all || method.getName().equals("run");
                if (asked && Modifier.isPublic(method.getModifiers()) && !method.isBridge()) {
                    every &=
                            isCompiled(" " + kernel.getName() + "." + method.getName() + "(", list);
                }
            }
            if (every) {
                found.add(kernel);
            }
        }
        return found;
    }

    private static boolean isCompiled(String method, String list) {
        int at = list.indexOf(method);
        while (at >= 0 && !isBest(list, at)) {
            at = list.indexOf(method, at + 1);
        }
        return at >= 0;
    }

    /** A line is: number, level, state (0: in use), method. */
    private static boolean isBest(String list, int methodAt) {
        int start = list.lastIndexOf('\n', methodAt) + 1;
        String[] words = list.substring(start, methodAt).strip().split("\\s+");
        return words.length == 3 && words[1].equals(BEST_LEVEL) && words[2].equals("0");
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
