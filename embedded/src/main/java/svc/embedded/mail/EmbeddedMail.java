package svc.embedded.mail;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.subethamail.smtp.auth.EasyAuthenticationHandlerFactory;
import org.subethamail.smtp.auth.LoginFailedException;
import org.subethamail.smtp.helper.SimpleMessageListener;
import org.subethamail.smtp.server.SMTPServer;

/**
 * An SMTP server on the loopback interface that keeps the newest mails in memory and delivers none. It is SubEthaSMTP.
 */
public final class EmbeddedMail implements AutoCloseable {
    private static final int MAX_MAILS = 500;
    private static final int MAX_MAIL_BYTES = 4 * 1024 * 1024;

    private final SMTPServer server;
    private final Clock clock = Clock.systemUTC();
    private final Predicate<String> taken;
    private final Deque<CaughtMail> mails = new ArrayDeque<>();
    private long count;

    private EmbeddedMail(Settings settings) {
        this.taken = settings.recipients();
        var builder = SMTPServer.port(settings.port())
                .bindAddress(InetAddress.getLoopbackAddress())
                .hostName("localhost")
                .maxMessageSize(MAX_MAIL_BYTES)
                .insertReceivedHeaders(false)
                .simpleMessageListener(new SimpleMessageListener() {
                    @Override
                    public boolean accept(String from, String to) {
                        return taken.test(to);
                    }

                    @Override
                    public void deliver(String from, String to, InputStream data) throws IOException {
                        keep(from, to, data.readAllBytes());
                    }
                });
        settings.tls().ifPresent(tls -> builder.enableTLS().requireTLS().startTlsSocketFactory(tls));
        settings.login()
                .ifPresent(login -> builder.requireAuth()
                        .authenticationHandlerFactory(
                                new EasyAuthenticationHandlerFactory((user, password, context) -> {
                                    if (!user.equals(login.user()) || !password.equals(login.password())) {
                                        throw new LoginFailedException();
                                    }
                                })));
        this.server = builder.build();
        server.start();
    }

    /**
     * What the server requires of clients.
     *
     * @param port of the loopback interface, 0 for any free one
     * @param tls if there, nothing is taken before STARTTLS
     * @param login if there, nothing is taken without it
     * @param recipients addresses that the server accepts
     */
    public record Settings(int port, Optional<SSLContext> tls, Optional<Login> login, Predicate<String> recipients) {
        /** Accepts every mail, without TLS. */
        public static Settings open(int port) {
            return new Settings(port, Optional.empty(), Optional.empty(), to -> true);
        }
    }

    /** The SMTP login that may send. */
    public record Login(String user, String password) {}

    /** Starts; returns when the server accepts mails. */
    public static EmbeddedMail start(Settings settings) {
        return new EmbeddedMail(settings);
    }

    public int port() {
        return server.getPortAllocated();
    }

    /** The newest first. */
    public List<CaughtMail> mails() {
        synchronized (mails) {
            return List.copyOf(mails);
        }
    }

    /** The newest first of those to an address. */
    public List<CaughtMail> to(String address) {
        return mails().stream()
                .filter(mail -> mail.to().equalsIgnoreCase(address))
                .toList();
    }

    private void keep(String from, String to, byte[] data) {
        synchronized (mails) {
            mails.addFirst(CaughtMail.read(++count, clock.instant(), from, to, data));
            if (mails.size() > MAX_MAILS) {
                mails.removeLast();
            }
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
