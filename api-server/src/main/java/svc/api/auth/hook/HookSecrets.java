package svc.api.auth.hook;

import java.util.Optional;
import svc.api.tenancy.Tenant;
import svc.crds.reference.SecretKeyReference;

/** The secrets that a project signs with. */
@FunctionalInterface
public interface HookSecrets {
    /** Empty when the project has no such value. */
    Optional<String> value(Tenant tenant, SecretKeyReference reference);
}
