package svc.auth.mfa;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.http.CallContext;
import svc.auth.model.Factor;
import svc.auth.model.User;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.FactorRows;
import svc.auth.rows.FactorRows.NewFactor;
import svc.auth.rows.Users;
import svc.auth.secret.FactorSecrets;
import svc.auth.session.Bearer;
import svc.platform.tenancy.Tenant;

/** {@code POST /factors} and {@code DELETE /factors/{id}}: enrolls and unenrolls second factors of the current user. */
public final class FactorEnrollment {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** A factor that is not verified by then is deleted with the next enrollment. */
    private static final Duration UNVERIFIED_LIFE = Duration.ofMinutes(5);

    /** The capacity of a QR code, less issuer and secret. */
    private static final int MAX_ACCOUNT_BYTES = 512;

    private final AuthTransactions transactions;
    private final FactorSecrets secrets;
    private final Clock clock;

    public FactorEnrollment(AuthTransactions transactions, FactorSecrets secrets, Clock clock) {
        this.transactions = transactions;
        this.secrets = secrets;
        this.clock = clock;
    }

    public AuthResponse enroll(AuthRequest call) {
        return switch (EnrollRequest.parse(call)) {
            case EnrollRequest.App app -> enrollApp(app);
            case EnrollRequest.Phone phone -> enrollPhone(phone);
        };
    }

    private AuthResponse enrollApp(EnrollRequest.App request) {
        Tenant tenant = request.context().tenant();
        Totp totp = Totp.random();
        String sealed = secrets.seal(tenant, totp.secret());
        var factor = new NewFactor(UUID.randomUUID(), request.friendlyName(), Factor.Type.TOTP, sealed, "");
        User user = write(request.context(), factor);
        String uri = totp.uri(request.issuer().orElseGet(() -> site(tenant)), account(user));
        ObjectNode body = json(factor);
        body.putObject("totp")
                .put("qr_code", QrImage.svg(uri))
                .put("secret", totp.secret())
                .put("uri", uri);
        return AuthResponse.ok(body).with("Cache-Control", "no-store");
    }

    private AuthResponse enrollPhone(EnrollRequest.Phone request) {
        var factor = new NewFactor(UUID.randomUUID(), request.friendlyName(), Factor.Type.PHONE, "", request.phone());
        write(request.context(), factor);
        return AuthResponse.ok(json(factor).put("phone", request.phone()));
    }

    private static ObjectNode json(NewFactor factor) {
        return JSON.objectNode()
                .put("id", factor.id().toString())
                .put("type", factor.type().word())
                .put("friendly_name", factor.name());
    }

    private User write(CallContext context, NewFactor factor) {
        return transactions.run(context.tenant(), db -> {
            UUID id = Bearer.of(context, db, clock).userId();
            // Without the lock concurrent enrollments would exceed the maximum.
            new Users(db).lock(id);
            var factors = new FactorRows(db);
            factors.deleteStale(id, clock.instant().minus(UNVERIFIED_LIFE));
            if (factor.type() == Factor.Type.PHONE) {
                factors.deleteUnverified(id, factor.phone());
            }
            Bearer bearer = Bearer.of(context, db, clock);
            bearer.requireIdentified();
            requireAllowed(context.tenant(), bearer, factor);
            factors.insert(id, factor, clock.instant());
            new AuditLog(db).record(AuditLog.Action.FACTOR_IN_PROGRESS, bearer.user());
            return bearer.user();
        });
    }

    private static void requireAllowed(Tenant tenant, Bearer bearer, NewFactor factor) {
        User user = bearer.user();
        for (Factor other : user.factors()) {
            if (!factor.name().isBlank() && other.friendlyName().equals(Optional.of(factor.name()))) {
                throw AuthErrorCode.FACTOR_NAME_CONFLICT.error(
                        "A factor with the friendly name \"" + factor.name() + "\" for this user already exists");
            }
            if (factor.type() == Factor.Type.PHONE && other.phone().equals(Optional.of(factor.phone()))) {
                throw AuthErrorCode.PHONE_FACTOR_EXISTS.error();
            }
        }
        if (user.factors().size() >= tenant.auth().mfa().maxFactors()) {
            throw AuthErrorCode.TOO_MANY_FACTORS.error();
        }
        if (user.hasVerifiedFactor() && !bearer.session().isAal2()) {
            throw AuthErrorCode.AAL2_REQUIRED_TO_ENROLL.error();
        }
    }

    /** The default issuer that an authenticator app shows. */
    private static String site(Tenant tenant) {
        String site = tenant.auth().siteUrl();
        String host = URI.create(site == null ? tenant.authUrl() : site).getHost();
        return host == null ? tenant.ref() : host;
    }

    private static String account(User user) {
        return user.email()
                .or(user::phone)
                .filter(name -> URLEncoder.encode(name, StandardCharsets.UTF_8).length() <= MAX_ACCOUNT_BYTES)
                .orElseGet(() -> user.id().toString());
    }

    public AuthResponse unenroll(AuthRequest call) {
        UUID id = call.pathId(0, "factor_id");
        CallContext context = call.context();
        return transactions.run(context.tenant(), db -> {
            Bearer bearer = Bearer.of(context, db, clock);
            var factors = new FactorRows(db);
            Factor factor = factors.locked(id, bearer.userId()).orElseThrow(AuthErrorCode.FACTOR_NOT_FOUND::error);
            if (factor.verified() && !bearer.session().isAal2()) {
                throw AuthErrorCode.AAL2_REQUIRED_TO_UNENROLL.error();
            }
            factors.delete(id);
            new AuditLog(db).record(AuditLog.Action.FACTOR_UNENROLLED, bearer.user());
            return AuthResponse.ok(JSON.objectNode().put("id", id.toString()));
        });
    }
}
