package svc.auth.signup;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.CallContext;
import svc.auth.model.EmailAddress;
import svc.auth.model.Metadata;
import svc.auth.otp.LinkTarget;
import svc.auth.phone.PhoneNumber;
import svc.auth.redirect.RedirectTargets;
import svc.crds.project.auth.AuthSpec;

/** The three kinds of {@code POST /signup}, as far as the project allows them. */
sealed interface SignUpRequest {
    CallContext context();

    /** The user's own metadata. */
    ObjectNode data();

    /** @param target of the link in the mail */
    record ByEmail(CallContext context, String email, String password, ObjectNode data, LinkTarget target)
            implements SignUpRequest {}

    record ByPhone(CallContext context, String phone, String password, ObjectNode data) implements SignUpRequest {}

    record Anonymous(CallContext context, ObjectNode data) implements SignUpRequest {}

    /** @throws AuthError for a malformed request, and for a kind that the project has disabled */
    static SignUpRequest parse(AuthRequest request, RedirectTargets redirects) {
        AuthSpec spec = request.tenant().auth();
        Optional<String> email = request.text("email");
        if (email.isEmpty() && request.text("phone").isEmpty()) {
            require(spec.anonymousSignIn(), AuthErrorCode.ANONYMOUS_SIGN_IN_DISABLED);
            require(spec.signUp(), AuthErrorCode.SIGNUP_DISABLED);
            return new Anonymous(request.context(), parseData(request));
        }
        require(spec.signUp(), AuthErrorCode.SIGNUP_DISABLED);
        if (email.isEmpty()) {
            String phone = PhoneNumber.of(request, AuthErrorCode.PHONE_SIGNUP_DISABLED);
            return new ByPhone(request.context(), phone, parsePassword(request), parseData(request));
        }
        require(spec.email().enabled(), AuthErrorCode.EMAIL_SIGNUP_DISABLED);
        String address = EmailAddress.of(email.get());
        String password = parsePassword(request);
        LinkTarget target = spec.email().autoconfirm()
                ? LinkTarget.implicit(redirects.of(request))
                : LinkTarget.of(request, redirects);
        return new ByEmail(request.context(), address, password, parseData(request), target);
    }

    private static void require(boolean enabled, AuthErrorCode disabled) {
        if (!enabled) {
            throw disabled.error();
        }
    }

    private static String parsePassword(AuthRequest request) {
        return request.text("password").orElseThrow(() -> AuthError.invalid("Signup requires a valid password"));
    }

    private static ObjectNode parseData(AuthRequest request) {
        return Metadata.of(request, "data").orElseGet(JsonNodeFactory.instance::objectNode);
    }
}
