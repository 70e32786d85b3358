package svc.auth.external;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.model.EmailAddress;
import svc.auth.model.Metadata;
import svc.auth.model.UserJson;
import svc.auth.provider.ExternalUser;
import svc.auth.provider.ExternalUser.Email;
import svc.auth.rows.AuditLog;
import svc.auth.rows.AuthSession;
import svc.auth.rows.Identities;
import svc.auth.rows.Sessions;
import svc.auth.rows.Users;
import svc.auth.session.Bearer;
import svc.crds.project.auth.AuthSpec;

/**
 * Which user somebody is whom a provider vouches for. By the provider's own name for him, else by an address that the
 * provider has made sure of; an address that it has not made sure of is never believed to be somebody's.
 */
public final class ExternalAccounts {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int MAX_ADDRESSES = 20;

    private final Clock clock;

    public ExternalAccounts(Clock clock) {
        this.clock = clock;
    }

    /**
     * Who it is.
     *
     * @param row of the user
     * @param confirmed whether the user's address counts; without it there is no session
     */
    public record Account(JsonNode row, boolean confirmed) {
        UUID id() {
            return UUID.fromString(row.path("id").asText());
        }
    }

    /** What a provider's user would be made of if nobody is known to be it; empty when somebody is. */
    public Optional<ObjectNode> toBeMade(AuthSession rows, AuthSpec spec, String provider, ExternalUser external) {
        return isKnown(rows, provider, external) ? Optional.empty() : columns(rows, spec, provider, external);
    }

    private static boolean isKnown(AuthSession rows, String provider, ExternalUser external) {
        return new Identities(rows).bySubject(provider, external.subject()).isPresent()
                || byAddress(rows, external).isPresent();
    }

    /**
     * The user who signs in, made if there is none yet.
     *
     * @throws AuthError when the user is banned, or may not be made
     */
    public Account signedIn(AuthSession rows, AuthSpec spec, String provider, ExternalUser external) {
        var identities = new Identities(rows);
        Optional<JsonNode> identity = identities.bySubject(provider, external.subject());
        if (identity.isPresent()) {
            UUID id = UUID.fromString(identity.get().path("user_id").asText());
            identities.seen(UUID.fromString(identity.get().path("id").asText()), external.identityData());
            return settled(rows, spec, required(rows, id), external, AuditLog.Action.LOGIN);
        }
        Optional<JsonNode> owner = byAddress(rows, external);
        if (owner.isPresent()) {
            return joined(rows, spec, provider, external, owner.get());
        }
        Optional<ObjectNode> columns = columns(rows, spec, provider, external);
        if (columns.isEmpty()) {
            return signedIn(rows, spec, provider, external);
        }
        new Users(rows).insert(columns.get());
        UUID id = UUID.fromString(columns.get().path("id").asText());
        identities.insert(id, provider, external.subject(), external.identityData());
        return settled(rows, spec, required(rows, id), external, AuditLog.Action.USER_SIGNED_UP);
    }

    /** Whom an address belongs to, in this order: an account's own, one that another provider has made sure of. */
    private static Optional<JsonNode> byAddress(AuthSession rows, ExternalUser external) {
        var users = new Users(rows);
        List<String> verified =
                external.verified().stream().limit(MAX_ADDRESSES).toList();
        for (String address : verified) {
            Optional<JsonNode> owner = users.byEmail(address);
            if (owner.isPresent()) {
                return owner;
            }
        }
        List<UUID> known = verified.isEmpty() ? List.of() : new Identities(rows).knownBy(verified);
        // Two accounts that could both be meant: neither is.
        return known.size() == 1 ? users.byId(known.getFirst()) : Optional.empty();
    }

    /** A further identity of somebody who has that address. */
    private Account joined(AuthSession rows, AuthSpec spec, String provider, ExternalUser external, JsonNode owner) {
        UUID id = UUID.fromString(owner.path("id").asText());
        requireNotBanned(owner);
        var identities = new Identities(rows);
        identities.insert(id, provider, external.subject(), external.identityData());
        if (hasUnprovedAddress(owner)) {
            // Somebody signed up with an address that was not theirs, and waits for its owner to come: nothing of
            // theirs
            // stays, neither password nor number nor what they wrote.
            identities.deleteOthers(id, provider, external.subject());
            new Sessions(rows).deleteOf(id, Optional.empty());
            ObjectNode columns = JSON.objectNode();
            columns.putNull("encrypted_password").putNull("phone").putNull("phone_confirmed_at");
            columns.putObject("raw_user_meta_data");
            new Users(rows).update(id, columns.put("updated_at", now()));
        }
        new AuditLog(rows).record(AuditLog.Action.IDENTITY_LINKED, owner);
        return settled(rows, spec, required(rows, id), external, AuditLog.Action.LOGIN);
    }

    /**
     * A further identity for somebody who is signed in.
     *
     * @throws AuthError when it is somebody's already, or its address another user's
     */
    public Account linked(AuthSession rows, AuthSpec spec, String provider, ExternalUser external, UUID user) {
        JsonNode row = new Users(rows).byId(user).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
        requireNotBanned(row);
        var identities = new Identities(rows);
        identities.bySubject(provider, external.subject()).ifPresent(there -> {
            boolean own = there.path("user_id").asText().equals(user.toString());
            throw AuthErrorCode.IDENTITY_ALREADY_EXISTS.error(
                    own ? "Identity is already linked" : "Identity is already linked to another user");
        });
        identities.insert(user, provider, external.subject(), external.identityData());
        ObjectNode columns = JSON.objectNode().put("is_anonymous", false).put("updated_at", now());
        if (UserJson.text(row, "email").isEmpty()) {
            external.primary()
                    .filter(Email::verified)
                    .flatMap(ExternalAccounts::usable)
                    .ifPresent(address -> {
                        if (new Users(rows).byEmail(address).isPresent()) {
                            throw AuthErrorCode.EMAIL_EXISTS.error();
                        }
                        columns.put("email", address).put("email_confirmed_at", now());
                    });
        }
        new Users(rows).update(user, columns);
        new AuditLog(rows).record(AuditLog.Action.IDENTITY_LINKED, row);
        return settled(rows, spec, required(rows, user), external, AuditLog.Action.LOGIN);
    }

    /** Writes what the provider says into the user, and says whether a session may begin. */
    private Account settled(
            AuthSession rows, AuthSpec spec, JsonNode row, ExternalUser external, AuditLog.Action action) {
        requireNotBanned(row);
        UUID id = UUID.fromString(row.path("id").asText());
        ObjectNode columns = JSON.objectNode();
        columns.set("raw_user_meta_data", Metadata.merged(row.path("raw_user_meta_data"), external.identityData()));
        columns.set("raw_app_meta_data", providers(row));
        boolean proved = external.verified().contains(UserJson.text(row, "email"));
        if (hasUnprovedAddress(row) && (proved || spec.email().autoconfirm())) {
            columns.put("email_confirmed_at", now());
        }
        var users = new Users(rows);
        users.update(id, columns.put("updated_at", now()));
        JsonNode settled = users.byId(id).orElseThrow();
        boolean confirmed = !hasUnprovedAddress(settled)
                || !UserJson.text(settled, "phone_confirmed_at").isEmpty();
        if (confirmed) {
            new AuditLog(rows).record(action, settled);
        }
        return new Account(settled, confirmed);
    }

    /** The places that a user is known by, the oldest first, as {@code app_metadata} tells them. */
    public static ObjectNode providers(JsonNode row) {
        ObjectNode known = Metadata.merged(row.path("raw_app_meta_data"), JSON.objectNode());
        ArrayNode all = JSON.arrayNode();
        List<String> seen = new ArrayList<>();
        row.path("identities").forEach(identity -> {
            String provider = identity.path("provider").asText();
            if (!seen.contains(provider)) {
                seen.add(provider);
                all.add(provider);
            }
        });
        if (!seen.isEmpty()) {
            known.put("provider", seen.getFirst());
        }
        known.set("providers", all);
        return known;
    }

    /** A new user's; empty when by now there is one: the same person in another tab was quicker. */
    private Optional<ObjectNode> columns(AuthSession rows, AuthSpec spec, String provider, ExternalUser external) {
        if (!spec.signUp()) {
            throw AuthErrorCode.SIGNUP_DISABLED.error();
        }
        Email email = external.primary()
                .filter(one -> usable(one).isPresent())
                .orElseThrow(() -> AuthError.invalid("Error getting user email from external provider"));
        boolean counts = email.verified() || spec.email().autoconfirm();
        String address = usable(email).orElseThrow();
        if (new Users(rows).byEmail(address).isPresent()) {
            if (isKnown(rows, provider, external)) {
                return Optional.empty();
            }
            // Not proved to be the same person; and whether there is one, only who has the mailbox may learn.
            throw counts ? AuthErrorCode.EMAIL_EXISTS.error() : new AddressTaken(address);
        }
        ObjectNode row = JSON.objectNode();
        row.put("id", UUID.randomUUID().toString());
        row.put("aud", "authenticated");
        row.put("role", "authenticated");
        row.put("email", address);
        if (counts) {
            row.put("email_confirmed_at", now());
        }
        row.putObject("raw_app_meta_data")
                .put("provider", provider)
                .putArray("providers")
                .add(provider);
        row.set("raw_user_meta_data", external.identityData());
        return Optional.of(row.put("created_at", now()).put("updated_at", now()));
    }

    /** Somebody else has the address that a provider has not made sure of. Nobody who calls may learn that. */
    public static final class AddressTaken extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String address;

        AddressTaken(String address) {
            super("an address that is not proved is somebody's", null, false, false);
            this.address = address;
        }

        String address() {
            return address;
        }
    }

    /** Why somebody whose address is not proved has no session. */
    public static AuthError unproved(String provider) {
        return AuthErrorCode.PROVIDER_EMAIL_NEEDS_VERIFICATION.error("Unverified email with " + provider
                + ". A confirmation email has been sent to your " + provider + " email");
    }

    private static Optional<String> usable(Email email) {
        try {
            return Optional.of(EmailAddress.of(email.address()));
        } catch (AuthError e) {
            return Optional.empty();
        }
    }

    private static boolean hasUnprovedAddress(JsonNode row) {
        return !UserJson.text(row, "email").isEmpty()
                && UserJson.text(row, "email_confirmed_at").isEmpty();
    }

    private void requireNotBanned(JsonNode row) {
        if (Bearer.isBanned(row, clock)) {
            throw AuthErrorCode.USER_BANNED.error();
        }
    }

    private static JsonNode required(AuthSession rows, UUID id) {
        return new Users(rows).byId(id).orElseThrow(AuthErrorCode.USER_NOT_FOUND::error);
    }

    private String now() {
        return clock.instant().toString();
    }
}
