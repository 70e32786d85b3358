package svc.auth.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.UUID;

/**
 * A row of {@code auth.identities}: an account at a provider that signs a user in.
 *
 * @param provider {@code email}, {@code phone}, or the name of an external provider
 * @param subject the provider's id of the user
 * @param data the provider's data of the user
 * @param email the address among these data
 */
public record Identity(
        UUID id,
        UUID userId,
        String provider,
        String subject,
        ObjectNode data,
        Optional<String> email,
        Optional<Timestamp> lastSignIn,
        Optional<Timestamp> created,
        Optional<Timestamp> updated) {
    /** Whether the provider has verified the address. */
    public boolean emailVerified() {
        return data.path("email_verified").asBoolean(false);
    }

    /** Without personal data. */
    @Override
    public String toString() {
        return "Identity[" + id + "]";
    }
}
