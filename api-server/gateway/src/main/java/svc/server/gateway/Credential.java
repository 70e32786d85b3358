package svc.server.gateway;

import java.util.Optional;
import svc.database.name.DatabaseRole;
import svc.platform.dataplane.TokenFault;

/** One of the two credentials of a request, already compared with the project's keys. */
sealed interface Credential {
    /** The header or parameter is missing. */
    record None() implements Credential {}

    /** The project's anon key, of an active version. */
    record AnonKey() implements Credential {}

    /** The project's service-role key, of an active version. */
    record ServiceKey() implements Credential {}

    /**
     * An API key, or another text in its place, that this project rejects: another project's, revoked, or malformed.
     */
    record WrongKey() implements Credential {}

    /**
     * A user's token that is active and signed with a key that this project trusts.
     *
     * @param role the kind of caller that its role claim stands for: anon, authenticated or service
     * @param namedRole the role of an adopted database that the token names; empty for a project with its own roles
     * @param claims JSON text
     * @param foreign whether another issuer signed it; it may then replace an API key, because legacy API keys are such
     *     tokens
     */
    record UserToken(DatabaseRole role, Optional<String> namedRole, String claims, String text, boolean foreign)
            implements Credential {
        /** Claims and token must not be logged. */
        @Override
        public String toString() {
            return "UserToken[" + role + "]";
        }
    }

    /** A bearer that is neither an API key nor a valid user's token. */
    record BadToken(TokenFault fault) implements Credential {}
}
