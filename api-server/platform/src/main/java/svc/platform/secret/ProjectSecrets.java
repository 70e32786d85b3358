package svc.platform.secret;

import java.util.Optional;
import svc.crds.reference.SecretKeyReference;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.platform.config.PurposeRoots;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.Tenant;

/**
 * Opens the values of the Secrets that a Project references. No pod of the data plane reads Secrets: the
 * operator copies the values, sealed, into the project's status.
 */
public final class ProjectSecrets {
    private final PurposeRoots roots;

    public ProjectSecrets(PurposeRoots roots) {
        this.roots = roots;
    }

    /** Empty without the Secret or its key. */
    public Optional<String> value(Tenant tenant, SecretKeyReference reference) {
        return tenant.authSecrets().stream()
                .filter(secret -> secret.isOf(reference))
                .findFirst()
                .flatMap(secret -> roots.find(Purpose.SEALED, tenant.masterKeyVersion())
                        .map(root -> root.leaf(tenant.scope().withKeyVersion(Adoption.KEY_VERSION)))
                        .flatMap(leaf -> SealedText.open(leaf, SealedText.Use.AUTH_SECRET, secret.sealed())));
    }
}
