package io.weir.operators.node;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.result.Activation;
import io.weir.operators.result.QueryShape;
import java.util.List;

/** Puts a version of a query in place of another that runs or is paused. The results' lock. */
final class Succession {
    private final EngineContext engine;
    private final Dependencies dependencies;

    Succession(EngineContext engine, Dependencies dependencies) {
        this.engine = engine;
        this.dependencies = dependencies;
    }

    /** Checks that dependents of the old version can go on with the new one. */
    void check(RunningQuery old, CompiledQuery code) {
        boolean sameColumns = old.query().columns().equals(code.query().columns());
        List<String> dependents = dependencies.dependents(old);
        if (!sameColumns && !dependents.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    "the columns of "
                            + old.name()
                            + " are used by "
                            + String.join(", ", dependents),
                    "keep its columns, or drop the queries that use them first");
        }
    }

    /** Returns whether the old version's condition also wakes the new one. */
    static boolean isSameWhen(RunningQuery old, RunningQuery altered) {
        return !old.isPaused()
                && !altered.isPaused()
                && old.query().when().isPresent()
                && old.query().when().equals(altered.query().when())
                && old.query().reads().carrier() == altered.query().reads().carrier();
    }

    /** Returns the gate with which the new version counts at once; null if it sleeps. */
    ActiveInterval gate(RunningQuery old, RunningQuery altered) {
        if (altered.query().when().isEmpty()) {
            return new ActiveInterval();
        }
        return !isSameWhen(old, altered)
                ? null
                : dependencies
                        .triggered(old)
                        .filter(TriggeredQuery::isAwake)
                        .map(TriggeredQuery::gate)
                        .orElse(null);
    }

    /** Ends the old version and begins the new one; either may be paused. */
    void begin(RunningQuery old, RunningQuery altered) {
        boolean joined = altered.joins != null;
        if (joined) {
            altered.join();
        }
        boolean begins = altered.query().when().isEmpty() && !joined && !altered.isPaused();
        if (!old.isPaused() && !altered.isPaused()) {
            succeed(old, altered, begins);
        } else if (begins) {
            altered.sharedState.begin(engine.completeFromNs(), null);
        } else if (!old.isPaused()) {
            end(old, false);
        }
    }

    /** Changes places between two blocks if both read packets. */
    private void succeed(RunningQuery old, RunningQuery altered, boolean begins) {
        boolean sameWhen = isSameWhen(old, altered);
        boolean alone = !old.sharedState.isShared();
        boolean gpvs = altered.query().reads().comesAsGpvs();
        SharedState inPlaceOf =
                alone && old.query().reads().comesAsGpvs() && gpvs ? old.sharedState : null;
        if (sameWhen) {
            dependencies.triggered(altered).orElseThrow().alter(altered);
        } else if (begins) {
            altered.sharedState.begin(engine.completeFromNs(), inPlaceOf);
        }
        if (inPlaceOf == null || !sameWhen && !begins) {
            end(old, altered.joins != null);
        }
    }

    /** Emits the open windows: as they are, or whole if other queries share them. */
    void end(RunningQuery old, boolean joined) {
        long nowNs = engine.completeFromNs();
        boolean alone = old.sharedState == null || !old.sharedState.isShared();
        for (Activation activation : List.copyOf(old.result.activations())) {
            if (!old.query().reads().comesAsGpvs()) {
                activation.finishRows();
            } else if (joined) {
                // The successor answers windows whole that this one has not seen yet.
                activation.retire(Long.MIN_VALUE, Long.MIN_VALUE);
            } else if (alone) {
                old.sharedState.detach();
            } else if (QueryShape.isTotals(old.query())) {
                activation.close();
            } else {
                long sizeNs = dependencies.emission(old).sizeNs();
                activation.retire(nowNs, nowNs + sizeNs);
            }
        }
    }
}
