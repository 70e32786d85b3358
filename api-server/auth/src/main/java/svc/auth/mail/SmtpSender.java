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
import java.util.Optional;
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
import svc.platform.egress.HostLookup;

/**
 * Sends mails by SMTP. A host name is resolved once and, if a tenant chose it, checked against the egress rules; the
 * connection goes to the checked address, while TLS verifies the name.
 *
 * <p>Hazard: the library blocks inside of monitors, which pins the carrier of a virtual thread on Java 21. So it runs on
 * platform threads, and the caller waits no longer than the timeout; then the socket is closed.
 */
public final class SmtpSender implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SmtpSender.class);
    private static final int MAX_THREADS = 256;
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int SERVICE_NOT_AVAILABLE = 421;

    private final AddressRules rules;
    private final HostLookup hosts;
    private final SSLSocketFactory tls;
    private final Duration timeout;
    private final ExecutorService threads;

    /** @param timeout of one conversation with a server, from resolving its name on */
    public SmtpSender(AddressRules rules, HostLookup hosts, SSLSocketFactory tls, Duration timeout) {
        this.rules = rules;
        this.hosts = hosts;
        this.tls = tls;
        this.timeout = timeout;
        this.threads = new ThreadPoolExecutor(
                0,
                MAX_THREADS,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("smtp-", 0).factory());
    }

    /** The part of a conversation after the login. */
    @FunctionalInterface
    private interface Conversation {
        void with(SmtpSession session, SMTPTransport transport) throws MessagingException, IOException;
    }

    /**
     * Delivers mails in one conversation, one after the other.
     *
     * @throws MailFailedException for the first mail that is not accepted
     */
    void deliver(SmtpServer server, List<OutgoingMail> mails) {
        converse(server, mails.stream().anyMatch(SmtpSession::needsUtf8), (session, transport) -> {
            mails.forEach(mail -> SmtpSession.requireAlphabet(transport, mail));
            for (OutgoingMail mail : mails) {
                MimeMessage message = session.message(mail);
                transport.sendMessage(message, new InternetAddress[] {session.address(mail.to())});
            }
        });
    }

    /**
     * Has the conversation of a delivery without a mail: for answers that must not reveal, by their time or by a failure,
     * whether the recipient has an account.
     */
    void probe(SmtpServer server) {
        converse(server, false, (session, transport) -> {
            SmtpSession.require(transport.simpleCommand(
                    "MAIL FROM:<" + session.address(server.from()).getAddress() + ">"));
            transport.simpleCommand("RSET");
            transport.simpleCommand("NOOP");
            transport.simpleCommand("NOOP");
        });
    }

    private void converse(SmtpServer server, boolean utf8, Conversation conversation) {
        long end = System.nanoTime() + timeout.toNanos();
        Optional<InetAddress> tenants =
                server.chooser() == SmtpServer.Chooser.TENANT ? Optional.of(judged(server.host())) : Optional.empty();
        var open = new AtomicReference<Socket>();
        Future<?> running;
        try {
            running = threads.submit(() -> {
                InetAddress address = address(server, tenants);
                converse(address, server, new SmtpSession(server, tls, timeout, utf8), conversation, open);
                return null;
            });
        } catch (RejectedExecutionException e) {
            throw new MailFailedException(Cause.BUSY, e);
        }
        try {
            running.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new MailFailedException(Cause.TOO_SLOW, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MailFailedException(Cause.TOO_SLOW, e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            running.cancel(true);
            closeQuietly(open.get());
        }
    }

    private void converse(
            InetAddress address,
            SmtpServer server,
            SmtpSession session,
            Conversation conversation,
            AtomicReference<Socket> open)
            throws MessagingException, IOException {
        try (Socket plain = new Socket()) {
            open.set(plain);
            plain.connect(new InetSocketAddress(address, server.port()), (int) timeout.toMillis());
            plain.setSoTimeout((int) timeout.toMillis());
            Socket socket = server.security() == SmtpServer.Security.TLS ? secured(plain, server) : plain;
            SMTPTransport transport = session.transport();
            try {
                transport.connect(socket);
                conversation.with(session, transport);
            } finally {
                quit(transport);
            }
        }
    }

    /**
     * The address of a tenant's server. It waits in the caller's thread: those of the sender are shared, and nothing can
     * interrupt the JDK's own lookup.
     */
    private InetAddress judged(String host) {
        try {
            return rules.judged(hosts.find(host).toCompletableFuture().get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            throw new MailFailedException(Cause.TOO_SLOW, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MailFailedException(Cause.TOO_SLOW, e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (EgressFailedException e) {
            throw failure(e);
        }
    }

    /** The library verifies TLS against the name in the address: so the address has the name that was resolved. */
    private static InetAddress address(SmtpServer server, Optional<InetAddress> tenants) throws UnknownHostException {
        InetAddress found = tenants.isPresent() ? tenants.get() : InetAddress.getByName(server.host());
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

    static MailFailedException failure(Throwable failure) {
        if (failure instanceof MailFailedException known) {
            return known;
        }
        return new MailFailedException(cause(failure), failure);
    }

    private static Cause cause(Throwable failure) {
        for (Throwable at = failure; at != null; at = next(at)) {
            switch (at) {
                case EgressFailedException closed
                when closed.reason() == EgressFailedException.Reason.REFUSED -> {
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
                    // The same timeout, noticed by the sending thread before the waiting one.
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
                    // Its cause says more.
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

    /** The server has accepted the mails, whatever it answers to QUIT. */
    private static void quit(SMTPTransport transport) {
        try {
            transport.close();
        } catch (MessagingException e) {
            LOG.debugf("a mail server did not answer QUIT: %s", e.getMessage());
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // The socket is not used again.
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
