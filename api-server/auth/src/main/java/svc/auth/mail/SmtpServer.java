package svc.auth.mail;

import java.util.Optional;

/**
 * A server that takes mails.
 *
 * @param security how the connection is kept from others
 * @param login name and password, if it wants them
 * @param from the address that mails come from
 * @param senderName beside it; empty for none
 * @param chooser who named the server: addresses that a tenant names are judged before they are called
 */
public record SmtpServer(
        String host,
        int port,
        Security security,
        Optional<Login> login,
        String from,
        String senderName,
        Chooser chooser) {
    /** How the connection is kept from others. */
    public enum Security {
        /** TLS from the first byte, as on port 465. */
        TLS,
        /** TLS before anything is said; a server that has none is not used. */
        STARTTLS,
        /** In clear: for a server on the same machine. */
        NONE
    }

    /** Who named the server. */
    public enum Chooser {
        PLATFORM,
        TENANT
    }

    /** What it lets one in by. */
    public record Login(String user, String password) {
        /** Without the password. */
        @Override
        public String toString() {
            return "Login[" + user + "]";
        }
    }
}
