package svc.postgres.script;

import java.util.Optional;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;

/**
 * The owner's login in one database, for scripts.
 *
 * @param jdbcUrl the project's database, without credentials
 * @param server where a session that does not end itself is ended by its own login, if a tenant chose it
 * @param role its owner's role, which is also the login
 * @param verifier what the server stores of the password; empty for one that the platform did not set
 * @param organization whose projects share the sessions that scripts may have
 * @param vaultKey the starting value of {@link svc.database.key.VaultKey#SETTING}; empty for a login that is given none
 */
public record OwnerLogin(
        String jdbcUrl,
        String role,
        String password,
        Server server,
        Optional<String> verifier,
        String organization,
        String vaultKey) {
    /** A login whose sessions unseal no secrets. */
    public OwnerLogin(
            String jdbcUrl,
            String role,
            String password,
            Server server,
            Optional<String> verifier,
            String organization) {
        this(jdbcUrl, role, password, server, verifier, organization, "");
    }

    /** Of a database of the platform's, in an organisation of its own. */
    public OwnerLogin(String jdbcUrl, String role, String password) {
        this(jdbcUrl, role, password, Server.PLATFORM, Optional.empty(), role);
    }

    /** Without the password and the key. */
    @Override
    public String toString() {
        return role + " at " + jdbcUrl;
    }
}
