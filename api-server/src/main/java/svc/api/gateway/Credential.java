package svc.api.gateway;

import svc.database.name.DatabaseRole;

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
     * A user's token, signed by this project and in force.
     *
     * @param role what its claim {@code role} says: anon, authenticated or service
     * @param claims JSON text
     */
    record UserToken(DatabaseRole role, String claims, String text) implements Credential {
        /** Neither claims nor token belong into a log. */
        @Override
        public String toString() {
            return "UserToken[" + role + "]";
        }
    }

    /** A bearer that is no API key and not acceptable as a user's token. */
    record BadToken(TokenFault fault) implements Credential {}
}
