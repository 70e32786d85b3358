package svc.auth.mail;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;
import svc.auth.hook.AuthHooks;
import svc.embedded.mail.EmbeddedMail;
import svc.platform.egress.AddressRules;
import svc.platform.egress.HostLookup;
import svc.platform.secret.ProjectSecrets;

/** The mail set-up of a test: a platform's server that stores mails, or none, and the egress rules for projects' servers. */
public final class MailForTests implements AutoCloseable {
    public static final String FROM = "mail@platform.example";

    private final Optional<EmbeddedMail> server;
    private final HostLookup hosts;
    private final SmtpSender sender;

    private MailForTests(
            Optional<EmbeddedMail> server, List<String> openAddresses, SSLSocketFactory tls, Duration limit) {
        this.server = server;
        this.hosts = new HostLookup(List.of(), limit);
        this.sender = new SmtpSender(new AddressRules(List.of(), openAddresses), hosts, tls, limit);
    }

    /** The platform has no server. */
    public static MailForTests none() {
        return new MailForTests(Optional.empty(), List.of(), trusted(), Duration.ofSeconds(30));
    }

    /** The platform's server accepts every mail. */
    public static MailForTests open() {
        return of(EmbeddedMail.Settings.open(0));
    }

    public static MailForTests of(EmbeddedMail.Settings settings) {
        return new MailForTests(
                Optional.of(EmbeddedMail.start(settings)), List.of(), trusted(), Duration.ofSeconds(30));
    }

    /**
     * The platform has no server; those of projects may be on this machine.
     *
     * @param tls the trusted certificates
     * @param limit timeout of a conversation
     */
    public static MailForTests ofProjects(SSLSocketFactory tls, Duration limit) {
        return new MailForTests(Optional.empty(), List.of("127.0.0.1/32"), tls, limit);
    }

    private static SSLSocketFactory trusted() {
        return (SSLSocketFactory) SSLSocketFactory.getDefault();
    }

    public Mailer mailer(ProjectSecrets secrets, MailLimits limits, AuthHooks hooks) {
        return new Mailer(new MailServers(secrets, server.map(MailForTests::clear)), sender, limits, hooks);
    }

    private static SmtpServer clear(EmbeddedMail server) {
        return new SmtpServer(
                "127.0.0.1",
                server.port(),
                SmtpServer.Security.NONE,
                Optional.empty(),
                FROM,
                "",
                SmtpServer.Chooser.PLATFORM);
    }

    /** The mails that the platform's server has accepted. */
    public EmbeddedMail inbox() {
        return server.orElseThrow();
    }

    @Override
    public void close() {
        sender.close();
        hosts.close();
        server.ifPresent(EmbeddedMail::close);
    }
}
