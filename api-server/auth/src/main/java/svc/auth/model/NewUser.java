package svc.auth.model;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A user to be created, with its identities.
 *
 * @param email in lower case
 * @param phone E.164 without the plus
 */
public record NewUser(
        UUID id,
        String role,
        Optional<String> email,
        Optional<String> phone,
        Optional<String> passwordHash,
        Confirmed confirmed,
        ObjectNode appMetadata,
        ObjectNode userMetadata,
        List<NewIdentity> identities,
        boolean anonymous,
        Instant now) {
    /** The default role, and the audience of all users. */
    public static final String AUTHENTICATED = "authenticated";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Whether address and number are confirmed from the beginning. */
    public record Confirmed(boolean email, boolean phone) {
        public static final Confirmed NONE = new Confirmed(false, false);
    }

    public record NewIdentity(String provider, String subject, ObjectNode data) {
        /** The subject of an identity by address or number is the user's own id. */
        private NewIdentity of(UUID from, UUID to) {
            return subject.equals(from.toString())
                    ? new NewIdentity(provider, to.toString(), renamed(data, from, to))
                    : this;
        }
    }

    /** Of a public sign-up: Supabase repeats the data of its identity in the user, where templates and policies read them. */
    public static NewUser withEmail(
            String email, Optional<String> passwordHash, ObjectNode data, boolean confirmed, Instant now) {
        NewUser plain = withPlainData(email, passwordHash, data, confirmed, now);
        ObjectNode profile = data.deepCopy();
        profile.setAll(plain.identities().getFirst().data());
        return plain.withUserMetadata(profile);
    }

    /** Made by the project's server: the user's metadata are the data alone. */
    public static NewUser withPlainData(
            String email, Optional<String> passwordHash, ObjectNode data, boolean confirmed, Instant now) {
        return of(
                UUID.randomUUID(),
                AUTHENTICATED,
                Optional.of(email),
                Optional.empty(),
                passwordHash,
                new Confirmed(confirmed, false),
                JSON.objectNode(),
                data,
                now);
    }

    public static NewUser withPhone(
            String phone, Optional<String> passwordHash, ObjectNode data, boolean confirmed, Instant now) {
        return of(
                UUID.randomUUID(),
                AUTHENTICATED,
                Optional.empty(),
                Optional.of(phone),
                passwordHash,
                new Confirmed(false, confirmed),
                JSON.objectNode(),
                data,
                now);
    }

    public static NewUser withoutIdentity(ObjectNode data, Instant now) {
        return new NewUser(
                UUID.randomUUID(),
                AUTHENTICATED,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Confirmed.NONE,
                JSON.objectNode(),
                data.deepCopy(),
                List.of(),
                true,
                now);
    }

    /** With an identity of an external provider, whose data are the user's metadata as well. */
    public static NewUser withProvider(NewIdentity identity, String email, boolean confirmed, Instant now) {
        ObjectNode known = JSON.objectNode().put("provider", identity.provider());
        known.putArray("providers").add(identity.provider());
        return new NewUser(
                UUID.randomUUID(),
                AUTHENTICATED,
                Optional.of(email),
                Optional.empty(),
                Optional.empty(),
                new Confirmed(confirmed, false),
                known,
                identity.data(),
                List.of(identity),
                false,
                now);
    }

    /**
     * With an identity for the address and one for the number, as far as there are any.
     *
     * @param appMetadata to which the providers of the identities are added
     * @param data the user's own
     */
    public static NewUser of(
            UUID id,
            String role,
            Optional<String> email,
            Optional<String> phone,
            Optional<String> passwordHash,
            Confirmed confirmed,
            ObjectNode appMetadata,
            ObjectNode data,
            Instant now) {
        List<NewIdentity> identities = new ArrayList<>();
        email.ifPresent(address -> identities.add(identity(id, "email", address, data, confirmed)));
        phone.ifPresent(number -> identities.add(identity(id, "phone", number, data, confirmed)));
        ObjectNode known = appMetadata.deepCopy();
        if (!identities.isEmpty()) {
            known.put("provider", identities.getFirst().provider());
            var all = known.putArray("providers");
            identities.forEach(identity -> all.add(identity.provider()));
        }
        return new NewUser(
                id, role, email, phone, passwordHash, confirmed, known, data.deepCopy(), identities, false, now);
    }

    private NewUser withUserMetadata(ObjectNode metadata) {
        return new NewUser(
                id, role, email, phone, passwordHash, confirmed, appMetadata, metadata, identities, anonymous, now);
    }

    /** The same content for a user that exists. */
    public NewUser withId(UUID other) {
        List<NewIdentity> renamed =
                identities.stream().map(identity -> identity.of(id, other)).toList();
        return new NewUser(
                other,
                role,
                email,
                phone,
                passwordHash,
                confirmed,
                appMetadata,
                renamed(userMetadata, id, other),
                renamed,
                anonymous,
                now);
    }

    private static ObjectNode renamed(ObjectNode data, UUID from, UUID to) {
        ObjectNode copy = data.deepCopy();
        if (copy.path("sub").asText().equals(from.toString())) {
            copy.put("sub", to.toString());
        }
        return copy;
    }

    private static NewIdentity identity(
            UUID id, String provider, String value, ObjectNode metadata, Confirmed confirmed) {
        ObjectNode data = metadata.deepCopy();
        data.put("sub", id.toString());
        data.put(provider, value);
        data.put("email_verified", confirmed.email() && provider.equals("email"));
        data.put("phone_verified", confirmed.phone() && provider.equals("phone"));
        return new NewIdentity(provider, id.toString(), data);
    }

    /** The user as clients and hooks see it before it exists: without identities. */
    public User asUser() {
        return new User(
                id,
                AUTHENTICATED,
                AUTHENTICATED,
                email,
                phone,
                passwordHash,
                User.PendingChange.NONE,
                times(),
                appMetadata,
                userMetadata,
                List.of(),
                List.of(),
                anonymous);
    }

    public Map<UserTime, Timestamp> times() {
        Timestamp at = Timestamp.of(now);
        Map<UserTime, Timestamp> times = new EnumMap<>(UserTime.class);
        times.put(UserTime.CREATED, at);
        times.put(UserTime.UPDATED, at);
        if (confirmed.email() && email.isPresent()) {
            times.put(UserTime.EMAIL_CONFIRMED, at);
        }
        if (confirmed.phone() && phone.isPresent()) {
            times.put(UserTime.PHONE_CONFIRMED, at);
        }
        return times;
    }

    /** Without personal data and hashes. */
    @Override
    public String toString() {
        return "NewUser[" + id + "]";
    }
}
