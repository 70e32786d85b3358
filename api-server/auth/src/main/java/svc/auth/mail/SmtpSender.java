package svc.auth.mail;

import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jboss.logging.Logger;
import svc.auth.mail.MailFailedException.Cause;
import svc.platform.egress.AddressRules;
import svc.platform.egress.EgressFailedException;

/**
 * Speaks SMTP. A name is resolved once, judged if a tenant chose it, and the connection goes to the very address that was
 * judged, while TLS is checked against the name.
 *
 * <p>Hazard: the library waits inside of monitors, which holds the carrier of a virtual thread on Java 21. So it runs on
 * threads of its own, and the caller waits for no longer than the limit; then the socket is closed under it.
 */
public final class SmtpSender implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SmtpSender.class);
    private static final int MAX_THREADS = 256;
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int SERVICE_NOT_AVAILABLE = 421;

    private final AddressRules rules;
    private final SSLSocketFactory tls;
    private final Duration limit;
    private final ExecutorService threads;

    /** @param limit of all that is said to a server at once, from resolving its name on */
    public SmtpSender(AddressRules rules, SSLSocketFactory tls, Duration limit) {
        this.rules = rules;
        this.tls = tls;
        this.limit = limit;
        this.threads = new ThreadPoolExecutor(
                0,
                MAX_THREADS,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("smtp-", 0).factory());
    }

    /** What is said once the server has let us in. */
    @FunctionalInterface
    private interface Conversation {
        void with(SmtpSession session, SMTPTransport transport) throws MessagingException, IOException;
    }

    /**
     * Delivers them in one conversation, one after the other.
     *
     * @throws MailFailedException with the first one that is not taken
     */
    void deliver(SmtpServer server, List<OutgoingMail> letters) {
        hold(server, letters.stream().anyMatch(SmtpSession::needsUtf8), (session, transport) -> {
            letters.forEach(letter -> SmtpSession.requireAlphabet(transport, letter));
            for (OutgoingMail letter : letters) {
                MimeMessage message = session.message(letter);
                transport.sendMessage(message, new InternetAddress[] {session.address(letter.to())});
            }
        });
    }

    /**
     * Says as much to the server as a delivery would, and delivers nothing: for answers that must not tell, by their time or
     * by failing, whether there was somebody to deliver to.
     */
    void rehearse(SmtpServer server) {
        hold(server, false, (session, transport) -> {
            SmtpSession.require(transport.simpleCommand(
                    "MAIL FROM:<" + session.address(server.from()).getAddress() + ">"));
            transport.simpleCommand("RSET");
            transport.simpleCommand("NOOP");
            transport.simpleCommand("NOOP");
        });
    }

    private void hold(SmtpServer server, boolean utf8, Conversation conversation) {
        var open = new AtomicReference<Socket>();
        Future<?> running;
        try {
            running = threads.submit(() -> {
                converse(server, new SmtpSession(server, tls, limit, utf8), conversation, open);
                return null;
            });
        } catch (RejectedExecutionException e) {
            throw new MailFailedException(Cause.BUSY, e);
        }
        try {
            running.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new MailFailedException(Cause.TOO_SLOW, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MailFailedException(Cause.TOO_SLOW, e);
        } catch (ExecutionException e) {
            throw told(e.getCause());
        } finally {
            running.cancel(true);
            closeQuietly(open.get());
        }
    }

    private void converse(
            SmtpServer server, SmtpSession session, Conversation conversation, AtomicReference<Socket> open)
            throws MessagingException, IOException {
        InetAddress address = address(server);
        try (Socket plain = new Socket()) {
            open.set(plain);
            plain.connect(new InetSocketAddress(address, server.port()), (int) limit.toMillis());
            plain.setSoTimeout((int) limit.toMillis());
            Socket socket = server.security() == SmtpServer.Security.TLS ? secured(plain, server) : plain;
            SMTPTransport transport = session.transport();
            try {
                transport.connect(socket);
                conversation.with(session, transport);
            } finally {
                leave(transport);
            }
        }
    }

    /** The library takes the name that TLS is checked against from the address: so it bears the name that was resolved. */
    private InetAddress address(SmtpServer server) throws UnknownHostException {
        InetAddress found = server.chooser() == SmtpServer.Chooser.TENANT
                ? rules.resolve(server.host())
                : InetAddress.getByName(server.host());
        return InetAddress.getByAddress(server.host(), found.getAddress());
    }

    private SSLSocket secured(Socket plain, SmtpServer server) throws IOException {
        var socket = (SSLSocket) tls.createSocket(plain, server.host(), server.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    static MailFailedException told(Throwable failure) {
        if (failure instanceof MailFailedException known) {
            return known;
        }
        return new MailFailedException(cause(failure), failure);
    }

    private static Cause cause(Throwable failure) {
        for (Throwable at = failure; at != null; at = next(at)) {
            switch (at) {
                case EgressFailedException closed -> {
                    return Cause.REFUSED_ADDRESS;
                }
                case AuthenticationFailedException refused -> {
                    return Cause.LOGIN;
                }
                case SMTPSenderFailedException refused -> {
                    return Cause.SENDER;
                }
                case SMTPAddressFailedException refused -> {
                    return refused.getReturnCode() >= 500 ? Cause.RECIPIENT : Cause.REJECTED;
                }
                case SocketTimeoutException late -> {
                    // The same limit, noticed by the thread that speaks before the one that waits for it.
                    return Cause.TOO_SLOW;
                }
                case SSLException untrusted -> {
                    return Cause.INSECURE;
                }
                case SMTPSendFailedException refused
                when refused.getNextException() == null -> {
                    return refused.getReturnCode() == SERVICE_NOT_AVAILABLE ? Cause.UNREACHABLE : Cause.REJECTED;
                }
                default -> {
                    // What caused it says more.
                }
            }
        }
        String text = String.valueOf(failure.getMessage());
        if (text.contains("STARTTLS is required")) {
            return Cause.INSECURE;
        }
        return failure instanceof SendFailedException ? Cause.REJECTED : Cause.UNREACHABLE;
    }

    private static Throwable next(Throwable failure) {
        return failure instanceof MessagingException mail && mail.getNextException() != null
                ? mail.getNextException()
                : failure.getCause();
    }

    /** What was taken is taken, however the server says goodbye. */
    private static void leave(SMTPTransport transport) {
        try {
            transport.close();
        } catch (MessagingException e) {
            LOG.debugf("a mail server did not say goodbye: %s", e.getMessage());
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // It is of no use any more.
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
