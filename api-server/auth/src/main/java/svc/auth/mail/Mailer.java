package svc.auth.mail;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.mail.MailFailedException.Cause;
import svc.platform.tenancy.Tenant;

/**
 * Sends mails to users: by the project's hook if it has one, else by its mail server, else by the platform's.
 *
 * <p>Mails are sent inside of the transaction that they tell of, as its last step: when one does not go out, nothing of what
 * it told is left. So a transaction waits for a mail server. That no project holds many connections that way, each waits
 * for its {@link #turn} before it begins one.
 */
public final class Mailer {
    private static final Logger LOG = Logger.getLogger(Mailer.class);

    /** Of one project. */
    private static final int AT_ONCE = 8;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);

    private final MailServers servers;
    private final SmtpSender sender;
    private final MailLimits limits;
    private final AuthHooks hooks;
    private final Cache<UUID, Semaphore> turns =
            Caffeine.newBuilder().expireAfterAccess(FORGOTTEN).build();

    public Mailer(MailServers servers, SmtpSender sender, MailLimits limits, AuthHooks hooks) {
        this.servers = servers;
        this.sender = sender;
        this.limits = limits;
        this.hooks = hooks;
    }

    /** The right to hold a transaction of the project while a mail is sent. */
    public interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    /** @throws AuthError of 503 when too many of the project's mails are on their way */
    public Turn turn(Tenant tenant) {
        Semaphore turn = turns.get(tenant.projectId(), project -> new Semaphore(AT_ONCE, true));
        try {
            if (turn.tryAcquire(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                return turn::release;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw AuthErrorCode.UNAVAILABLE.error("Too many mails of this project are being sent. Try again in a moment.");
    }

    public MailLimits limits() {
        return limits;
    }

    /**
     * Sends them, all or none as far as servers know such a thing.
     *
     * @param mailings of one kind; for a change of address that both addresses confirm, the present one's is the first
     * @throws AuthError when the limit is reached, and when one does not go out
     */
    public void send(AuthRequest request, List<Mailing> mailings) {
        Tenant tenant = request.tenant();
        limits.count(tenant, mailings.size());
        Mailing first = mailings.getFirst();
        if (hooks.sendEmail(tenant, (ObjectNode) first.user(), emailData(tenant, mailings))
                == AuthHooks.Delivery.BY_HOOK) {
            return;
        }
        String language = Optional.ofNullable(request.header("Accept-Language")).orElse("");
        List<OutgoingMail> letters = mailings.stream()
                .map(mailing -> new OutgoingMail(
                        mailing.to(), MailTexts.of(tenant, mailing.kind(), MailTexts.variables(mailing), language)))
                .toList();
        try {
            sender.deliver(servers.of(tenant), letters);
        } catch (MailFailedException e) {
            throw failed(tenant, first.kind(), e);
        }
    }

    /** Does the work of sending one and sends none; fails as sending would. */
    public void rehearse(Tenant tenant, MailKind kind) {
        limits.count(tenant, 1);
        if (tenant.auth().hooks() != null && tenant.auth().hooks().sendEmail() != null) {
            return;
        }
        try {
            sender.rehearse(servers.of(tenant));
        } catch (MailFailedException e) {
            throw failed(tenant, kind, e);
        }
    }

    private static AuthError failed(Tenant tenant, MailKind kind, MailFailedException failure) {
        Cause why = failure.why();
        // Neither addresses nor answers of servers, which repeat them.
        LOG.warnf("%s: a %s mail was not sent: %s", tenant.ref(), kind.words(), why);
        if (why == Cause.RECIPIENT || why == Cause.ALPHABET) {
            return AuthErrorCode.EMAIL_ADDRESS_INVALID.error("Email address cannot be used: " + failure.getMessage());
        }
        boolean passing = why == Cause.BUSY || why == Cause.TOO_SLOW || why == Cause.UNREACHABLE;
        return (passing ? AuthErrorCode.UNAVAILABLE : AuthErrorCode.UNEXPECTED_FAILURE)
                .error("Error sending " + kind.words() + " email: " + failure.getMessage() + ". Nothing was changed.");
    }

    /** With GoTrue's crossed names: {@code token_hash} belongs to {@code token_new} where there are two. */
    private static ObjectNode emailData(Tenant tenant, List<Mailing> mailings) {
        Mailing first = mailings.getFirst();
        Mailing last = mailings.getLast();
        boolean two = mailings.size() > 1;
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put("token", first.code());
        data.put("token_hash", last.tokenHash());
        data.put("redirect_to", first.redirect());
        data.put("email_action_type", first.kind().action());
        data.put("site_url", tenant.authUrl());
        data.put("token_new", two ? last.code() : "");
        data.put("token_hash_new", two ? first.tokenHash() : "");
        return data;
    }
}
