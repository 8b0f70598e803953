package io.weir.bench.flink;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/**
 * A process that runs a work on command: {@code FlinkPeer PACKETS WORK TH}. Commands come on stdin,
 * one a line, each answered by a line. The command {@code flink} is a job over all packets,
 * answered by its nanoseconds of CPU time. The command {@code check flink} is answered by the rows
 * and hash of another job.
 *
 * <p>Each option that helps Flink is on: objects are reused, nothing is checkpointed, and state is
 * on the heap. The stream is declared as keyed already. So source, aggregation and sink are one
 * task on one thread, and no packet is serialised.
 */
public final class FlinkPeer {
    private FlinkPeer() {}

    /** Answers until stdin ends. */
    public static void main(String[] args) throws Exception {
        PacketTable table = new PacketTable(Path.of(args[0]));
        Work work = Works.named(args[1], Long.parseLong(args[2]));
        BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            run(table, work);
            System.out.println(line.equals("flink") ? Pass.tookNs() : Pass.rows());
            System.out.flush();
        }
    }

    static void run(PacketTable table, Work work) throws Exception {
        Pass.prepare(table);
        StreamExecutionEnvironment flink =
                StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
        flink.getConfig().enableObjectReuse();
        TypeInformation<Packet> type = TypeInformation.of(Packet.class);
        DataStream<Packet> packets =
                flink.fromSource(new PacketSource(), watermarks(work), "packets", type)
                        .filter(work.accepts()::accepts);
        KeyedStream<Packet, Long> keyed =
                DataStreamUtils.reinterpretAsKeyedStream(packets, work.key()::of, Types.LONG);
        rows(keyed, work).sinkTo(new Rows());
        flink.execute();
    }

    private static WatermarkStrategy<Packet> watermarks(Work work) {
        return work.isWindowed()
                ? WatermarkStrategy.forBoundedOutOfOrderness(Duration.ofMillis(10))
                : WatermarkStrategy.noWatermarks();
    }

    private static DataStream<long[]> rows(KeyedStream<Packet, Long> keyed, Work work) {
        TypeInformation<long[]> type = TypeInformation.of(long[].class);
        if (!work.isWindowed()) {
            return keyed.transform("totals", type, new Totals(work));
        }
        Seconds seconds = new Seconds(work);
        TypeInformation<Group> group = TypeInformation.of(Group.class);
        return keyed.window(TumblingEventTimeWindows.of(Duration.ofSeconds(1)))
                .aggregate(seconds, seconds, group, type);
    }

    /** Hashes the rows. A job ends when this has had the last. */
    private static final class Rows implements Sink<long[]> {
        private static final long serialVersionUID = 1;

        @Override
        public SinkWriter<long[]> createWriter(WriterInitContext context) {
            return new SinkWriter<>() {
                @Override
                public void write(long[] row, Context context) {
                    Pass.row(row);
                }

                @Override
                public void flush(boolean isEnd) {
                    if (isEnd) {
                        Pass.end();
                    }
                }

                @Override
                public void close() {}
            };
        }
    }
}
