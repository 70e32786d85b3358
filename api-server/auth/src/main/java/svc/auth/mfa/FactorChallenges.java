package svc.auth.mfa;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import svc.auth.hook.AuthHooks;
import svc.auth.hook.AuthHooks.Verdict;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.limit.AuthLimits;
import svc.auth.model.UserJson;
import svc.auth.phone.PhoneMessages;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.FactorRows;
import svc.auth.rows.Sessions;
import svc.auth.rows.Users;
import svc.auth.secret.FactorSecrets;
import svc.auth.session.Bearer;
import svc.auth.session.SessionGrant;
import svc.auth.session.SessionGrant.Granted;
import svc.crds.project.auth.MfaSpec;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code /factors/{id}/challenge} and {@code /verify}: a user proves a second factor, and the session is of level aal2. */
public final class FactorChallenges {
    private static final Duration LIFE = Duration.ofMinutes(5);

    /** Longer than a challenge lives, and longer than a code that was taken could be taken again. */
    private static final Duration KEPT = LIFE.multipliedBy(2);

    private final AuthTransactions transactions;
    private final FactorSecrets secrets;
    private final PhoneMessages messages;
    private final SessionGrant grant;
    private final AuthHooks hooks;
    private final AuthLimits limits;
    private final Clock clock;

    public FactorChallenges(
            AuthTransactions transactions,
            FactorSecrets secrets,
            PhoneMessages messages,
            SessionGrant grant,
            AuthHooks hooks,
            AuthLimits limits,
            Clock clock) {
        this.transactions = transactions;
        this.secrets = secrets;
        this.messages = messages;
        this.grant = grant;
        this.hooks = hooks;
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * What a challenge was written with.
     *
     * @param before when the factor was challenged before; empty for never
     * @param code of a message; empty for an app
     */
    private record Challenge(UUID id, Instant at, JsonNode factor, JsonNode user, String before, String code) {}

    public AuthAnswer challenge(AuthRequest request) {
        UUID factor = FactorEnrollment.id(request, 0);
        limits.verification(request);
        Challenge made =
                transactions.run(request.tenant(), rows -> new Outcome<>(written(request, rows, factor), true));
        String type = made.factor().path("factor_type").asText();
        if (type.equals("phone")) {
            send(request.tenant(), made);
        }
        return AuthAnswer.ok(JsonNodeFactory.instance
                .objectNode()
                .put("id", made.id().toString())
                .put("type", type)
                .put("expires_at", made.at().plus(LIFE).getEpochSecond()));
    }

    private Challenge written(AuthRequest request, AuthSession rows, UUID id) {
        Bearer bearer = Bearer.of(request, rows, clock);
        var factors = new FactorRows(rows);
        JsonNode factor = factors.locked(id, bearer.id()).orElseThrow(FactorEnrollment::none);
        requireEnabled(request.tenant().auth().mfa(), factor);
        boolean phone = factor.path("factor_type").asText().equals("phone");
        String before = UserJson.text(factor, "last_challenged_at");
        String code = "";
        if (phone) {
            PhoneMessages.requireSender(request.tenant());
            messages.requireSpacing(request.tenant(), time(before));
            code = PhoneMessages.code(request.tenant());
        }
        Instant now = clock.instant();
        UUID challenge = UUID.randomUUID();
        String sealed = phone ? secrets.seal(request.tenant(), challenge + " " + code) : "";
        factors.challenge(challenge, id, now, address(request), sealed, KEPT);
        new AuditLog(rows).record(AuditLog.Action.CHALLENGE_CREATED, bearer.row());
        return new Challenge(challenge, now, factor, bearer.row(), before, code);
    }

    private void send(Tenant tenant, Challenge made) {
        try {
            messages.send(
                    tenant,
                    UserJson.of(made.user()),
                    made.factor().path("phone").asText(),
                    made.code());
        } catch (AuthError e) {
            // The user may ask for another at once.
            transactions.run(tenant, rows -> {
                new FactorRows(rows).deleteChallenge(made.id(), made.before());
                return new Outcome<>(true, true);
            });
            throw e;
        }
    }

    private static void requireEnabled(MfaSpec spec, JsonNode factor) {
        boolean phone = factor.path("factor_type").asText().equals("phone");
        if (phone ? !spec.phone() : !spec.totp()) {
            throw (phone ? AuthErrorCode.PHONE_VERIFY_DISABLED : AuthErrorCode.TOTP_VERIFY_DISABLED).error();
        }
    }

    public AuthAnswer verify(AuthRequest request) {
        UUID factor = FactorEnrollment.id(request, 0);
        UUID challenge = request.text("challenge_id")
                .flatMap(AuthRequest::uuid)
                .orElseThrow(() -> AuthError.invalid("challenge_id must be an UUID"));
        String code = request.text("code").orElseThrow(() -> AuthError.invalid("code needs to be non-empty"));
        limits.verification(request);
        var attempt = new Attempt(factor, challenge, code);
        Tried tried = transactions.run(request.tenant(), rows -> new Outcome<>(tried(request, rows, attempt), true));
        // Whose factor it is was looked at: nobody else can use up the tries of a user.
        limits.factor(request, factor);
        judged(request, tried);
        if (tried.proof().isEmpty()) {
            throw AuthErrorCode.MFA_VERIFICATION_FAILED.error(
                    tried.isPhone() ? "Invalid MFA Phone code entered" : "Invalid TOTP code entered");
        }
        Granted granted =
                transactions.run(request.tenant(), rows -> new Outcome<>(raised(request, rows, attempt), true));
        return grant.answer(request.tenant(), granted);
    }

    private record Attempt(UUID factor, UUID challenge, String code) {}

    /**
     * What a code is worth.
     *
     * @param proof the step of an app's code, empty text for a message's; absent for a wrong code
     */
    private record Tried(Bearer bearer, JsonNode factor, Optional<String> proof) {
        boolean isPhone() {
            return factor.path("factor_type").asText().equals("phone");
        }
    }

    private Tried tried(AuthRequest request, AuthSession rows, Attempt attempt) {
        Bearer bearer = Bearer.of(request, rows, clock);
        var factors = new FactorRows(rows);
        JsonNode factor = factors.locked(attempt.factor(), bearer.id()).orElseThrow(FactorEnrollment::none);
        requireEnabled(request.tenant().auth().mfa(), factor);
        JsonNode challenge = factors.challenge(attempt.challenge(), attempt.factor(), address(request))
                .orElseThrow(() -> AuthErrorCode.CHALLENGE_NOT_FOUND.error());
        if (!challenge.path("verified_at").isNull()
                || !challenge.path("same_address").asBoolean()) {
            throw AuthErrorCode.CHALLENGE_ADDRESS_MISMATCH.error();
        }
        if (time(UserJson.text(challenge, "created_at"))
                .filter(made -> made.plus(LIFE).isAfter(clock.instant()))
                .isEmpty()) {
            throw AuthErrorCode.CHALLENGE_EXPIRED.error("MFA challenge " + attempt.challenge()
                    + " has expired, verify against another challenge or create a new challenge.");
        }
        Optional<String> proof = factor.path("factor_type").asText().equals("phone")
                ? messageProof(request.tenant(), challenge, attempt)
                : appProof(request.tenant(), factor, challenge, attempt);
        return new Tried(bearer, factor, proof);
    }

    private Optional<String> messageProof(Tenant tenant, JsonNode challenge, Attempt attempt) {
        byte[] expected = secrets.open(tenant, UserJson.text(challenge, "otp_code"))
                .orElse("")
                .getBytes(StandardCharsets.UTF_8);
        byte[] given = (attempt.challenge() + " " + attempt.code()).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, given) ? Optional.of("") : Optional.empty();
    }

    /** A code is taken once (RFC 6238 §5.2), and none of before it afterwards. */
    private Optional<String> appProof(Tenant tenant, JsonNode factor, JsonNode challenge, Attempt attempt) {
        Totp totp = secrets.open(tenant, UserJson.text(factor, "secret"))
                .map(Totp::new)
                .orElseThrow(() -> AuthErrorCode.UNEXPECTED_FAILURE.error(
                        "The secret of the factor cannot be opened: unenroll the factor"));
        OptionalLong step = totp.step(attempt.code(), clock.instant());
        long last = challenge.path("last_step").asLong(-1);
        return step.isPresent() && step.getAsLong() > last
                ? Optional.of(Long.toString(step.getAsLong()))
                : Optional.empty();
    }

    /** Lets the project decide on a try. */
    private void judged(AuthRequest request, Tried tried) {
        UUID user = tried.bearer().id();
        Verdict verdict = hooks.mfaVerification(
                request.tenant(),
                user,
                UUID.fromString(tried.factor().path("id").asText()),
                tried.factor().path("factor_type").asText(),
                tried.proof().isPresent());
        if (verdict instanceof Verdict.Reject refused) {
            transactions.run(request.tenant(), rows -> {
                new Sessions(rows).deleteOf(user, Optional.empty());
                return new Outcome<>(true, true);
            });
            throw AuthErrorCode.MFA_VERIFICATION_REJECTED.error(refused.message());
        }
    }

    /** Judges once more, with the factor's row in hand: of two who come with one code, one gets a session for it. */
    private Granted raised(AuthRequest request, AuthSession rows, Attempt attempt) {
        Tried tried = tried(request, rows, attempt);
        String proof = tried.proof()
                .orElseThrow(() ->
                        AuthErrorCode.MFA_VERIFICATION_FAILED.error("This code has been used: wait for the next"));
        var factors = new FactorRows(rows);
        factors.passed(attempt.challenge(), clock.instant(), proof);
        factors.verify(attempt.factor());
        Bearer bearer = tried.bearer();
        var sessions = new Sessions(rows);
        String method = tried.isPhone() ? "mfa/phone" : "totp";
        long counter = sessions.raise(bearer.sessionId(), attempt.factor(), method);
        new AuditLog(rows).record(AuditLog.Action.VERIFICATION_ATTEMPTED, bearer.row());
        return new Granted(
                new Users(rows).byId(bearer.id()).orElseThrow(),
                sessions.byId(bearer.sessionId()).orElseThrow(),
                counter,
                method);
    }

    /** Empty when it is not known; without the name of an interface, which means nothing elsewhere. */
    private static String address(AuthRequest request) {
        String address = request.callerAddress();
        int zone = address.indexOf('%');
        String plain = zone < 0 ? address : address.substring(0, zone);
        return plain.equals("unknown") ? "" : plain;
    }

    private static Optional<Instant> time(String text) {
        return Optional.of(text)
                .filter(there -> !there.isEmpty())
                .map(there -> OffsetDateTime.parse(there).toInstant());
    }
}
