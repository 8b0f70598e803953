package io.weir.bench;

import io.weir.bench.generate.CaptureFile;
import io.weir.bench.generate.TrafficShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir bench generate}: writes a capture file of any size from a seed. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Writes a pcap file: sources by Zipf's law, 4 to 8 packets in a burst.")
final class GenerateCommand implements Callable<Integer> {
    @Option(names = "--packets", defaultValue = "1000000", description = "exactly so many")
    private long packets;

    @Option(names = "--sources", defaultValue = "10000", description = "source addresses")
    private int sources;

    @Option(names = "--exponent", defaultValue = "1.0", description = "of Zipf's law")
    private double exponent;

    @Option(names = "--ipv6", defaultValue = "0", description = "percent of the sources")
    private int ipv6Percent;

    @Option(names = "--seed", defaultValue = "1")
    private long seed;

    @Option(names = "--snap", defaultValue = "96", description = "bytes kept of a frame")
    private int snapBytes;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "the file")
    private Path file;

    @Override
    public Integer call() throws IOException {
        TrafficShape shape = new TrafficShape(packets, sources, exponent, ipv6Percent, 1000, seed);
        CaptureFile.write(shape, snapBytes, file);
        System.err.printf("%s: %d packets, %d bytes%n", file, packets, Files.size(file));
        return 0;
    }
}
