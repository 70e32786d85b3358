package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.Set;
import svc.database.key.DerivedKey;
import svc.database.key.LoginSecret;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.database.key.VaultKey;
import svc.database.name.DatabaseRole;
import svc.platform.config.PurposeRoots;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.OwnerLogin;

/**
 * The owner logins that run SQL of the Management API: derived, or the one in the connection Secret of an adopted
 * database.
 */
@ApplicationScoped
public class OwnerLogins {
    private final PurposeRoots roots;

    public OwnerLogins(PurposeRoots roots) {
        this.roots = roots;
    }

    /** Empty for an adopted database whose Secret has no owner login, or one that this process cannot unseal. */
    Optional<OwnerLogin> of(Tenant tenant) {
        return tenant.adoption().isPresent()
                ? tenant.adoption().get().owner().flatMap(owner -> adopted(tenant, owner))
                : Optional.of(derived(tenant));
    }

    private Optional<OwnerLogin> adopted(Tenant tenant, Adoption.SealedLogin owner) {
        DerivedKey leaf = roots.require(Purpose.OWNER, tenant.masterKeyVersion())
                .leaf(tenant.scope().withKeyVersion(Adoption.KEY_VERSION));
        return SealedText.open(leaf, SealedText.Use.ADOPTED_PASSWORD, owner.sealedPassword())
                .map(password -> new OwnerLogin(
                        tenant.database().jdbcUrl(),
                        owner.name(),
                        password,
                        tenant.database().server(),
                        Optional.empty(),
                        tenant.organization()));
    }

    private OwnerLogin derived(Tenant tenant) {
        int version = tenant.keyVersions().getOrDefault(Purpose.OWNER, Set.of(1)).stream()
                .max(Integer::compare)
                .orElse(1);
        DerivedKey leaf = roots.require(Purpose.OWNER, tenant.masterKeyVersion())
                .leaf(tenant.scope().withKeyVersion(version));
        LoginSecret secret = LoginSecret.of(leaf);
        return new OwnerLogin(
                tenant.database().jdbcUrl(),
                tenant.names().role(DatabaseRole.OWNER).name(),
                secret.password(),
                tenant.database().server(),
                Optional.of(secret.scramVerifier()),
                tenant.organization(),
                VaultKey.of(roots.all(Purpose.VAULT), tenant.scope()));
    }
}
