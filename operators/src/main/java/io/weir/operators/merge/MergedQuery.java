package io.weir.operators.merge;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.wire.StateForm;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** A version of a query whose windows come from elsewhere. */
final class MergedQuery {
    private static final int MOST_FINALS = 1024;

    final CompiledQuery code;
    final long version;
    final StateForm form;
    final ResultQuery result;

    /** Whether two sources can have parts of a group. */
    final boolean splits;

    /** Whether what comes is merged already: groups in one piece, totals added up. */
    final boolean counted;

    /** Activations whose last totals of all were made rows of; until a process begins. */
    private final Set<ActivationId> lasts = new HashSet<>();

    /** What was final when an activation ended, should anything of it still come. */
    private final Map<ActivationId, Long> finals =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<ActivationId, Long> eldest) {
                    return size() > MOST_FINALS;
                }
            };

    MergedQuery(CompiledQuery code, long version, boolean splits, boolean counted) {
        this.counted = counted;
        this.code = code;
        this.version = version;
        this.splits = splits;
        form = StateForm.of(code);
        result = new ResultQuery(code);
    }

    /** The last totals of an activation are final. */
    void last(ActivationId id) {
        lasts.add(id);
    }

    boolean isLast(ActivationId id) {
        return lasts.contains(id);
    }

    /** A process begins: what it counts has an end of its own. */
    void begins() {
        lasts.clear();
    }

    void ended(ActivationId id, long finalNs) {
        finals.put(id, finalNs);
    }

    long finalNs(ActivationId id) {
        return finals.getOrDefault(id, Long.MIN_VALUE);
    }
}
