package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.Activation;
import io.weir.operators.result.ClosedWindow;
import io.weir.operators.result.Losses;
import io.weir.operators.result.Receivers;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.ResultStage;
import io.weir.operators.result.WindowMerger;
import io.weir.operators.result.WindowPart;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * There is no memory for rows of the last windows of a version that another has replaced: that is
 * told, and its successor goes on.
 */
@Timeout(120)
final class ReplacedRowsTest {
    private static final long SECOND_NS = Graphs.SECOND_NS;
    private static final long BYTES = 128L << 20;
    private static final int FLOOD = 12_000;

    private final List<String> first = Collections.synchronizedList(new ArrayList<>());
    private final List<String> second = Collections.synchronizedList(new ArrayList<>());
    private final List<String> sums = Collections.synchronizedList(new ArrayList<>());
    private TinyEngine tiny;
    private LocalEngine engine;

    /** With what its rows lack. */
    private static Query telling(Query plain) {
        Operator.Project project = (Operator.Project) plain.root();
        List<Named> outputs = new ArrayList<>(project.outputs());
        outputs.add(new Named("lost", Operator.Row.PACKETS_LOST));
        outputs.add(new Named("completeness", Operator.Row.COMPLETENESS));
        return new Query(
                plain.name(), new Operator.Project(project.input(), outputs), plain.when(), "");
    }

    private static Query q(Optional<Window> window) {
        return telling(Graphs.counts("q", window, null, "src_addr"));
    }

    /** One line of each window: its end, packets, and what its rows say that they lack. */
    private static void take(RowBatch batch, List<String> into) {
        if (batch.rows() > 0) {
            long packets = 0;
            for (int row = 0; row < batch.rows(); row++) {
                packets += batch.word(row, batch.layout().indexOf("n"));
            }
            long lost = batch.word(0, batch.layout().indexOf("lost"));
            double whole = batch.completeness();
            String end = batch.windowEndNs() / SECOND_NS + " s: ";
            into.add(end + packets + ", lost " + lost + ", " + whole);
        }
    }

    private void start(int pipelines, Query... queries) {
        tiny =
                new TinyEngine(
                        EngineOptions.DEFAULT
                                .withShape(1, pipelines)
                                .withTime(0, 0)
                                .withMemory(BYTES, 8L << 20));
        engine = tiny.engine;
        for (Query query : queries) {
            List<String> rows = query.name().equals("q") ? first : sums;
            engine.add(Run.compile(query), batch -> take(batch, rows));
        }
        engine.start();
    }

    private void pass(double seconds) {
        tiny.pass((long) (seconds * SECOND_NS));
    }

    /** Ten packets in the first second, many in the second, in whose middle it is replaced. */
    private void runAndReplace(Optional<Window> successor) {
        tiny.write(10, 0);
        pass(1);
        tiny.write(FLOOD, SECOND_NS);
        pass(1.5);
        engine.replace(Run.compile(q(successor)), batch -> take(batch, second));
        pass(1.6);
        pass(1.7);
    }

    private void end() {
        tiny.end();
        assertTrue(tiny.account.isBalanced(), tiny.account.snapshot().toString());
    }

    private Stage.Snapshot stage(String name) {
        return tiny.account.snapshot().stream()
                .filter(s -> s.stage().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void itsLastWindowIsTold() {
        for (int pipelines = 1; pipelines <= 2; pipelines++) {
            first.clear();
            second.clear();
            start(pipelines, q(Graphs.tumble(1)));
            runAndReplace(Graphs.tumble(5));
            tiny.passWithoutMemory(2 * SECOND_NS);
            tiny.write(30, 2 * SECOND_NS);
            pass(5);
            end();
            assertEquals(List.of("q lost " + FLOOD + " OUT_OF_NATIVE_MEMORY"), tiny.told);
            assertEquals(List.of("1 s: 10, lost 0, 1.0"), first);
            assertEquals(List.of("5 s: 30, lost 0, 1.0"), second);
            Stage.Snapshot lost = stage("replaced:q");
            assertEquals(FLOOD, lost.offered());
            assertEquals(FLOOD, lost.lost().get("no_memory"));
            assertEquals(10 + FLOOD + 30, stage("query:q").processed());
        }
    }

    /** Those that are open after it have rows, which say so. */
    @Test
    void thoseAfterItAreMade() {
        start(2, q(Graphs.hop(3, 1)));
        runAndReplace(Graphs.tumble(5));
        tiny.passWithoutMemory(2 * SECOND_NS);
        tiny.write(30, 2 * SECOND_NS);
        pass(5);
        end();
        assertEquals(List.of("q lost " + FLOOD + " OUT_OF_NATIVE_MEMORY"), tiny.told);
        assertEquals(
                List.of(
                        "1 s: 10, lost 0, 1.0",
                        "3 s: " + (10 + FLOOD) + ", lost " + FLOOD + ", 0.0",
                        "4 s: " + FLOOD + ", lost 0, 1.0"),
                first);
        assertEquals(List.of("5 s: 30, lost 0, 1.0"), second);
    }

    @Test
    void rowsOfWhatReadsItSayThatTheyAreNotWhole() {
        Query q = q(Graphs.tumble(1));
        Query reads =
                telling(Graphs.counts("sums", Graphs.rowsOf(q), "n", Graphs.tumble(10), null));
        start(2, q, reads);
        runAndReplace(Graphs.tumble(5));
        tiny.passWithoutMemory(2 * SECOND_NS);
        tiny.write(30, 2 * SECOND_NS);
        pass(5);
        pass(10);
        tiny.write(1, 11 * SECOND_NS);
        pass(15);
        pass(20);
        end();
        assertEquals(List.of("10 s: 40, lost 0, 0.0", "20 s: 1, lost 0, 1.0"), sums);
    }

    /** The old version's last rows wake nobody who has been dropped since. */
    @Test
    void whatWaitedForItAndWasDroppedIsNotWoken() {
        Query q = q(Graphs.tumble(1));
        Query waits =
                telling(
                        Graphs.counts(
                                "waits", Graphs.tumble(1), Graphs.when(q, 0, null, null), "proto"));
        start(2, q, waits);
        tiny.write(100, SECOND_NS);
        pass(1.5);
        engine.replace(Run.compile(q(Graphs.tumble(5))), batch -> take(batch, second));
        engine.drop("waits");
        pass(1.6);
        pass(1.7);
        int states = engine.attachedStates();
        pass(2);
        pass(2.1);
        assertEquals(List.of("2 s: 100, lost 0, 1.0"), first);
        assertEquals(states, engine.attachedStates());
        end();
    }

    /** It is heard that it has outgrown its budget when it has a successor already. */
    @Test
    void whatWasOpenOfOneThatOutgrewItsBudgetIsTold() {
        CompiledQuery code = Run.compile(q(Graphs.tumble(1)));
        List<String> unmade = new ArrayList<>();
        NativeAllocator allocator = new NativeAllocator(BYTES);
        ResultStage stage =
                new ResultStage((query, window) -> unmade.add(query.name() + window.packets()));
        StateOptions options = new StateOptions(BYTES, 0, 0);
        WindowMerger merger = new WindowMerger(code, 2, options, allocator);
        ResultQuery old = new ResultQuery(code);
        old.addSink(batch -> take(batch, first));
        stage.add(old);
        ActiveInterval gate = new ActiveInterval();
        Receivers all = Receivers.ALL;
        old.activate(new Activation(code, gate, RowContext.ALWAYS, all, merger, allocator));
        stage.replace(old, new ResultQuery(code));
        stage.accept(
                new ClosedWindow(
                        merger,
                        new WindowPart(
                                0,
                                0,
                                SECOND_NS,
                                code.newPartial(allocator, BYTES),
                                Losses.NONE,
                                70)));
        stage.accept(new ClosedWindow(merger, WindowPart.last(0, 0)));
        stage.accept(new ClosedWindow(merger, WindowPart.last(1, 40)));
        old.lose(new WeirException(ErrorCode.BUDGET_EXCEEDED, "too many"));
        stage.pass(2 * SECOND_NS);
        assertEquals(List.of("q70", "q40"), unmade);
        assertEquals(List.of(), first);
        stage.close();
        allocator.close();
    }
}
