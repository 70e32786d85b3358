package svc.management.audit;

import java.util.UUID;

/** What authorized a call. */
public sealed interface Actor {
    /** The value in the audit. */
    String wire();

    /** @param id of the personal access token; not a secret */
    record Token(UUID id) implements Actor {
        @Override
        public String wire() {
            return "token";
        }
    }

    /** A job that the project's owner has stored in the database: {@code cron.schedule}. */
    record ScheduledJob() implements Actor {
        @Override
        public String wire() {
            return "job";
        }
    }

    /** @param keyVersion of the project's service-role key */
    record ServiceRole(int keyVersion) implements Actor {
        @Override
        public String wire() {
            return "service_role";
        }
    }
}
