package svc.auth.user;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.auth.http.CallContext;
import svc.auth.model.EmailAddress;
import svc.auth.model.Metadata;
import svc.auth.otp.LinkTarget;
import svc.auth.phone.PhoneNumber;
import svc.auth.redirect.RedirectTargets;

/**
 * {@code PUT /user}: the fields that the user wants to change.
 *
 * @param data members of the user's metadata; null removes one
 * @param password new one
 * @param currentPassword as far as the project requires it
 * @param nonce code of {@code /reauthenticate}
 * @param target of the link in a mail about a new address
 */
record UserChange(
        CallContext context,
        Optional<String> email,
        Optional<String> phone,
        Optional<String> password,
        Optional<String> currentPassword,
        Optional<String> nonce,
        Optional<ObjectNode> data,
        LinkTarget target) {
    static UserChange parse(AuthRequest request, RedirectTargets redirects) {
        Optional<String> email = request.text("email").map(EmailAddress::of);
        Optional<String> password = request.text("password");
        Optional<ObjectNode> data = Metadata.of(request, "data");
        Optional<String> phone =
                request.text("phone").map(text -> PhoneNumber.of(request, AuthErrorCode.PHONE_SIGNUP_DISABLED));
        if (request.body().has("app_metadata")) {
            throw AuthErrorCode.NOT_ADMIN.error();
        }
        boolean sends = email.isPresent() || phone.isPresent();
        return new UserChange(
                request.context(),
                email,
                phone,
                password,
                request.text("current_password"),
                request.text("nonce"),
                data,
                sends ? LinkTarget.of(request, redirects) : LinkTarget.implicit(redirects.of(request)));
    }

    /** Whether the change needs the second factor of a user who has one. */
    boolean isSensitive() {
        return email.isPresent() || password.isPresent() || phone.isPresent();
    }

    /** Whether it brings an address or a number. */
    boolean names() {
        return email.isPresent() || phone.isPresent();
    }

    /** Without passwords. */
    @Override
    public String toString() {
        return "UserChange";
    }
}
