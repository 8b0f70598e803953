package io.weir.ingest.wire;

import io.weir.ingest.source.SourceAdvice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks whether the kernel, or a card, joins packets before a source sees them. Then one frame has
 * the bytes of several. It asks {@code ethtool}.
 */
public final class Offloads {
    private static final String[][] JOINING = {
        {"generic-receive-offload", "gro"}, {"large-receive-offload", "lro"}
    };

    private Offloads() {}

    /** Returns advice about an interface. */
    public static List<SourceAdvice> advice(String name) {
        try {
            Process ethtool =
                    new ProcessBuilder("ethtool", "-k", name)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            byte[] told = ethtool.getInputStream().readAllBytes();
            return advice(name, new String(told, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return List.of(
                    new SourceAdvice(
                            "offloads of " + name + " cannot be told", "apt-get install ethtool"));
        }
    }

    /** Reads what ethtool has told. */
    static List<SourceAdvice> advice(String name, String told) {
        List<SourceAdvice> advice = new ArrayList<>();
        for (String[] offload : JOINING) {
            if (told.contains(offload[0] + ": on")) {
                advice.add(
                        new SourceAdvice(
                                name + " joins received packets (" + offload[0] + ")",
                                "ethtool -K " + name + " " + offload[1] + " off"));
            }
        }
        return advice;
    }
}
