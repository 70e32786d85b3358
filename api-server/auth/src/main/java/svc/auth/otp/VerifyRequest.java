package svc.auth.otp;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.CallContext;
import svc.auth.model.EmailAddress;
import svc.auth.rows.OneTimeTokens.Type;

/**
 * A request that shows what was mailed to an address.
 *
 * @param type of the link, as GoTrue names it
 */
record VerifyRequest(CallContext context, String type, Proof proof) {
    /** The types of links, and the tokens that they accept. */
    private static final Map<String, List<Type>> TYPES = Map.of(
            "signup", List.of(Type.CONFIRMATION),
            "invite", List.of(Type.CONFIRMATION),
            "magiclink", List.of(Type.RECOVERY),
            "recovery", List.of(Type.RECOVERY),
            "email", List.of(Type.CONFIRMATION, Type.RECOVERY),
            "email_change", List.of(Type.EMAIL_CHANGE_NEW, Type.EMAIL_CHANGE_CURRENT));

    /** Methods of PKCE flows, as the claim {@code amr} names them, where they are not the type. */
    private static final Map<String, String> METHODS = Map.of("signup", "email/signup", "email", "magiclink");

    /** The secret of a link, or a code with its address. */
    sealed interface Proof {
        record Link(String tokenHash) implements Proof {}

        record Code(String email, String code) implements Proof {}
    }

    static VerifyRequest parse(AuthRequest request) {
        String type = request.text("type").orElseThrow(VerifyRequest::noType);
        Optional<String> tokenHash = request.text("token_hash");
        Optional<String> code = request.text("token");
        Optional<String> email = request.text("email");
        if (tokenHash.isPresent()) {
            if (code.isPresent() || email.isPresent()) {
                throw AuthError.invalid("Only the token_hash and type should be provided");
            }
            return of(request, type, new Proof.Link(tokenHash.get()));
        }
        String given = code.orElseThrow(VerifyRequest::noToken);
        String address = email.orElseThrow(
                () -> AuthError.invalid("Only an email address or phone number should be provided on verify"));
        return of(request, type, new Proof.Code(EmailAddress.of(address), given));
    }

    /** The query of a link in a mail. */
    static VerifyRequest parseLink(AuthRequest request) {
        String type = request.parameter("type").orElseThrow(VerifyRequest::noType);
        String token = request.parameter("token")
                .or(() -> request.parameter("token_hash"))
                .orElseThrow(VerifyRequest::noToken);
        Optional<String> email = request.parameter("email");
        return of(
                request,
                type,
                email.isPresent() ? new Proof.Code(EmailAddress.of(email.get()), token) : new Proof.Link(token));
    }

    private static VerifyRequest of(AuthRequest request, String type, Proof proof) {
        if (!TYPES.containsKey(type)) {
            throw noType();
        }
        return new VerifyRequest(request.context(), type, proof);
    }

    List<Type> types() {
        return TYPES.get(type);
    }

    String method() {
        return METHODS.getOrDefault(type, type);
    }

    /** GoTrue's words for a code, and for a link, that is not or no longer valid. */
    AuthError expired() {
        return switch (proof) {
            case Proof.Code code -> AuthErrorCode.OTP_EXPIRED.error();
            case Proof.Link link -> AuthErrorCode.OTP_EXPIRED.error("Email link is invalid or has expired");
        };
    }

    private static AuthError noType() {
        return AuthError.invalid(
                "Verify requires a verification type: signup, invite, magiclink, recovery, email_change or email");
    }

    private static AuthError noToken() {
        return AuthError.invalid("Verify requires a token or a token hash");
    }
}
