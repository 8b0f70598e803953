package io.weir.operators.function;

import io.weir.operators.graph.Function;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** All functions of SQL, by name. Immutable; any thread. */
public final class FunctionRegistry {
    private static final FunctionRegistry LOADED = new FunctionRegistry(load());

    private final List<FunctionLibrary> libraries;
    private final List<FunctionDef> all = new ArrayList<>();
    private final Map<String, FunctionDef> byName = new HashMap<>();

    /** Throws if two functions have one name. */
    FunctionRegistry(List<FunctionLibrary> libraries) {
        this.libraries = List.copyOf(libraries);
        for (FunctionLibrary library : libraries) {
            for (FunctionDef def : library.functions()) {
                all.add(def);
                add(def.name(), def);
                def.otherNames().forEach(name -> add(name, def));
            }
        }
    }

    private void add(String name, FunctionDef def) {
        if (byName.put(name, def) != null) {
            throw new IllegalArgumentException("two functions are called " + name);
        }
    }

    private static List<FunctionLibrary> load() {
        ClassLoader loader = FunctionRegistry.class.getClassLoader();
        List<FunctionLibrary> found = new ArrayList<>();
        ServiceLoader.load(FunctionLibrary.class, loader).forEach(found::add);
        return found;
    }

    /** Returns the functions of this process. */
    public static FunctionRegistry loaded() {
        return LOADED;
    }

    public List<FunctionLibrary> libraries() {
        return libraries;
    }

    /** Returns the functions in the order of the libraries. */
    public List<FunctionDef> all() {
        return List.copyOf(all);
    }

    /** Finds a function; the case of letters does not matter. */
    public Optional<FunctionDef> find(String name) {
        return Optional.ofNullable(byName.get(name.toUpperCase(Locale.ROOT)));
    }

    /** Returns the names, for suggestions. */
    public List<String> names() {
        return all.stream().map(FunctionDef::name).toList();
    }

    /** Returns the graph's functions that come from the libraries. */
    public List<Function> code() {
        return all.stream().flatMap(def -> def.code().stream()).distinct().toList();
    }

    /** Finds a function of the graph that only some calls need, as those of one width. */
    public Optional<Function> part(String name) {
        return libraries.stream().flatMap(library -> library.part(name).stream()).findFirst();
    }
}
