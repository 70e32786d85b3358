package svc.database.socket;

import svc.database.network.ServerNetworks;

/**
 * Where a server that a tenant chose may be, and how much it may send.
 *
 * @param limits {@link SocketLimits#argument} or {@link SocketLogin#argument}
 * @param networks that its address must be in
 */
public record SocketRules(String limits, ServerNetworks networks) {
    private static final String SEPARATOR = "|";

    /** The rules as the driver passes them to {@link BoundedSockets}: one text. */
    public String argument() {
        return limits + SEPARATOR + networks.text();
    }

    /** @param argument as {@link #argument} */
    static SocketRules parse(String argument) {
        int end = argument.indexOf(SEPARATOR);
        return new SocketRules(argument.substring(0, end), ServerNetworks.parse(argument.substring(end + 1)));
    }
}
