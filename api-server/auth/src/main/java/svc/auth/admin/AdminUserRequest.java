package svc.auth.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRequest;
import svc.auth.model.EmailAddress;
import svc.auth.model.Metadata;
import svc.auth.password.PasswordHashes;
import svc.auth.phone.PhoneNumber;

/**
 * The body of {@code POST} and {@code PUT /admin/users}; every field is optional.
 *
 * @param id of a new user
 * @param passwordHash a hash from another system, in PHC form or bcrypt
 */
record AdminUserRequest(
        Optional<UUID> id,
        Optional<String> email,
        Optional<String> phone,
        Optional<String> password,
        Optional<String> passwordHash,
        Optional<String> role,
        Optional<Ban> ban,
        boolean confirmEmail,
        boolean confirmPhone,
        Optional<ObjectNode> userMetadata,
        Optional<ObjectNode> appMetadata) {
    private static final Pattern ROLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    /** As Go writes a duration: {@code 24h}, {@code 1h30m}, {@code 10s}. */
    private static final Pattern DURATION = Pattern.compile("(?:([0-9]{1,7})h)?(?:([0-9]{1,7})m)?(?:([0-9]{1,7})s)?");

    /** A change of the ban. */
    sealed interface Ban {
        record None() implements Ban {}

        record For(Duration duration) implements Ban {}
    }

    static AdminUserRequest parse(AuthRequest request) {
        Optional<String> email = request.text("email").map(EmailAddress::of);
        Optional<String> phone = request.text("phone").map(PhoneNumber::of);
        Optional<String> password = request.text("password");
        Optional<String> hash = request.text("password_hash");
        if (password.isPresent() && hash.isPresent()) {
            throw AuthError.invalid("Only a password or a password hash should be provided");
        }
        hash.ifPresent(AdminUserRequest::requireVerifiable);
        return new AdminUserRequest(
                request.text("id").map(AdminUserRequest::parseId),
                email,
                phone,
                password,
                hash,
                request.text("role").map(AdminUserRequest::parseRole),
                request.text("ban_duration").map(AdminUserRequest::parseBan),
                request.flag("email_confirm").orElse(false),
                request.flag("phone_confirm").orElse(false),
                Metadata.of(request, "user_metadata"),
                Metadata.of(request, "app_metadata"));
    }

    private static void requireVerifiable(String hash) {
        switch (PasswordHashes.judge(hash)) {
            case ACCEPTED -> {}
            case UNKNOWN_FORM -> throw AuthError.invalid("password_hash is neither bcrypt nor argon2i or argon2id");
            case TOO_COSTLY ->
                throw AuthError.invalid("password_hash costs too much to be checked: the maximum is cost 12 for bcrypt,"
                        + " and m=65536, t=10, p=16 with m times t of 262144 for argon2");
        }
    }

    private static UUID parseId(String text) {
        return AuthRequest.uuid(text).orElseThrow(() -> AuthError.invalid("ID must conform to the uuid v4 format"));
    }

    private static String parseRole(String role) {
        if (!ROLE.matcher(role).matches()) {
            throw AuthError.invalid("role is a name of letters, digits and underscores");
        }
        return role;
    }

    private static Ban parseBan(String text) {
        if (text.equals("none")) {
            return new Ban.None();
        }
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw AuthError.invalid("invalid format for ban duration: write 24h, 1h30m, 10s, or none");
        }
        return new Ban.For(
                Duration.ofHours(part(parts, 1)).plusMinutes(part(parts, 2)).plusSeconds(part(parts, 3)));
    }

    private static long part(Matcher parts, int group) {
        return parts.group(group) == null ? 0 : Long.parseLong(parts.group(group));
    }

    /** Without personal data and passwords. */
    @Override
    public String toString() {
        return "AdminUserRequest";
    }
}
