package svc.auth.mfa;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import svc.auth.hook.AuthHooks;
import svc.auth.hook.AuthHooks.Verdict;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.limit.AuthLimits;
import svc.auth.model.Factor;
import svc.auth.model.FactorChallenge;
import svc.auth.model.User;
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

/** {@code POST /factors/{id}/challenge} and {@code /verify}: a verified second factor raises the session to aal2. */
public final class FactorChallenges {
    private static final Duration LIFE = Duration.ofMinutes(5);

    /** Longer than the life of a challenge, and than the time in which an accepted code could be accepted again. */
    private static final Duration RETENTION = LIFE.multipliedBy(2);

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
     * A challenge that is written.
     *
     * @param factor as it was before
     * @param code of the message; empty for an authenticator app
     */
    private record Written(UUID id, Instant at, Factor factor, User user, String code) {
        /** Without the code. */
        @Override
        public String toString() {
            return "Written[" + id + "]";
        }
    }

    public AuthResponse challenge(AuthRequest call) {
        UUID factor = call.pathId(0, "factor_id");
        CallContext context = call.context();
        limits.verification(context);
        Written written = transactions.run(context.tenant(), db -> write(context, db, factor));
        if (written.factor().isPhone()) {
            send(context.tenant(), written);
        }
        return AuthResponse.ok(JsonNodeFactory.instance
                .objectNode()
                .put("id", written.id().toString())
                .put("type", written.factor().type().word())
                .put("expires_at", written.at().plus(LIFE).getEpochSecond()));
    }

    private Written write(CallContext context, AuthSession db, UUID id) {
        Tenant tenant = context.tenant();
        Bearer bearer = Bearer.of(context, db, clock);
        var factors = new FactorRows(db);
        Factor factor = factors.locked(id, bearer.userId()).orElseThrow(AuthErrorCode.FACTOR_NOT_FOUND::error);
        requireEnabled(tenant.auth().mfa(), factor);
        requireLevel(bearer, factor);
        String code = "";
        if (factor.isPhone()) {
            PhoneMessages.requireSender(tenant);
            messages.requireInterval(tenant, factor.lastChallenged());
            code = PhoneMessages.code(tenant);
        }
        Instant now = clock.instant();
        UUID challenge = UUID.randomUUID();
        String sealed = factor.isPhone() ? secrets.seal(tenant, challenge + " " + code) : "";
        factors.challenge(challenge, id, now, address(context), sealed, RETENTION);
        new AuditLog(db).record(AuditLog.Action.CHALLENGE_CREATED, bearer.user());
        return new Written(challenge, now, factor, bearer.user(), code);
    }

    private void send(Tenant tenant, Written challenge) {
        try {
            messages.send(tenant, challenge.user(), challenge.factor().phone().orElse(""), challenge.code());
        } catch (AuthError e) {
            // The user may request another message at once.
            transactions.run(tenant, db -> {
                new FactorRows(db)
                        .deleteChallenge(challenge.id(), challenge.factor().lastChallenged());
                return challenge;
            });
            throw e;
        }
    }

    private static void requireEnabled(MfaSpec spec, Factor factor) {
        if (factor.isPhone() && !spec.phone()) {
            throw AuthErrorCode.PHONE_VERIFY_DISABLED.error();
        }
        if (!factor.isPhone() && !spec.totp()) {
            throw AuthErrorCode.TOTP_VERIFY_DISABLED.error();
        }
    }

    /**
     * A factor that was enrolled before another was verified must not replace it: a caller with the password alone could
     * otherwise verify its own factor.
     */
    private static void requireLevel(Bearer bearer, Factor factor) {
        if (!factor.verified()
                && bearer.user().hasVerifiedFactor()
                && !bearer.session().isAal2()) {
            throw AuthErrorCode.AAL2_REQUIRED_TO_VERIFY.error();
        }
    }

    private record VerifyRequest(CallContext context, UUID factor, UUID challenge, String code) {
        static VerifyRequest parse(AuthRequest request) {
            UUID factor = request.pathId(0, "factor_id");
            UUID challenge = request.text("challenge_id")
                    .flatMap(AuthRequest::uuid)
                    .orElseThrow(() -> AuthError.invalid("challenge_id must be an UUID"));
            String code = request.text("code").orElseThrow(() -> AuthError.invalid("code needs to be non-empty"));
            return new VerifyRequest(request.context(), factor, challenge, code);
        }

        Tenant tenant() {
            return context.tenant();
        }
    }

    /**
     * The check of a code.
     *
     * @param proof the TOTP step of an app's code, an empty text for a message's; empty for a wrong code
     */
    private record Checked(Bearer bearer, Factor factor, Optional<String> proof) {}

    public AuthResponse verify(AuthRequest call) {
        VerifyRequest request = VerifyRequest.parse(call);
        limits.verification(request.context());
        Checked checked = transactions.run(request.tenant(), db -> check(request, db));
        // Counted after the check of the factor's owner: no other user can exhaust the attempts.
        limits.factor(request.context(), request.factor());
        askHook(request.tenant(), checked);
        if (checked.proof().isEmpty()) {
            throw AuthErrorCode.MFA_VERIFICATION_FAILED.error(
                    checked.factor().isPhone() ? "Invalid MFA Phone code entered" : "Invalid TOTP code entered");
        }
        Granted granted = transactions.run(request.tenant(), db -> raise(request, db));
        return grant.answer(request.tenant(), granted);
    }

    private Checked check(VerifyRequest request, AuthSession db) {
        Bearer bearer = Bearer.of(request.context(), db, clock);
        var factors = new FactorRows(db);
        Factor factor =
                factors.locked(request.factor(), bearer.userId()).orElseThrow(AuthErrorCode.FACTOR_NOT_FOUND::error);
        requireEnabled(request.tenant().auth().mfa(), factor);
        requireLevel(bearer, factor);
        FactorChallenge challenge = factors.challenge(request.challenge(), request.factor(), address(request.context()))
                .orElseThrow(AuthErrorCode.CHALLENGE_NOT_FOUND::error);
        if (challenge.answered() || !challenge.sameAddress()) {
            throw AuthErrorCode.CHALLENGE_ADDRESS_MISMATCH.error();
        }
        if (!challenge.created().instant().plus(LIFE).isAfter(clock.instant())) {
            throw AuthErrorCode.CHALLENGE_EXPIRED.error("MFA challenge " + request.challenge()
                    + " has expired, verify against another challenge or create a new challenge.");
        }
        return new Checked(
                bearer,
                factor,
                factor.isPhone() ? checkMessage(request, challenge) : checkApp(request, factor, challenge));
    }

    private Optional<String> checkMessage(VerifyRequest request, FactorChallenge challenge) {
        byte[] expected = challenge
                .sealedCode()
                .flatMap(text -> secrets.open(request.tenant(), text))
                .orElse("")
                .getBytes(StandardCharsets.UTF_8);
        byte[] given = (request.challenge() + " " + request.code()).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, given) ? Optional.of("") : Optional.empty();
    }

    /** A code is accepted once (RFC 6238 §5.2), and no older one after it. */
    private Optional<String> checkApp(VerifyRequest request, Factor factor, FactorChallenge challenge) {
        Totp totp = factor.sealedSecret()
                .flatMap(text -> secrets.open(request.tenant(), text))
                .map(Totp::new)
                .orElseThrow(() -> AuthErrorCode.UNEXPECTED_FAILURE.error(
                        "The secret of the factor cannot be opened: unenroll the factor"));
        OptionalLong step = totp.step(request.code(), clock.instant());
        return step.isPresent() && step.getAsLong() > challenge.lastStep().orElse(-1)
                ? Optional.of(Long.toString(step.getAsLong()))
                : Optional.empty();
    }

    private void askHook(Tenant tenant, Checked checked) {
        UUID user = checked.bearer().userId();
        Verdict verdict = hooks.mfaVerification(
                tenant,
                user,
                checked.factor().id(),
                checked.factor().type().word(),
                checked.proof().isPresent());
        if (verdict instanceof Verdict.Reject rejected) {
            transactions.run(tenant, db -> {
                new Sessions(db).deleteOf(user, Optional.empty());
                return rejected;
            });
            throw AuthErrorCode.MFA_VERIFICATION_REJECTED.error(rejected.message());
        }
    }

    /** Checks again under the factor's lock: of concurrent calls with one code only one gets a session. */
    private Granted raise(VerifyRequest request, AuthSession db) {
        Checked checked = check(request, db);
        String proof = checked.proof()
                .orElseThrow(() ->
                        AuthErrorCode.MFA_VERIFICATION_FAILED.error("This code has been used: wait for the next"));
        var factors = new FactorRows(db);
        factors.passed(request.challenge(), clock.instant(), proof);
        factors.verify(request.factor());
        Bearer bearer = checked.bearer();
        var sessions = new Sessions(db);
        String method = checked.factor().type().method();
        long counter = sessions.raise(bearer.sessionId(), request.factor(), method);
        new AuditLog(db).record(AuditLog.Action.VERIFICATION_ATTEMPTED, bearer.user());
        return new Granted(
                new Users(db).byId(bearer.userId()).orElseThrow(),
                sessions.byId(bearer.sessionId()).orElseThrow(),
                counter,
                method);
    }

    /** For PostgreSQL: empty when it is unknown; without an interface's name, which is meaningless elsewhere. */
    private static String address(CallContext context) {
        String address = context.address();
        int zone = address.indexOf('%');
        String plain = zone < 0 ? address : address.substring(0, zone);
        return plain.equals("unknown") ? "" : plain;
    }
}
