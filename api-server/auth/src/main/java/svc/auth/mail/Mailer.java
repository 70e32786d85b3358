package svc.auth.mail;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;
import svc.auth.hook.AuthHooks;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.mail.MailFailedException.Cause;
import svc.platform.budget.Account;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.egress.CallOwner;
import svc.platform.tenancy.Tenant;

/**
 * Sends mails to users: by the project's hook if it has one, else by its mail server, else by the platform's.
 *
 * <p>Hazard: a mail is sent inside of the transaction that it confirms, as its last step, so that the transaction is rolled
 * back when the mail is not sent. So the transaction waits for a mail server. To bound the connections that a project holds
 * that way, each call waits for its {@link #permit} before it begins the transaction.
 */
public final class Mailer {
    private static final Logger LOG = Logger.getLogger(Mailer.class);

    private static final Limit OF_PROJECT = new Limit.Fixed(8);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final MailServers servers;
    private final SmtpSender sender;
    private final MailLimits limits;
    private final AuthHooks hooks;
    /** Transactions that send: a project has a few, and all together as many as there are projects. */
    private final Budget sending = new Budget("mails", Long.MAX_VALUE);

    public Mailer(MailServers servers, SmtpSender sender, MailLimits limits, AuthHooks hooks) {
        this.servers = servers;
        this.sender = sender;
        this.limits = limits;
        this.hooks = hooks;
    }

    /** Allows one transaction of the project to wait for a mail server. */
    public interface Permit extends AutoCloseable {
        @Override
        void close();
    }

    /** @throws AuthError of 503 when too many transactions of the project are sending */
    public Permit permit(Tenant tenant) {
        Account project = sending.whole().part(tenant.projectId().toString(), OF_PROJECT);
        try {
            if (project.await(1, TIMEOUT) instanceof Outcome.Granted granted) {
                return granted.permit()::close;
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
     * Sends mails in one conversation with the server.
     *
     * @param acceptLanguage of the request; empty without one
     * @param mailings of one kind; for a change of address that both addresses confirm, the present address is the first
     * @throws AuthError when the limit is reached, and when a mail is not sent
     */
    public void send(Tenant tenant, String acceptLanguage, List<Mailing> mailings) {
        limits.count(tenant, mailings.size());
        Mailing first = mailings.getFirst();
        if (hooks.sendEmail(tenant, first.user(), emailData(tenant, mailings)) == AuthHooks.Delivery.BY_HOOK) {
            return;
        }
        List<OutgoingMail> outgoing = mailings.stream()
                .map(mailing -> new OutgoingMail(
                        mailing.to(),
                        MailTexts.of(tenant, mailing.kind(), MailTexts.variables(mailing), acceptLanguage)))
                .toList();
        try {
            sender.deliver(CallOwner.of(tenant), servers.of(tenant), outgoing);
        } catch (MailFailedException e) {
            throw failed(tenant, first.kind(), e);
        }
    }

    /** Connects to the server without sending; fails as sending would. */
    public void probe(Tenant tenant, MailKind kind) {
        limits.count(tenant, 1);
        if (tenant.auth().hooks() != null && tenant.auth().hooks().sendEmail() != null) {
            return;
        }
        try {
            sender.probe(CallOwner.of(tenant), servers.of(tenant));
        } catch (MailFailedException e) {
            throw failed(tenant, kind, e);
        }
    }

    private static AuthError failed(Tenant tenant, MailKind kind, MailFailedException failure) {
        Cause why = failure.why();
        // Without addresses, and without answers of servers, which repeat them.
        LOG.warnf("%s: a %s mail was not sent: %s", tenant.ref(), kind.words(), why);
        if (why == Cause.RECIPIENT || why == Cause.ALPHABET) {
            return AuthErrorCode.EMAIL_ADDRESS_INVALID.error("Email address cannot be used: " + failure.getMessage());
        }
        boolean passing = why == Cause.BUSY || why == Cause.TOO_SLOW || why == Cause.UNREACHABLE;
        return (passing ? AuthErrorCode.UNAVAILABLE : AuthErrorCode.UNEXPECTED_FAILURE)
                .error("Error sending " + kind.words() + " email: " + failure.getMessage() + ". Nothing was changed.");
    }

    /** GoTrue crosses the names: {@code token_hash} belongs to {@code token_new} where there are two. */
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
