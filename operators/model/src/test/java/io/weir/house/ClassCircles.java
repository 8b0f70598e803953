package io.weir.house;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The circles of classes in the rooms of a module: classes that all need one another. A nested
 * class counts as its outermost one. This is Tarjan's algorithm.
 */
final class ClassCircles {
    private final Map<String, Set<String>> needs = new TreeMap<>();
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final List<Set<String>> circles = new ArrayList<>();

    private ClassCircles(JavaClasses module) {
        for (JavaClass type : module) {
            Set<String> of = needs.computeIfAbsent(outermost(type), name -> new TreeSet<>());
            for (Dependency need : type.getDirectDependenciesFromSelf()) {
                JavaClass target = need.getTargetClass().getBaseComponentType();
                if (target.getPackageName().equals(type.getPackageName())) {
                    of.add(outermost(target));
                }
            }
        }
    }

    /** Returns the circles of two classes or more. */
    static List<Set<String>> of(JavaClasses module) {
        ClassCircles found = new ClassCircles(module);
        for (String name : found.needs.keySet()) {
            if (!found.order.containsKey(name)) {
                found.visit(name);
            }
        }
        return found.circles;
    }

    private static String outermost(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private void visit(String name) {
        order.put(name, order.size());
        lowest.put(name, order.get(name));
        path.push(name);
        for (String need : needs.getOrDefault(name, Set.of())) {
            if (!order.containsKey(need)) {
                visit(need);
                lowest.merge(name, lowest.get(need), Math::min);
            } else if (path.contains(need)) {
                lowest.merge(name, order.get(need), Math::min);
            }
        }
        if (lowest.get(name).equals(order.get(name))) {
            close(name);
        }
    }

    private void close(String first) {
        Set<String> circle = new TreeSet<>();
        String last;
        do {
            last = path.pop();
            circle.add(last);
        } while (!last.equals(first));
        if (circle.size() > 1) {
            circles.add(circle);
        }
    }
}
