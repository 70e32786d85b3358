package svc.auth.otp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.limit.AuthLimits;
import svc.auth.mail.Mailer;
import svc.auth.model.EmailAddress;
import svc.auth.model.UserJson;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Users;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code POST /resend}: the mail of a sign-up or of a change of address once more. Nothing tells whether one was due. */
public final class Resend {
    private final AuthTransactions transactions;
    private final OneTimeMails mails;
    private final AuthLimits limits;

    public Resend(AuthTransactions transactions, OneTimeMails mails, AuthLimits limits) {
        this.transactions = transactions;
        this.mails = mails;
        this.limits = limits;
    }

    public AuthAnswer answer(AuthRequest request) {
        limits.signUpOrIn(request);
        String type = request.text("type")
                .orElseThrow(
                        () -> AuthError.invalid("Missing one of these types: signup, email_change, sms, phone_change"));
        if (type.equals("sms") || type.equals("phone_change")) {
            throw AuthError.invalid("Type provided requires a phone number");
        }
        if (!type.equals("signup") && !type.equals("email_change")) {
            throw AuthError.invalid("Missing one of these types: signup, email_change, sms, phone_change");
        }
        String address = EmailAddress.of(
                request.text("email").orElseThrow(() -> AuthError.invalid("Type provided requires an email address")));
        if (!request.tenant().auth().email().enabled()) {
            throw AuthErrorCode.EMAIL_LOGIN_DISABLED.error();
        }
        try (Mailer.Turn turn = mails.turn(request)) {
            return transactions.run(request.tenant(), rows -> {
                Optional<JsonNode> user = new Users(rows).byEmail(address);
                if (type.equals("signup")) {
                    confirmation(request, rows, user.filter(found -> !EmailConfirmation.isConfirmed(found)), address);
                } else {
                    change(request, rows, user, address);
                }
                return new Outcome<>(AuthAnswer.ok(JsonNodeFactory.instance.objectNode()), true);
            });
        }
    }

    private void confirmation(AuthRequest request, AuthSession rows, Optional<JsonNode> waiting, String address) {
        if (waiting.isEmpty()) {
            mails.pretend(request, EmailUse.SIGN_UP, address);
            return;
        }
        new AuditLog(rows).record(AuditLog.Action.USER_CONFIRMATION_REQUESTED, waiting.get());
        mails.send(request, rows, waiting.get(), EmailUse.SIGN_UP);
    }

    private void change(AuthRequest request, AuthSession rows, Optional<JsonNode> user, String address) {
        Optional<String> to =
                user.map(found -> UserJson.text(found, "email_change")).filter(wanted -> !wanted.isEmpty());
        if (to.isEmpty()) {
            mails.pretendChange(request, address);
            return;
        }
        var columns = mails.sendChange(request, rows, user.get(), to.get());
        new Users(rows).update(UUID.fromString(user.get().path("id").asText()), columns);
    }
}
