package io.weir.cluster.merge;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.wire.ActivationEnd;
import io.weir.cluster.wire.ActivationKey;
import io.weir.cluster.wire.PartialBinding;
import io.weir.cluster.wire.PartialBlock;
import io.weir.cluster.wire.PartialLeftOut;
import io.weir.cluster.wire.PartialRecord;
import io.weir.cluster.wire.PartialWindow;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.BindingSpan;
import io.weir.operators.result.Losses;
import io.weir.operators.result.Receivers;
import io.weir.operators.window.LeftOutPackets;
import java.util.List;

/**
 * Reads and writes messages as records of {@code weir.partials} and {@code weir.windows}.
 * Stateless.
 */
public final class MergeMessageCodec {
    private static final int FORMAT = 1;

    private MergeMessageCodec() {}

    public static byte[] bytes(MergeMessage message) {
        PartialRecord.Builder record =
                PartialRecord.newBuilder()
                        .setFormat(FORMAT)
                        .setWorker(message.source().worker())
                        .setLife(message.source().life())
                        .setSequence(message.sequence());
        if (message instanceof MergeMessage.Block block) {
            record.setBlock(
                    PartialBlock.newBuilder()
                            .setActivation(key(block.activation()))
                            .setEndNs(block.endNs())
                            .setGroups(ByteString.copyFrom(block.bytes())));
        } else if (message instanceof MergeMessage.WindowEnd end) {
            record.setWindow(window(end));
        } else if (message instanceof MergeMessage.Passed passed) {
            record.setPassedNs(passed.watermarkNs()).setHeard(passed.heard());
            passed.renewed().forEach(on -> record.addRenewed(end(on.activation(), on.untilNs())));
        } else if (message instanceof MergeMessage.Ended ended) {
            record.setEnded(end(ended.activation(), ended.untilNs()));
        }
        return record.build().toByteArray();
    }

    private static ActivationEnd.Builder end(ActivationId id, long untilNs) {
        return ActivationEnd.newBuilder().setActivation(key(id)).setUntilNs(untilNs);
    }

    private static PartialWindow window(MergeMessage.WindowEnd end) {
        MergeMessage.Window window = end.window();
        PartialWindow.Builder bytes = PartialWindow.newBuilder();
        if (!window.leftOut().equals(LeftOutPackets.Told.NOTHING)) {
            bytes.setLeftOut(
                    PartialLeftOut.newBuilder()
                            .setFloor(window.leftOut().floor())
                            .setPackets(window.leftOut().packets())
                            .setUnknown(window.leftOut().unknown()));
        }
        window.bindings().forEach(one -> bytes.addBinding(binding(one)));
        return bytes.setActivation(key(end.activation()))
                .setStartNs(window.startNs())
                .setEndNs(window.endNs())
                .setUntilNs(window.untilNs())
                .setActiveFromNs(window.activeFromNs())
                .setLost(window.losses().lacking())
                .setMissing(window.losses().missing())
                .setAgain(window.losses().again())
                .setOwn(window.losses().own())
                .setLate(window.losses().late())
                .setPartial(window.losses().partial())
                .setProcessed(window.processed())
                .setBefore(window.before())
                .setBlocks(window.blocks())
                .setGoesOn(window.goesOn())
                .setLedger(window.ledger())
                .setEarlier(window.earlier())
                .build();
    }

    private static PartialBinding.Builder binding(BindingSpan one) {
        return PartialBinding.newBuilder()
                .setNumber(one.number())
                .setFromNs(one.fromNs())
                .setUntilNs(one.untilNs())
                .setActiveFromNs(one.activeFromNs());
    }

    private static BindingSpan binding(PartialBinding one) {
        return new BindingSpan(
                one.getNumber(), one.getFromNs(), one.getUntilNs(), one.getActiveFromNs());
    }

    static ActivationKey key(ActivationId id) {
        return ActivationKey.newBuilder()
                .setQuery(id.query())
                .setVersion(id.version())
                .setFromNs(id.fromNs())
                .setOutput(number(id.output()))
                .build();
    }

    /**
     * @param bytes null if a record has none
     * @throws WeirException MALFORMED_BYTES, OTHER_VERSION
     */
    public static MergeMessage message(byte[] bytes) {
        if (bytes == null) {
            throw malformed("nothing");
        }
        PartialRecord record;
        try {
            record = PartialRecord.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw malformed(e.getMessage());
        }
        if (record.getFormat() != FORMAT) {
            throw new WeirException(
                    ErrorCode.OTHER_VERSION,
                    "a partial in format " + record.getFormat() + "; this Weir reads " + FORMAT);
        }
        WorkerEpoch source = new WorkerEpoch(record.getWorker(), record.getLife());
        long sequence = record.getSequence();
        return switch (record.getParcelCase()) {
            case BLOCK -> {
                PartialBlock block = record.getBlock();
                yield new MergeMessage.Block(
                        source,
                        sequence,
                        id(block.getActivation()),
                        block.getEndNs(),
                        block.getGroups().toByteArray());
            }
            case WINDOW ->
                    new MergeMessage.WindowEnd(
                            source,
                            sequence,
                            id(record.getWindow().getActivation()),
                            window(record.getWindow()));
            case PASSED_NS ->
                    new MergeMessage.Passed(
                            source,
                            sequence,
                            record.getPassedNs(),
                            record.getHeard(),
                            renewed(record));
            case ENDED ->
                    new MergeMessage.Ended(
                            source,
                            sequence,
                            id(record.getEnded().getActivation()),
                            record.getEnded().getUntilNs());
            case PARCEL_NOT_SET -> throw malformed("it says nothing");
        };
    }

    private static List<MergeMessage.Renewed> renewed(PartialRecord record) {
        return record.getRenewedList().stream()
                .map(end -> new MergeMessage.Renewed(id(end.getActivation()), end.getUntilNs()))
                .toList();
    }

    private static MergeMessage.Window window(PartialWindow window) {
        long missing = window.getMissing();
        long again = window.getAgain();
        long own = window.getOwn();
        if ((window.getLost()
                        | window.getProcessed()
                        | window.getBefore()
                        | window.getEarlier()
                        | window.getBlocks()
                        | window.getLate()
                        | missing
                        | again
                        | own)
                < 0) {
            throw malformed("a count is negative");
        }
        long lost = window.getLost() - missing + again;
        if (lost < again || lost < own) {
            throw malformed("more is missing than lacks");
        }
        return new MergeMessage.Window(
                window.getStartNs(),
                window.getEndNs(),
                window.getUntilNs(),
                window.getActiveFromNs(),
                new Losses(lost, missing, again, own, window.getLate(), window.getPartial()),
                window.getProcessed(),
                window.getBefore(),
                window.getBlocks(),
                window.getGoesOn(),
                leftOut(window.getLeftOut()),
                window.getLedger(),
                window.getEarlier(),
                window.getBindingList().stream().map(MergeMessageCodec::binding).toList());
    }

    private static LeftOutPackets.Told leftOut(PartialLeftOut told) {
        if ((told.getFloor() | told.getPackets()) < 0) {
            throw malformed("a count is negative");
        }
        return new LeftOutPackets.Told(told.getFloor(), told.getPackets(), told.getUnknown());
    }

    private static int number(Receivers output) {
        return switch (output) {
            case SINKS -> 0;
            case READERS -> 1;
            case ALL -> 2;
        };
    }

    static ActivationId id(ActivationKey key) {
        Receivers output =
                switch (key.getOutput()) {
                    case 0 -> Receivers.SINKS;
                    case 1 -> Receivers.READERS;
                    case 2 -> Receivers.ALL;
                    default -> throw malformed("there is no output " + key.getOutput());
                };
        return new ActivationId(key.getQuery(), key.getVersion(), key.getFromNs(), output);
    }

    private static WeirException malformed(String why) {
        return new WeirException(ErrorCode.MALFORMED_BYTES, "bytes that are no partial: " + why);
    }
}
