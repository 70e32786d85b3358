package svc.auth.secret;

import com.google.re2j.Pattern;
import java.util.Optional;
import svc.database.key.DerivedKey;
import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;
import svc.database.key.SealedText;
import svc.platform.config.PurposeRoots;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.Tenant;

/**
 * Seals the secrets of second factors with a key of the project, so that a copy of the rows yields no codes. The sealed text
 * begins with the version of the master key, because rows outlive a rotation.
 */
public final class FactorSecrets {
    private static final Pattern VERSION = Pattern.compile("[0-9]{1,9}");

    private final PurposeRoots roots;

    public FactorSecrets(PurposeRoots roots) {
        this.roots = roots;
    }

    public String seal(Tenant tenant, String text) {
        int version = tenant.masterKeyVersion();
        DerivedKey leaf = leaf(tenant, roots.require(Purpose.SEALED, version));
        return version + "." + SealedText.seal(leaf, SealedText.Use.FACTOR, text);
    }

    /** Empty for a text that was not sealed for this project. */
    public Optional<String> open(Tenant tenant, String sealed) {
        int dot = sealed.indexOf('.');
        if (dot < 1 || !VERSION.matches(sealed.substring(0, dot))) {
            return Optional.empty();
        }
        return roots.find(Purpose.SEALED, Integer.parseInt(sealed.substring(0, dot)))
                .flatMap(root -> SealedText.open(leaf(tenant, root), SealedText.Use.FACTOR, sealed.substring(dot + 1)));
    }

    private static DerivedKey leaf(Tenant tenant, PurposeRoot root) {
        return root.leaf(tenant.scope().withKeyVersion(Adoption.KEY_VERSION));
    }
}
