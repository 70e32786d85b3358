package svc.platform.dataplane;

import java.util.Optional;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.Tenant;

/**
 * The identity that a data-plane request runs under: the result of the credential table. Services rely on it and never
 * read the credential headers themselves.
 *
 * @param login the database login that serves the request: {@code API} or {@code SERVICE}
 * @param role the role for SET ROLE: {@code ANON}, {@code AUTHENTICATED}, or {@code SERVICE} for the service login
 *     itself
 * @param namedRole the role of an adopted database that the token names; SET ROLE uses it instead of {@code role}
 * @param claims the verified claims of the user's token as JSON text; for an API key {@code {"role":"anon"}} or {@code
 *     {"role":"service_role"}}
 * @param token the user's token as received, for services that forward it; empty for an API key
 */
public record Caller(
        DatabaseRole login, DatabaseRole role, Optional<String> namedRole, String claims, Optional<String> token) {
    /** The caller with the rights of the project's anon key. */
    public static Caller anon() {
        return new Caller(
                DatabaseRole.API, DatabaseRole.ANON, Optional.empty(), "{\"role\":\"anon\"}", Optional.empty());
    }

    /** The caller with the project's service-role key. */
    public static Caller service() {
        return new Caller(
                DatabaseRole.SERVICE,
                DatabaseRole.SERVICE,
                Optional.empty(),
                "{\"role\":\"service_role\"}",
                Optional.empty());
    }

    /** The role in the tenant's database that the request runs as. */
    public String roleName(Tenant tenant) {
        return namedRole.orElseGet(() -> tenant.roleName(role));
    }

    /**
     * Whether the request runs as the anonymous role, also by a token that names that role, as Supabase's legacy anon
     * keys do.
     */
    public boolean isAnonymous(Tenant tenant) {
        return roleName(tenant).equals(tenant.roleName(DatabaseRole.ANON));
    }

    /** Claims and token must not be logged. */
    @Override
    public String toString() {
        return "Caller[" + login + ", " + role + "]";
    }
}
