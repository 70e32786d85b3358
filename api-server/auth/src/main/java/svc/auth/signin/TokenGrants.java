package svc.auth.signin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import svc.auth.captcha.Captcha;
import svc.auth.hook.AuthHooks;
import svc.auth.hook.AuthHooks.Verdict;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthRoutes.Endpoint;
import svc.auth.limit.AuthLimits;
import svc.auth.model.EmailAddress;
import svc.auth.model.UserJson;
import svc.auth.otp.PhoneSignIn;
import svc.auth.password.PasswordHashes;
import svc.auth.password.PasswordRules;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.Sessions;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code POST /token}: a session for a password, for what other grants take, or the next tokens of a session. */
public final class TokenGrants implements Endpoint {
    private static final String REFRESH = "refresh_token";

    private final AuthTransactions transactions;
    private final PasswordHashes hashes;
    private final PasswordRules rules;
    private final SessionGrant grant;
    private final AuthLimits limits;
    private final Captcha captcha;
    private final AuthHooks hooks;
    private final Clock clock;
    private final RefreshGrant refresh;
    private final Map<String, Endpoint> more;

    /** @param more further grants, by their types */
    public TokenGrants(
            AuthTransactions transactions,
            PasswordHashes hashes,
            PasswordRules rules,
            SessionGrant grant,
            AuthLimits limits,
            Captcha captcha,
            AuthHooks hooks,
            Clock clock,
            RefreshGrant refresh,
            Map<String, Endpoint> more) {
        this.transactions = transactions;
        this.hashes = hashes;
        this.rules = rules;
        this.grant = grant;
        this.limits = limits;
        this.captcha = captcha;
        this.hooks = hooks;
        this.clock = clock;
        this.refresh = refresh;
        this.more = Map.copyOf(more);
    }

    @Override
    public AuthAnswer answer(AuthRequest request) {
        String type = request.parameter("grant_type").orElse("");
        return switch (type) {
            case "password" -> byPassword(request);
            case REFRESH -> AuthTransactions.await(refresh.answer(request));
            default -> {
                if (!more.containsKey(type)) {
                    throw AuthErrorCode.INVALID_CREDENTIALS.error("unsupported_grant_type");
                }
                yield more.get(type).answer(request);
            }
        };
    }

    /** Only what clients do on their own again and again. */
    @Override
    public Optional<CompletableFuture<AuthAnswer>> begin(AuthRequest request) {
        return request.parameter("grant_type").filter(REFRESH::equals).map(type -> refresh.answer(request));
    }

    private AuthAnswer byPassword(AuthRequest request) {
        boolean byEmail = request.text("email").isPresent();
        String account = account(request);
        String password = request.text("password").orElseThrow(AuthErrorCode.INVALID_CREDENTIALS::error);
        limits.password(request, account);
        captcha.require(request);
        // Not in a transaction: hashing takes a hundred times as long as all statements together.
        Optional<JsonNode> found = transactions.run(
                request.tenant(),
                rows -> new Outcome<>(
                        byEmail ? new Users(rows).byEmail(account) : new Users(rows).byPhone(account), true));
        Optional<String> hash =
                found.map(row -> UserJson.text(row, "encrypted_password")).filter(text -> !text.isEmpty());
        boolean valid = hashes.matches(password, hash);
        found.ifPresent(user -> judged(request, user, valid));
        if (!valid) {
            throw AuthErrorCode.INVALID_CREDENTIALS.error();
        }
        limits.signedIn(request, account);
        JsonNode user = found.orElseThrow();
        if (Bearer.isBanned(user, clock)) {
            throw AuthErrorCode.GRANT_OF_BANNED_USER.error();
        }
        if (byEmail && UserJson.text(user, "email_confirmed_at").isEmpty()) {
            throw AuthErrorCode.EMAIL_NOT_CONFIRMED.error();
        }
        if (!byEmail && UserJson.text(user, "phone_confirmed_at").isEmpty()) {
            throw AuthErrorCode.PHONE_NOT_CONFIRMED.error();
        }
        Optional<String> renewed = hash.filter(hashes::isOld).map(old -> hashes.hash(password));
        Granted granted = transactions.run(request.tenant(), rows -> signedIn(request, rows, user, hash, renewed));
        AuthAnswer answer = grant.answer(request.tenant(), granted);
        // Rules that came later lock nobody out: an application may ask for a better one.
        rules.weakness(request.tenant().auth().password(), password)
                .ifPresent(weak -> weak.describe((ObjectNode) answer.body().orElseThrow()));
        return answer;
    }

    /** The address or the number that a call names, as it is kept. */
    private static String account(AuthRequest request) {
        Optional<String> email = request.text("email");
        if (email.isPresent()) {
            if (!request.tenant().auth().email().enabled()) {
                throw AuthErrorCode.EMAIL_LOGIN_DISABLED.error();
            }
            return EmailAddress.of(email.get());
        }
        if (request.text("phone").isEmpty()) {
            throw AuthError.invalid("missing email or phone");
        }
        return PhoneSignIn.number(request, AuthErrorCode.PHONE_LOGIN_DISABLED);
    }

    /** Lets the project decide on a try. */
    private void judged(AuthRequest request, JsonNode user, boolean valid) {
        UUID id = UUID.fromString(user.path("id").asText());
        if (hooks.passwordVerification(request.tenant(), id, valid) instanceof Verdict.Reject refused) {
            if (refused.endSessions()) {
                transactions.run(request.tenant(), rows -> {
                    new Sessions(rows).deleteOf(id, Optional.empty());
                    return new Outcome<>(true, true);
                });
            }
            throw AuthErrorCode.INVALID_CREDENTIALS.error(refused.message());
        }
    }

    private Outcome<Granted> signedIn(
            AuthRequest request, AuthSession rows, JsonNode user, Optional<String> hash, Optional<String> renewed) {
        UUID id = UUID.fromString(user.path("id").asText());
        var users = new Users(rows);
        // It may have been changed, or the user deleted, while the password was being checked.
        boolean unchanged = users.byId(id)
                .map(now -> UserJson.text(now, "encrypted_password"))
                .equals(hash);
        if (!unchanged) {
            throw AuthErrorCode.INVALID_CREDENTIALS.error();
        }
        renewed.ifPresent(
                text -> users.update(id, JsonNodeFactory.instance.objectNode().put("encrypted_password", text)));
        new AuditLog(rows).record(AuditLog.Action.LOGIN, user);
        return new Outcome<>(grant.begin(request, rows, id, "password"), true);
    }
}
