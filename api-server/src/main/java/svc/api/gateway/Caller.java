package svc.api.gateway;

import java.util.Optional;
import svc.database.name.DatabaseRole;

/**
 * On whose behalf a data-plane request runs: the result of the credential table. Services decide by it, none looks at a
 * header again.
 *
 * @param login the database login that serves the request: {@code API} or {@code SERVICE}
 * @param role what SET ROLE names: {@code ANON}, {@code AUTHENTICATED}, or {@code SERVICE} for the service login itself
 * @param claims the verified claims of the user's token as JSON text; for a mere key {@code {"role":"anon"}} or
 *     {@code {"role":"service_role"}}
 * @param token the user's token as it came, for services that pass it on; empty for a mere key
 */
public record Caller(DatabaseRole login, DatabaseRole role, String claims, Optional<String> token) {
    /** The caller that holds no more than the project's anon key. */
    public static Caller anon() {
        return new Caller(DatabaseRole.API, DatabaseRole.ANON, "{\"role\":\"anon\"}", Optional.empty());
    }

    /** The caller that holds the project's service-role key. */
    public static Caller service() {
        return new Caller(DatabaseRole.SERVICE, DatabaseRole.SERVICE, "{\"role\":\"service_role\"}", Optional.empty());
    }

    /** Neither claims nor token belong into a log. */
    @Override
    public String toString() {
        return "Caller[" + login + ", " + role + "]";
    }
}
