package io.weir.cluster.launcher;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.net.InetSocketAddress;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads ports and addresses of options. */
final class Ports {
    private static final int MOST = 65_535;
    private static final Pattern ADDRESS = Pattern.compile("(?:(.+):)?(\\d{1,5})");

    private Ports() {}

    /**
     * Fails if there is no such port; 0 means any free one.
     *
     * @param option that names it
     */
    static void check(String option, int port) {
        if (port < 0 || port > MOST) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "there is no port " + port + " (" + option + ")",
                    "from 0, any free one, to " + MOST);
        }
    }

    /**
     * Reads an address to listen on: {@code [HOST:]PORT}, by default on this machine alone.
     *
     * @param example of a right one, for people
     * @param wrong makes the error of a problem and a hint, which may be null
     */
    static InetSocketAddress address(
            String text, String example, BiFunction<String, String, WeirException> wrong) {
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches() || Integer.parseInt(address.group(2)) > MOST) {
            throw wrong.apply("there is no port " + text, example);
        }
        String host = address.group(1) == null ? "127.0.0.1" : address.group(1);
        InetSocketAddress socket = new InetSocketAddress(host, Integer.parseInt(address.group(2)));
        if (socket.isUnresolved()) {
            throw wrong.apply("no address is known for " + host, null);
        }
        return socket;
    }
}
