package svc.auth.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRequest;
import svc.auth.model.EmailAddress;
import svc.auth.model.Metadata;
import svc.auth.redirect.RedirectTargets;

/**
 * The body of {@code POST /admin/generate_link}.
 *
 * @param password of a sign-up; empty for the other types
 * @param newEmail of a change of address; empty for the other types
 * @param data the user's metadata; empty when it is absent
 * @param redirect an address that the project allows
 */
record LinkRequest(
        Type type,
        String email,
        Optional<String> password,
        Optional<String> newEmail,
        Optional<ObjectNode> data,
        String redirect) {
    /** GoTrue's types. */
    enum Type {
        SIGN_UP("signup"),
        INVITE("invite"),
        MAGIC_LINK("magiclink"),
        RECOVERY("recovery"),
        EMAIL_CHANGE_CURRENT("email_change_current"),
        EMAIL_CHANGE_NEW("email_change_new");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        /** As requests and answers name it. */
        String word() {
            return word;
        }

        private boolean isChange() {
            return this == EMAIL_CHANGE_CURRENT || this == EMAIL_CHANGE_NEW;
        }

        private static Type parse(String text) {
            for (Type type : values()) {
                if (type.word.equals(text)) {
                    return type;
                }
            }
            throw AuthError.invalid("Invalid email action link type requested: use signup, invite, magiclink,"
                    + " recovery, email_change_current or email_change_new");
        }
    }

    static LinkRequest parse(AuthRequest request, RedirectTargets redirects) {
        Type type = Type.parse(request.text("type").orElse(""));
        return new LinkRequest(
                type,
                email(request, "email"),
                type == Type.SIGN_UP ? Optional.of(password(request)) : Optional.empty(),
                type.isChange() ? Optional.of(email(request, "new_email")) : Optional.empty(),
                Metadata.of(request, "data"),
                redirects.of(request));
    }

    static String email(AuthRequest request, String member) {
        return EmailAddress.of(
                request.text(member).orElseThrow(() -> AuthError.invalid("An email address is required: " + member)));
    }

    private static String password(AuthRequest request) {
        return request.text("password").orElseThrow(() -> AuthError.invalid("Signup requires a valid password"));
    }

    ObjectNode metadata() {
        return data.orElseGet(JsonNodeFactory.instance::objectNode);
    }

    /** Without personal data and passwords. */
    @Override
    public String toString() {
        return "LinkRequest[" + type + "]";
    }
}
