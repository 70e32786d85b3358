package svc.auth.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jboss.logging.Logger;
import svc.auth.mail.MailFailedException.Cause;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.budget.Permit;
import svc.platform.egress.AddressRules;
import svc.platform.egress.CallOwner;
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

    /** Each has a thread and a connection. */
    private static final int MAX_CONVERSATIONS = 256;

    /** One alone has seven tenths of the conversations, and an eighth of them is for organisations that have few. */
    private static final Limit OF_ORGANIZATION = new Limit.DynamicShare(1, 4);

    private static final Limit OF_PROJECT = new Limit.Fixed(8);

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final AddressRules rules;
    private final HostLookup hosts;
    private final SSLSocketFactory tls;
    private final Duration timeout;

    /** Without a limit of its own: a conversation has a thread when it has its place. */
    private final ExecutorService threads;

    private final Budget conversations = new Budget("mail-conversations", MAX_CONVERSATIONS);

    /** @param timeout of one conversation with a server, from resolving its name on */
    public SmtpSender(AddressRules rules, HostLookup hosts, SSLSocketFactory tls, Duration timeout) {
        this.rules = rules;
        this.hosts = hosts;
        this.tls = tls;
        this.timeout = timeout;
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
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
    void deliver(CallOwner owner, SmtpServer server, List<OutgoingMail> mails) {
        converse(owner, server, mails.stream().anyMatch(SmtpSession::needsUtf8), (session, transport) -> {
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
    void probe(CallOwner owner, SmtpServer server) {
        converse(owner, server, false, (session, transport) -> {
            SmtpSession.require(transport.simpleCommand(
                    "MAIL FROM:<" + session.address(server.from()).getAddress() + ">"));
            transport.simpleCommand("RSET");
            transport.simpleCommand("NOOP");
            transport.simpleCommand("NOOP");
        });
    }

    private void converse(CallOwner owner, SmtpServer server, boolean utf8, Conversation conversation) {
        long end = System.nanoTime() + timeout.toNanos();
        Optional<InetAddress> tenants =
                server.chooser() == SmtpServer.Chooser.TENANT ? Optional.of(judged(server.host())) : Optional.empty();
        var conversing = new Conversing(place(owner, end));
        try {
            threads.execute(() -> conversing.run(() -> {
                InetAddress address = address(server, tenants);
                converse(address, server, new SmtpSession(server, tls, timeout, utf8), conversation, conversing);
            }));
            conversing.awaitUntil(end);
        } catch (RejectedExecutionException e) {
            conversing.closePlace();
            throw new MailFailedException(Cause.BUSY, e);
        }
    }

    /** The caller waits, and not a thread of this sender. */
    private Permit place(CallOwner owner, long end) {
        Account project = conversations
                .whole()
                .part(owner.organization(), OF_ORGANIZATION)
                .part(owner.ref(), OF_PROJECT);
        try {
            if (project.await(1, Duration.ofNanos(Math.max(1, end - System.nanoTime())))
                    instanceof Outcome.Granted(Permit place)) {
                return place;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new MailFailedException(Cause.BUSY, null);
    }

    private void converse(
            InetAddress address,
            SmtpServer server,
            SmtpSession session,
            Conversation conversation,
            Conversing conversing)
            throws MessagingException, IOException {
        try (Socket plain = new SmtpSocket()) {
            conversing.opens(plain);
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
            throw SmtpFailures.named(e.getCause());
        } catch (EgressFailedException e) {
            throw SmtpFailures.named(e);
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

    /** The server has accepted the mails, whatever it answers to QUIT. */
    private static void quit(SMTPTransport transport) {
        try {
            transport.close();
        } catch (MessagingException e) {
            LOG.debugf("a mail server did not answer QUIT: %s", e.getMessage());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
