package svc.platform.tenancy;

import java.util.Optional;

/** The live projects, by ref; backed by a watch on Project resources, answered from memory. */
public interface TenantDirectory {
    /**
     * The project that serves this ref now; empty while it is unknown, not provisioned yet, without
     * its claim, suspended, in quarantine, or being deleted.
     */
    Optional<Tenant> find(String ref);

    /** The project that would serve this ref if it were neither suspended nor in quarantine; empty for one that is served. */
    default Optional<Tenant> suspended(String ref) {
        return Optional.empty();
    }

    /** Whether a project is {@link #suspended} because the operator has closed its logins, and not by its owner. */
    default boolean quarantined(String ref) {
        return false;
    }

    /** Calls back after each change of a tenant and after its removal; callbacks must return quickly. */
    void onChange(Listener listener);

    /** Registers a listener for refs that were changed or removed. */
    interface Listener {
        void changed(String ref);
    }
}
