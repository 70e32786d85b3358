package svc.auth.mail;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** The platform's mail server, for projects without a server of their own. */
@ConfigMapping(prefix = "svc.mail")
public interface MailConfig {
    /** Host name of the platform's server; without one, projects need their own. */
    Optional<String> host();

    @WithDefault("587")
    int port();

    /** {@code TLS}, {@code STARTTLS}, or {@code NONE} for a server on the same machine. */
    @WithDefault("STARTTLS")
    SmtpServer.Security security();

    Optional<String> username();

    Optional<String> password();

    /** The sender's address. */
    Optional<String> from();

    /** The sender's name. */
    Optional<String> senderName();

    /** Of one conversation with the server; below the 10 s that PostgreSQL allows an idle transaction. */
    @WithDefault("8s")
    Duration timeout();

    /** The platform's own server. */
    default Optional<SmtpServer> server() {
        return host().map(host -> new SmtpServer(
                host,
                port(),
                security(),
                username().map(user -> new SmtpServer.Login(user, password().orElse(""))),
                from().orElseThrow(() -> new IllegalArgumentException(
                        "svc.mail.from is missing: set it to the address that mails of projects come from")),
                senderName().orElse(""),
                SmtpServer.Chooser.PLATFORM));
    }
}
