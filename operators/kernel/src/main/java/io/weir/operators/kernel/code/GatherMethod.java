package io.weir.operators.kernel.code;

import io.weir.operators.graph.Budget;
import io.weir.operators.kernel.Gather;
import io.weir.operators.map.GatherCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The method {@code gather} of a kernel whose GPVs are read by C, and the expression that tells C
 * how to read them. A {@link AggregateCode.Shape} says what C makes of GPVs. If C cannot do that,
 * there is no such method.
 */
final class GatherMethod {
    private final AggregateCode code;
    private final UpdateCode update;
    private final GatherCode input;
    private final BatchCode batch;

    /** The expression for C's reading of GPVs; null if C reads none. */
    private String reading;

    /** The calls that describe the additions of C to tables. */
    private List<String> adds = List.of();

    /** The most entries that C may make before it checks whether the tables have room. */
    private String most = "Math.min(gpvs, Gather.ENTRIES)";

    /** The locals that C adds up if there are no entries. */
    private List<String> sums;

    /** The local that counts packets if there are no entries. */
    private String counted;

    /** The literals to match, if packets count only when a field matches. */
    private List<String> match = List.of();

    GatherMethod(AggregateCode code, UpdateCode update) {
        this.code = code;
        this.update = update;
        input = code.input.gather();
        batch = code.batch;
    }

    /** Requires that bits of a field have a value, for packets to count. */
    void match(String column, List<String> maskAndValue) {
        match = maskAndValue;
        input.match(column);
    }

    /**
     * Lets C read the GPVs if it can. Each GPV has an entry.
     *
     * @param packets the local with the number of its packets that count
     */
    void gpvs(String packets) {
        adds = addsOfC();
        reading = input.ofEntries(batch.words(), packets, code.plan.hasWhen(), adds);
        readIf(!code.loops());
    }

    /** Lets C read the GPVs if each packet has an entry. */
    void packets() {
        adds = addsOfC();
        reading = input.ofPackets(batch.words(), code.plan.hasWhen(), adds);
        most = Integer.toString(Gather.PACKETS);
        readIf(true);
    }

    /**
     * Lets C read the GPVs if they are added up.
     *
     * @param packets the local with the number of packets that count
     * @param added the locals that are added up beside it
     */
    void sums(String packets, List<String> added) {
        sums = added;
        counted = packets;
        reading = code.loops() ? null : input.ofSums(added, code.plan.hasWhen());
    }

    /** If light groups are taken out, the update must make room first. C cannot do that. */
    private List<String> addsOfC() {
        boolean makesRoom = code.plan.query().budget().flatMap(Budget::rank).isPresent();
        return makesRoom ? List.of() : update.forC();
    }

    private void readIf(boolean can) {
        if (!can || tables().size() > GatherCall.MOST_TABLES) {
            reading = null;
        } else if (reading != null) {
            batch.atMost(Gather.ENTRIES);
        }
    }

    /** Returns whether C reads GPVs. */
    boolean isUsed() {
        return reading != null;
    }

    /** Returns the arguments of the base class; empty if C reads none. */
    Optional<String> constructor(boolean paned) {
        return Optional.ofNullable(reading)
                .map(made -> "\n    " + made + ",\n    " + batch.entryBytes() + ", " + paned);
    }

    void write(Block members) {
        members.line("");
        Block method =
                members.braces(
                        "protected long gather(Panes panes, Tables pane, long entry, long end,"
                                + " long next, int gpvs, long from, long until)");
        method.line("Batch batch = pane.batch();");
        if (sums == null) {
            toEntries(method);
        } else {
            toSums(method);
        }
    }

    private void toEntries(Block method) {
        tests(method);
        List<TableCode> tables = tables();
        tables.forEach(table -> table.declare(method, "pane"));
        for (int t = 0; t < tables.size(); t++) {
            method.line(tables.get(t).tell(t, adds.isEmpty() ? null : most));
        }
        method.line("long after = gather.entries(batch, entry, end, next, gpvs, from, until);");
        for (int t = 0; t < tables.size(); t++) {
            method.line(tables.get(t).heed(t, !adds.isEmpty()));
        }
        if (!adds.isEmpty()) {
            code.groups.carryIf("Gather.isHigh(batch)", method);
        }
        method.line("return after;");
    }

    /** Turns the sums into one entry. */
    private void toSums(Block method) {
        method.add(code.start);
        tests(method);
        String call = "gather.packets(batch, next, gpvs, from, until);";
        method.line("long " + counted + " = " + call);
        for (int s = 0; s < sums.size(); s++) {
            method.line("long " + sums.get(s) + " = Gather.sum(batch, " + s + ");");
        }
        method.add(code.after).add(code.end).line("return entry;");
    }

    private void tests(Block block) {
        List<Long> values = input.values();
        for (int v = 0; v < values.size(); v++) {
            String literal = code.expressions.word(values.get(v), values.get(v).toString());
            block.line("Gather.value(batch, " + v + ", " + literal + ");");
        }
        if (!match.isEmpty()) {
            block.line("Gather.match(batch, " + String.join(", ", match) + ");");
        }
    }

    /**
     * Returns the tables whose home slots C finds. Groups that come after a set are among them,
     * though only new tuples need them.
     */
    private List<TableCode> tables() {
        List<TableCode> tables = new ArrayList<>(code.sought().toList());
        if (update.isOfMade()) {
            tables.add(code.groups);
        }
        return tables;
    }
}
