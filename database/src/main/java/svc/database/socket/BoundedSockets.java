package svc.database.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;

/**
 * Makes the driver's sockets to servers that a tenant chose. Public for the driver, which makes it by its name, with
 * {@link SocketRules#argument}.
 */
public final class BoundedSockets extends UnconnectedSockets {
    private final SocketRules rules;

    /** @param argument as {@link SocketRules#argument} */
    public BoundedSockets(String argument) {
        this.rules = SocketRules.parse(argument);
    }

    @Override
    public Socket createSocket() {
        try {
            return new BoundedSocket(SocketLogin.of(rules.limits()), rules.networks());
        } catch (IOException e) {
            throw new UncheckedIOException("while making a socket", e);
        }
    }
}
