package svc.auth.mail;

import java.util.Optional;

/**
 * A server that accepts mails.
 *
 * @param security of the connection
 * @param login empty for a server without authentication
 * @param from the sender's address
 * @param senderName the sender's name; empty for none
 * @param chooser a tenant's choice is checked against the egress rules
 */
public record SmtpServer(
        String host,
        int port,
        Security security,
        Optional<Login> login,
        String from,
        String senderName,
        Chooser chooser) {
    /** Security of the connection. */
    public enum Security {
        /** TLS from the first byte, as on port 465. */
        TLS,
        /** TLS before the login; a server without it is not used. */
        STARTTLS,
        /** In clear: for a server on the same machine. */
        NONE
    }

    /** The origin of the configuration. */
    public enum Chooser {
        PLATFORM,
        TENANT
    }

    /** The login at the server. */
    public record Login(String user, String password) {
        /** Without the password. */
        @Override
        public String toString() {
            return "Login[" + user + "]";
        }
    }
}
