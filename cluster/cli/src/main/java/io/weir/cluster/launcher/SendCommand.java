package io.weir.cluster.launcher;

import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.Shape;
import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.send.GpvSender;
import io.weir.ingest.wire.send.SendOptions;
import io.weir.operators.account.Account;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.node.ThreadOptions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir send}: a switch made of software. */
@Command(
        name = "send",
        sortOptions = false,
        description = {
            "Sends packets of captures or of an interface as GPVs over UDP, as a switch does, for"
                    + " --source gpv-udp: of another Weir. It ends with the account of every packet.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  weir send --source pcap:trace.pcap --to 127.0.0.1:9996",
            "  weir send --source pcap:trace.pcap --to collector --speed 1",
            "  weir send --source afpacket:eth0 --to 10.0.7.2:23600 --to 10.0.7.3:23600",
            "And there:",
            "  weir sql --source 'gpv-udp:10.0.7.2:23600?allow=10.0.7.0/24'"
        })
final class SendCommand implements Callable<Integer> {
    private final StandardStreams streams;

    @Option(
            names = "--source",
            arity = "1..*",
            required = true,
            paramLabel = "URI",
            description = {
                "Sources of packets, as those of weir run: pcap:FILE, pcap:- (standard input),"
                        + " afpacket:INTERFACE and so on."
            })
    private List<String> uris = new ArrayList<>();

    @Option(
            names = "--to",
            arity = "1..*",
            required = true,
            paramLabel = "HOST[:PORT]",
            description = {
                "Where the blocks go, by UDP (port: 23600). With several, each flow goes to one of"
                        + " them, by its hash."
            })
    private List<String> to = new ArrayList<>();

    @Option(
            names = "--layout",
            paramLabel = "NAME",
            defaultValue = "flow32",
            description = {
                "What a GPV keeps of each packet: flow32 (default), flow64 or full. The receiver"
                        + " has the same: gpv-udp:…?layout=NAME."
            })
    private String layout;

    @Option(
            names = "--single",
            description = {
                "One GPV in a datagram and no watermark, as switches send. Without it a datagram is"
                        + " filled."
            })
    private boolean single;

    @Option(
            names = "--datagram",
            paramLabel = "BYTES",
            defaultValue = "" + SendOptions.USUAL_BYTES,
            description = "Bytes of a full datagram, up to 9216 (default: ${DEFAULT-VALUE}).")
    private int datagram;

    @Option(
            names = "--speed",
            paramLabel = "TIMES",
            description = {
                "Send captures in the rhythm in which they were recorded, 1, or so many times"
                        + " faster."
            })
    private Double speed;

    @Option(
            names = "--packets-per-second",
            paramLabel = "N",
            description = {
                "Send so many packets a second at most (default: captures 500000; live packets as"
                        + " they come)."
            })
    private Double packetsPerSecond;

    @Mixin private ReadingLimits limits = new ReadingLimits();

    @Mixin private DelayOptions times = new DelayOptions();

    @Option(
            names = "--sender",
            paramLabel = "N",
            description = {
                "The number that this sender calls itself by (default: a random one). With the same"
                        + " number, a new start is a restart for the receiver."
            })
    private Integer sender;

    SendCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        List<SourceSpec> sources = times.of(InputOptions.parsed(uris, "local"));
        check(Sources.isLive(sources));
        Account account = new Account();
        GpvSender running = new GpvSender(sources, settings(sources).source(), options(), account);
        Interrupts interrupts =
                Interrupts.asking(
                        () -> {
                            running.stop();
                            return true;
                        });
        try {
            running.run();
        } finally {
            interrupts.ended();
        }
        return close(running, account);
    }

    private void check(boolean live) {
        if (speed != null && packetsPerSecond != null) {
            throw invalid("--speed and --packets-per-second exclude each other", "one of them");
        }
        if (speed != null && live) {
            throw invalid("--speed goes with captures", "live packets have their own rhythm");
        }
        checkPositive("--speed", speed);
        checkPositive("--packets-per-second", packetsPerSecond);
        limits.check();
        times.check();
        InputOptions.checkLayout(layout);
        if (datagram < SendOptions.LEAST_BYTES || datagram > SendOptions.MOST_BYTES) {
            throw invalid(
                    "--datagram " + datagram + " cannot be",
                    "from " + SendOptions.LEAST_BYTES + " to " + SendOptions.MOST_BYTES);
        }
    }

    private static void checkPositive(String option, Double value) {
        if (value != null && !(value > 0 && value <= 1e12)) {
            throw invalid(option + " " + value + " cannot be", "a number above 0");
        }
    }

    private static WeirException invalid(String what, String hint) {
        return new WeirException(ErrorCode.INVALID_OPTION, what, hint);
    }

    private NodeSettings settings(List<SourceSpec> sources) {
        CacheConfig cache =
                CacheConfig.DEFAULT.withLayout(layout).withTimeout(times.timeout().toNanos());
        return new NodeSettings(Shape.ONE, times.lateness(), cache, ThreadOptions.DEFAULT)
                .covering(sources);
    }

    private SendOptions options() {
        return new SendOptions(
                to,
                single,
                datagram,
                speed == null ? OptionalDouble.empty() : OptionalDouble.of(speed),
                packetsPerSecond == null
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(packetsPerSecond),
                limits.packets(),
                limits.length(),
                sender == null ? new SecureRandom().nextInt() : sender);
    }

    private int close(GpvSender ended, Account account) {
        ClosingAccount.print(streams, ended.notes(), account.snapshot());
        ClosingAccount.check(account.isBalanced());
        return ExitCode.OK;
    }
}
