package svc.auth.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A row of {@code auth.users} with its identities and factors.
 *
 * @param audience the claim {@code aud} of the user's tokens
 * @param email in lower case
 * @param phone E.164 without the plus
 * @param passwordHash in PHC form or bcrypt; empty for a user without a password
 * @param identities the oldest first
 * @param factors the oldest first, without their secrets
 * @param anonymous whether the user has no identity
 */
public record User(
        UUID id,
        String audience,
        String role,
        Optional<String> email,
        Optional<String> phone,
        Optional<String> passwordHash,
        PendingChange pending,
        Map<UserTime, Timestamp> times,
        ObjectNode appMetadata,
        ObjectNode userMetadata,
        List<Identity> identities,
        List<Factor> factors,
        boolean anonymous) {
    public User {
        times = Map.copyOf(times);
        identities = List.copyOf(identities);
        factors = List.copyOf(factors);
    }

    /**
     * A change of address or number that is not confirmed yet.
     *
     * @param emailConfirmations how many of the two addresses have confirmed
     */
    public record PendingChange(Optional<String> email, int emailConfirmations, Optional<String> phone) {
        public static final PendingChange NONE = new PendingChange(Optional.empty(), 0, Optional.empty());
    }

    /** The same user with these {@code user_metadata}. */
    public User withUserMetadata(ObjectNode metadata) {
        return new User(
                id,
                audience,
                role,
                email,
                phone,
                passwordHash,
                pending,
                times,
                appMetadata,
                metadata,
                identities,
                factors,
                anonymous);
    }

    public Optional<Timestamp> time(UserTime time) {
        return Optional.ofNullable(times.get(time));
    }

    public boolean emailConfirmed() {
        return times.containsKey(UserTime.EMAIL_CONFIRMED);
    }

    public boolean phoneConfirmed() {
        return times.containsKey(UserTime.PHONE_CONFIRMED);
    }

    /** Whether there is an address or a number, by which the user can sign in again. */
    public boolean isReachable() {
        return email.isPresent() || phone.isPresent();
    }

    /** Whether the owner of the address or of the number has ever answered a message. */
    public boolean isConfirmed() {
        return emailConfirmed() || phoneConfirmed();
    }

    /** An address that is not confirmed may be another person's. */
    public boolean hasUnconfirmedEmail() {
        return email.isPresent() && !emailConfirmed();
    }

    public boolean isBanned(Instant now) {
        return time(UserTime.BANNED_UNTIL)
                .filter(until -> until.instant().isAfter(now))
                .isPresent();
    }

    public boolean hasIdentity(String provider) {
        return identities.stream().anyMatch(identity -> identity.provider().equals(provider));
    }

    public boolean hasVerifiedFactor() {
        return factors.stream().anyMatch(Factor::verified);
    }

    /** Without personal data and hashes. */
    @Override
    public String toString() {
        return "User[" + id + "]";
    }
}
