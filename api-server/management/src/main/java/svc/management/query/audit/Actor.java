package svc.management.query.audit;

import java.util.UUID;

/** By what a call proved that it may run SQL. */
public sealed interface Actor {
    /** As it stands in the audit. */
    String wire();

    /** @param id names the personal access token; not a secret */
    record Token(UUID id) implements Actor {
        @Override
        public String wire() {
            return "token";
        }
    }

    /** @param keyVersion which of the project's service-role keys */
    record ServiceRole(int keyVersion) implements Actor {
        @Override
        public String wire() {
            return "service_role";
        }
    }
}
