package svc.postgres;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.postgresql.util.PSQLState;
import svc.database.key.DerivedKey;
import svc.database.key.LoginSecret;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.database.key.VaultKey;
import svc.database.name.DatabaseRole;
import svc.platform.config.LoginRoots;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;

/**
 * One login of one project as it stands now. A rotation, another master key, another database or another password of an
 * adopted one makes another login, so a connection of before is never lent for it.
 *
 * @param sealed the password of an adopted database's login; empty where the password is derived
 * @param server whether the platform or a tenant chose the server
 * @param organization of the project
 */
public record TenantLogin(
        String ref,
        String jdbcUrl,
        String user,
        Purpose purpose,
        int masterKeyVersion,
        ProjectKeyScope scope,
        Optional<String> sealed,
        Server server,
        String organization) {
    /**
     * @param role what the caller may do; an adopted database has one login for all that, and the role tells them apart
     */
    public static TenantLogin of(Tenant tenant, DatabaseRole role) {
        return tenant.adoption().map(adoption -> adopted(tenant, adoption)).orElseGet(() -> derived(tenant, role));
    }

    private static TenantLogin derived(Tenant tenant, DatabaseRole role) {
        Purpose purpose =
                Purpose.ofLogin(role).orElseThrow(() -> new IllegalArgumentException(role + " cannot log in"));
        int version = tenant.keyVersions().getOrDefault(purpose, Set.of(1)).stream()
                .max(Integer::compare)
                .orElse(1);
        return new TenantLogin(
                tenant.ref(),
                tenant.database().jdbcUrl(),
                tenant.names().role(role).name(),
                purpose,
                tenant.masterKeyVersion(),
                tenant.scope().withKeyVersion(version),
                Optional.empty(),
                tenant.database().server(),
                tenant.organization());
    }

    private static TenantLogin adopted(Tenant tenant, Adoption adoption) {
        return new TenantLogin(
                tenant.ref(),
                tenant.database().jdbcUrl(),
                adoption.user().name(),
                Purpose.SEALED,
                tenant.masterKeyVersion(),
                tenant.scope().withKeyVersion(Adoption.KEY_VERSION),
                Optional.of(adoption.user().sealedPassword()),
                tenant.database().server(),
                tenant.organization());
    }

    /**
     * The login with the checks that its server requires.
     *
     * @throws SqlError of class 28 when connecting, for a sealed password that this process cannot open
     */
    public Login login(LoginRoots roots) {
        return new Login(jdbcUrl, user, () -> password(roots), server, () -> vaultKey(roots));
    }

    /** Of a project that the platform provisions; an adopted database has no vault of the platform's. */
    private String vaultKey(LoginRoots roots) {
        return sealed.isPresent() ? "" : VaultKey.of(roots.all(Purpose.VAULT), scope);
    }

    /** What the server stores of a derived password; empty for one that the platform did not set. */
    public Optional<String> verifier(LoginRoots roots) {
        return sealed.isPresent() || server != Server.PLATFORM
                ? Optional.empty()
                : Optional.of(
                        LoginSecret.of(roots.require(purpose, masterKeyVersion).leaf(scope))
                                .scramVerifier());
    }

    private String password(LoginRoots roots) {
        DerivedKey leaf = roots.require(purpose, masterKeyVersion).leaf(scope);
        return sealed.map(text -> SealedText.open(leaf, SealedText.Use.ADOPTED_PASSWORD, text)
                        .orElseThrow(() -> SqlError.connecting(new SQLException(
                                "the sealed password of " + user + " cannot be opened",
                                PSQLState.INVALID_PASSWORD.getState()))))
                .orElseGet(() -> LoginSecret.of(leaf).password());
    }

    @Override
    public String toString() {
        return user;
    }
}
