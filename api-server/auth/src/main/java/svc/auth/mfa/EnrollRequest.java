package svc.auth.mfa;

import java.util.Optional;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.CallContext;
import svc.auth.phone.PhoneNumber;
import svc.crds.project.auth.MfaSpec;

/** The body of {@code POST /factors}, of a type that the project allows. */
sealed interface EnrollRequest {
    int MAX_NAME_CHARACTERS = 128;
    int MAX_ISSUER_CHARACTERS = 64;

    CallContext context();

    /** Empty without one. */
    String friendlyName();

    /** @param issuer for the authenticator app; empty for the project's site */
    record App(CallContext context, String friendlyName, Optional<String> issuer) implements EnrollRequest {}

    record Phone(CallContext context, String friendlyName, String phone) implements EnrollRequest {}

    static EnrollRequest parse(AuthRequest request) {
        MfaSpec spec = request.tenant().auth().mfa();
        String type = request.text("factor_type").orElse("");
        String name = text(request, "friendly_name", MAX_NAME_CHARACTERS).orElse("");
        return switch (type) {
            case "totp" -> {
                require(spec.totp(), AuthErrorCode.TOTP_ENROLL_DISABLED);
                yield new App(request.context(), name, text(request, "issuer", MAX_ISSUER_CHARACTERS));
            }
            case "phone" -> {
                require(spec.phone(), AuthErrorCode.PHONE_ENROLL_DISABLED);
                yield new Phone(request.context(), name, phone(request));
            }
            case "webauthn" -> throw AuthErrorCode.WEBAUTHN_ENROLL_DISABLED.error();
            default -> throw AuthError.invalid("factor_type needs to be totp, phone, or webauthn");
        };
    }

    private static void require(boolean enabled, AuthErrorCode disabled) {
        if (!enabled) {
            throw disabled.error();
        }
    }

    private static String phone(AuthRequest request) {
        return PhoneNumber.of(request.text("phone")
                .orElseThrow(() -> AuthError.invalid("Phone number required to enroll phone factor")));
    }

    private static Optional<String> text(AuthRequest request, String name, int max) {
        Optional<String> text = request.text(name);
        if (text.filter(value -> value.length() > max).isPresent()) {
            throw AuthError.invalid(name + " is longer than " + max + " characters");
        }
        return text;
    }
}
