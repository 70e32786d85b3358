package svc.server.gateway;

import java.util.Optional;
import svc.database.name.DatabaseRole;
import svc.platform.dataplane.TokenFault;

/** One of the two credentials that a request may carry, already compared with what the project accepts. */
sealed interface Credential {
    /** The header, or the parameter, is not there. */
    record None() implements Credential {}

    /** This project's anon key, of a version in force. */
    record AnonKey() implements Credential {}

    /** This project's service-role key, of a version in force. */
    record ServiceKey() implements Credential {}

    /** An API key, or what stands in a key's place, that this project does not accept: another's, revoked, garbage. */
    record WrongKey() implements Credential {}

    /**
     * A user's token, signed with a key that this project trusts, and in force.
     *
     * @param role what kind of caller its role claim makes: anon, authenticated or service
     * @param namedRole the role of an adopted database that the token names; empty where roles are the project's own
     * @param claims JSON text
     * @param foreign whether it was signed elsewhere, so that it may stand in a key's place: that is how keys were made
     *     before they were not tokens
     */
    record UserToken(DatabaseRole role, Optional<String> namedRole, String claims, String text, boolean foreign)
            implements Credential {
        /** Neither claims nor token belong into a log. */
        @Override
        public String toString() {
            return "UserToken[" + role + "]";
        }
    }

    /** A bearer that is no API key and not acceptable as a user's token. */
    record BadToken(TokenFault fault) implements Credential {}
}
