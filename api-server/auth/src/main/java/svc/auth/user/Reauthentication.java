package svc.auth.user;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.mail.Mailer;
import svc.auth.model.UserJson;
import svc.auth.otp.EmailConfirmation;
import svc.auth.otp.EmailUse;
import svc.auth.otp.OneTimeChecks;
import svc.auth.otp.OneTimeMails;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.OneTimeTokens;
import svc.auth.session.Bearer;
import svc.auth.token.ProjectTokens;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code GET /reauthenticate}: a code by mail, by which a user shows to be still the same before a password is changed. */
public final class Reauthentication {
    /** A sign-in that is no older needs no code. */
    private static final Duration RECENT = Duration.ofHours(24);

    private final AuthTransactions transactions;
    private final OneTimeMails mails;
    private final OneTimeChecks checks;
    private final ProjectTokens tokens;
    private final Clock clock;

    public Reauthentication(
            AuthTransactions transactions,
            OneTimeMails mails,
            OneTimeChecks checks,
            ProjectTokens tokens,
            Clock clock) {
        this.transactions = transactions;
        this.mails = mails;
        this.checks = checks;
        this.tokens = tokens;
        this.clock = clock;
    }

    public AuthAnswer send(AuthRequest request) {
        try (Mailer.Turn turn = mails.turn(request)) {
            return transactions.run(request.tenant(), rows -> {
                Bearer bearer = Bearer.of(request, rows, clock);
                if (UserJson.text(bearer.row(), "email").isEmpty()) {
                    throw AuthErrorCode.UNPROCESSABLE.error(
                            "Reauthentication requires the user to have an email or a phone number");
                }
                if (!EmailConfirmation.isConfirmed(bearer.row())) {
                    throw AuthErrorCode.REAUTHENTICATION_EMAIL_NOT_CONFIRMED.error();
                }
                new AuditLog(rows).record(AuditLog.Action.USER_REAUTHENTICATE_REQUESTED, bearer.row());
                mails.send(request, rows, bearer.row(), EmailUse.REAUTHENTICATION);
                return new Outcome<>(AuthAnswer.ok(JsonNodeFactory.instance.objectNode()), true);
            });
        }
    }

    /** Whether a change by this session needs a code, where the project wants one. */
    public boolean isDue(Bearer bearer) {
        return OffsetDateTime.parse(bearer.session().path("created_at").asText())
                .toInstant()
                .plus(RECENT)
                .isBefore(clock.instant());
    }

    /** @throws AuthError unless it is the code that was sent to the user last; it is used up then */
    public void require(AuthRequest request, AuthSession rows, Bearer bearer, String nonce) {
        var sent = new OneTimeTokens(rows);
        boolean right =
                sent
                        .byAddress(UserJson.text(bearer.row(), "email"), List.of(OneTimeTokens.Type.REAUTHENTICATION))
                        .stream()
                        .filter(token -> token.user().equals(bearer.id()))
                        .filter(token -> checks.isAlive(request.tenant(), token))
                        .filter(token -> tokens.oneTime(request.tenant())
                                .isCode(
                                        token.hash(),
                                        request.tenant().auth().email().otpLength(),
                                        nonce))
                        .anyMatch(token -> sent.use(token.id()));
        if (!right) {
            throw AuthErrorCode.REAUTHENTICATION_NOT_VALID.error();
        }
    }
}
