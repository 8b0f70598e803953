package io.weir.operators.result;

import io.weir.operators.kernel.CarriedGroups;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.Shortlist;
import io.weir.operators.kernel.TopKAccount;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A window of a {@link WindowMerger} that some members have not taken. The results' thread only.
 */
final class WaitingWindow {
    final long startNs;
    final long endNs;

    /** The parts by pipeline number. They are merged in this order, whichever came first. */
    final TreeMap<Integer, Partial> partials = new TreeMap<>();

    final Set<RowMaker> takers = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Partial> whole;
    Optional<TopKAccount> kept = Optional.empty();

    /** The most that any group may lack, if all groups stay. */
    long leftOutMost;

    long groupsLost;

    /** The shortlists: one for each figure that several members test. */
    final List<Shortlist> shortlists = new ArrayList<>();

    /** True if it has no packets, and is here for rows without packets. */
    boolean added;

    Losses losses = Losses.NONE;
    long processed;

    WaitingWindow(long startNs, long endNs) {
        this.startNs = startNs;
        this.endNs = endNs;
    }

    List<Partial> parts() {
        return whole != null ? whole : List.copyOf(partials.values());
    }

    /** Returns whether the window has nothing that could become rows. */
    boolean isEmpty() {
        return processed == 0 || kept.filter(groups -> groups.packetsKept() == 0).isPresent();
    }

    /** Returns the window's lost packets, as far as their number is known. */
    long lost() {
        return losses.lost() + kept.orElse(TopKAccount.ALL).packetsLost();
    }

    /**
     * Returns the shortlist for members that share the state. One pass over the groups makes it for
     * all that have not taken the window.
     */
    Optional<Shortlist> listed(RowMaker member) {
        for (Shortlist shortlist : shortlists) {
            if (member.code().isIn(shortlist)) {
                return Optional.of(shortlist);
            }
        }
        if (takers.size() < 2) {
            return Optional.empty();
        }
        List<CompiledQuery> codes = takers.stream().map(RowMaker::code).toList();
        Optional<Shortlist> made = member.code().shortlist(whole, codes);
        made.ifPresent(shortlists::add);
        return made;
    }

    /** Gives it the groups that have rows in it. It has one taker. */
    void carry(CarriedGroups groups, RowMaker member, boolean partial) {
        whole = groups.of(whole, endNs, partial);
        member.tellForgotten(groups.takeForgotten());
    }

    /** Notes that the member reports it now. */
    void due(RowMaker member) {
        if (reports(member)) {
            member.losses().due(endNs);
        }
    }

    /** Notes that the member has reported it in rows. */
    void told(RowMaker member) {
        if (reports(member)) {
            member.losses().told(endNs);
        }
    }

    /**
     * Returns whether it reports losses that are not its own. If packets are not counted by their
     * times, those before a window without packets are counted in a later one, and so are losses.
     */
    private boolean reports(RowMaker member) {
        return !added || member.losses().areCountedByTime();
    }

    /** Returns the facts that the member's rows show about the window. */
    RowContext context(RowMaker member, boolean partial) {
        Losses all = reports(member) ? losses.plus(member.losses().before(endNs)) : losses;
        long lacking = all.lacking() + all.late();
        double ran = member.losses().ran(endNs, processed, losses.lost());
        double completeness = lacking == 0 ? 1 : ran / (ran + lacking);
        TopKAccount most = kept.orElse(TopKAccount.ALL);
        return new RowContext(
                all.lost() + most.packetsLost(),
                all.missing(),
                all.late(),
                completeness * most.share(),
                member.activeFromNs(),
                kept.isPresent() ? most.leftOutMost() : leftOutMost,
                partial);
    }
}
