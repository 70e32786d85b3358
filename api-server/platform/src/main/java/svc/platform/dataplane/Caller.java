package svc.platform.dataplane;

import java.util.Optional;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.Tenant;

/**
 * On whose behalf a data-plane request runs: the result of the credential table. Services decide by it, none looks at a
 * header again.
 *
 * @param login the database login that serves the request: {@code API} or {@code SERVICE}
 * @param role what SET ROLE names: {@code ANON}, {@code AUTHENTICATED}, or {@code SERVICE} for the service login itself
 * @param namedRole the role of an adopted database that the token names, which SET ROLE names instead
 * @param claims the verified claims of the user's token as JSON text; for a mere key {@code {"role":"anon"}} or
 *     {@code {"role":"service_role"}}
 * @param token the user's token as it came, for services that pass it on; empty for a mere key
 */
public record Caller(
        DatabaseRole login, DatabaseRole role, Optional<String> namedRole, String claims, Optional<String> token) {
    /** The caller that holds no more than the project's anon key. */
    public static Caller anon() {
        return new Caller(
                DatabaseRole.API, DatabaseRole.ANON, Optional.empty(), "{\"role\":\"anon\"}", Optional.empty());
    }

    /** The caller that holds the project's service-role key. */
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

    /** Whether it is who calls without a token, be it by a token that names that role, as Supabase's old anon keys do. */
    public boolean isAnonymous(Tenant tenant) {
        return roleName(tenant).equals(tenant.roleName(DatabaseRole.ANON));
    }

    /** Neither claims nor token belong into a log. */
    @Override
    public String toString() {
        return "Caller[" + login + ", " + role + "]";
    }
}
