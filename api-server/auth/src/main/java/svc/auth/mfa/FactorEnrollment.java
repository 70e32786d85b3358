package svc.auth.mfa;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthAnswer;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.model.UserJson;
import svc.auth.phone.PhoneNumber;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthTransactions;
import svc.auth.rows.FactorRows;
import svc.auth.rows.FactorRows.NewFactor;
import svc.auth.rows.Users;
import svc.auth.secret.FactorSecrets;
import svc.auth.session.Bearer;
import svc.crds.project.auth.MfaSpec;
import svc.postgres.flush.TransactionSteps.Outcome;

/** {@code POST /factors}, {@code DELETE /factors/{id}} and {@code /admin/users/{id}/factors}: which second factors a user has. */
public final class FactorEnrollment {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** A factor that nobody has verified by then was left by its user. */
    private static final Duration UNVERIFIED = Duration.ofMinutes(5);

    private static final int MAX_NAME_CHARACTERS = 128;
    private static final int MAX_ISSUER_CHARACTERS = 64;

    /** What is left of a QR code beside the issuer and the secret. */
    private static final int MAX_ACCOUNT_CHARACTERS = 512;

    private final AuthTransactions transactions;
    private final FactorSecrets secrets;
    private final Clock clock;

    public FactorEnrollment(AuthTransactions transactions, FactorSecrets secrets, Clock clock) {
        this.transactions = transactions;
        this.secrets = secrets;
        this.clock = clock;
    }

    public AuthAnswer enroll(AuthRequest request) {
        MfaSpec spec = request.tenant().auth().mfa();
        String type = request.text("factor_type").orElse("");
        String name = bounded(request, "friendly_name", MAX_NAME_CHARACTERS).orElse("");
        return switch (type) {
            case "totp" -> {
                requireEnabled(spec.totp(), AuthErrorCode.TOTP_ENROLL_DISABLED);
                yield enrollApp(request, name);
            }
            case "phone" -> {
                requireEnabled(spec.phone(), AuthErrorCode.PHONE_ENROLL_DISABLED);
                yield enrollPhone(request, name);
            }
            case "webauthn" -> throw AuthErrorCode.WEBAUTHN_ENROLL_DISABLED.error();
            default -> throw AuthError.invalid("factor_type needs to be totp, phone, or webauthn");
        };
    }

    private static void requireEnabled(boolean enabled, AuthErrorCode disabled) {
        if (!enabled) {
            throw disabled.error();
        }
    }

    private static Optional<String> bounded(AuthRequest request, String name, int most) {
        Optional<String> text = request.text(name);
        if (text.filter(value -> value.length() > most).isPresent()) {
            throw AuthError.invalid(name + " is longer than " + most + " characters");
        }
        return text;
    }

    private AuthAnswer enrollApp(AuthRequest request, String name) {
        Optional<String> issuer = bounded(request, "issuer", MAX_ISSUER_CHARACTERS);
        Totp totp = Totp.random();
        String sealed = secrets.seal(request.tenant(), totp.secret());
        var factor = new NewFactor(UUID.randomUUID(), name, "totp", sealed, "");
        JsonNode user = enrolled(request, factor);
        String uri = totp.uri(issuer.orElseGet(() -> site(request)), account(user));
        ObjectNode body = answer(factor);
        body.putObject("totp")
                .put("qr_code", QrImage.svg(uri))
                .put("secret", totp.secret())
                .put("uri", uri);
        return AuthAnswer.ok(body).with("Cache-Control", "no-store");
    }

    private AuthAnswer enrollPhone(AuthRequest request, String name) {
        String phone = PhoneNumber.of(request.text("phone")
                .orElseThrow(() -> AuthError.invalid("Phone number required to enroll phone factor")));
        var factor = new NewFactor(UUID.randomUUID(), name, "phone", "", phone);
        enrolled(request, factor);
        return AuthAnswer.ok(answer(factor).put("phone", phone));
    }

    private static ObjectNode answer(NewFactor factor) {
        return JSON.objectNode()
                .put("id", factor.id().toString())
                .put("type", factor.type())
                .put("friendly_name", factor.name());
    }

    /** The user who has it now. */
    private JsonNode enrolled(AuthRequest request, NewFactor factor) {
        return transactions.run(request.tenant(), rows -> {
            UUID id = Bearer.of(request, rows, clock).id();
            // Two at once would each see room for one more.
            new Users(rows).lock(id);
            var factors = new FactorRows(rows);
            factors.deleteStale(id, clock.instant().minus(UNVERIFIED));
            if (factor.type().equals("phone")) {
                factors.deleteUnverified(id, factor.phone());
            }
            Bearer bearer = Bearer.of(request, rows, clock);
            bearer.requireSomebody();
            requireRoom(request, bearer, factor);
            factors.insert(id, factor, clock.instant());
            new AuditLog(rows).record(AuditLog.Action.FACTOR_IN_PROGRESS, bearer.row());
            return new Outcome<>(bearer.row(), true);
        });
    }

    private static void requireRoom(AuthRequest request, Bearer bearer, NewFactor factor) {
        JsonNode there = bearer.row().path("factors");
        for (JsonNode other : there) {
            if (!factor.name().isBlank() && factor.name().equals(UserJson.text(other, "friendly_name"))) {
                throw nameConflict(factor.name());
            }
            if (factor.type().equals("phone") && factor.phone().equals(UserJson.text(other, "phone"))) {
                throw AuthErrorCode.PHONE_FACTOR_EXISTS.error();
            }
        }
        if (there.size() >= request.tenant().auth().mfa().maxFactors()) {
            throw AuthErrorCode.TOO_MANY_FACTORS.error();
        }
        if (bearer.hasVerifiedFactor() && !bearer.isStrong()) {
            throw AuthErrorCode.AAL2_REQUIRED_TO_ENROLL.error();
        }
    }

    private static AuthError nameConflict(String name) {
        return AuthErrorCode.FACTOR_NAME_CONFLICT.error(
                "A factor with the friendly name \"" + name + "\" for this user already exists");
    }

    /** Who an app says that its codes are for. */
    private static String site(AuthRequest request) {
        String site = request.tenant().auth().siteUrl();
        String host =
                URI.create(site == null ? request.tenant().authUrl() : site).getHost();
        return host == null ? request.tenant().ref() : host;
    }

    private static String account(JsonNode user) {
        String name = UserJson.text(user, "email");
        name = name.isEmpty() ? UserJson.text(user, "phone") : name;
        boolean fits = !name.isEmpty()
                && URLEncoder.encode(name, StandardCharsets.UTF_8).length() <= MAX_ACCOUNT_CHARACTERS;
        return fits ? name : user.path("id").asText();
    }

    public AuthAnswer unenroll(AuthRequest request) {
        UUID id = id(request, 0);
        return transactions.run(request.tenant(), rows -> {
            Bearer bearer = Bearer.of(request, rows, clock);
            JsonNode factor = new FactorRows(rows).locked(id, bearer.id()).orElseThrow(FactorEnrollment::none);
            if (factor.path("status").asText().equals("verified") && !bearer.isStrong()) {
                throw AuthErrorCode.AAL2_REQUIRED_TO_UNENROLL.error();
            }
            new FactorRows(rows).delete(id);
            new AuditLog(rows).record(AuditLog.Action.FACTOR_UNENROLLED, bearer.row());
            return new Outcome<>(AuthAnswer.ok(JSON.objectNode().put("id", id.toString())), true);
        });
    }

    public AuthAnswer listOfUser(AuthRequest request) {
        UUID user = user(request);
        JsonNode row = transactions.run(
                request.tenant(),
                rows -> new Outcome<>(
                        new Users(rows).byId(user).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error), true));
        var factors = JSON.arrayNode();
        row.path("factors").forEach(factor -> factors.add(UserJson.factor(factor)));
        return AuthAnswer.ok(factors);
    }

    public AuthAnswer deleteOfUser(AuthRequest request) {
        UUID user = user(request);
        UUID id = id(request, 1);
        return transactions.run(request.tenant(), rows -> {
            JsonNode row = new Users(rows).byId(user).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
            JsonNode factor = new FactorRows(rows).locked(id, user).orElseThrow(FactorEnrollment::none);
            new FactorRows(rows).delete(id);
            new AuditLog(rows).record(AuditLog.Action.FACTOR_DELETED, row);
            return new Outcome<>(AuthAnswer.ok(UserJson.factor(factor)), true);
        });
    }

    private static UUID user(AuthRequest request) {
        return AuthRequest.uuid(request.place(0))
                .orElseThrow(() -> AuthErrorCode.INVALID_ID_IN_PATH.error("user_id must be an UUID"));
    }

    /** @throws AuthError when it is no id */
    public static UUID id(AuthRequest request, int place) {
        return AuthRequest.uuid(request.place(place))
                .orElseThrow(() -> AuthErrorCode.INVALID_ID_IN_PATH.error("factor_id must be an UUID"));
    }

    public static AuthError none() {
        return AuthErrorCode.FACTOR_NOT_FOUND.error();
    }
}
