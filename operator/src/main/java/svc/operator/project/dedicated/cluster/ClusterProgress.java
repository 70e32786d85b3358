package svc.operator.project.dedicated.cluster;

import svc.operator.project.connection.ConnectionSecret.Complete;

/** What bringing up a cluster came to. */
public sealed interface ClusterProgress {
    /** It serves, and this is how its superuser reaches the project's database in it. */
    record Up(Complete connection) implements ClusterProgress {}

    /** @param message for the condition */
    record NotYet(Reason reason, String message) implements ClusterProgress {}

    /** Why not; part of the API. */
    enum Reason {
        STARTING("ClusterStarting", false),
        NOT_INSTALLED("CloudNativePGNotInstalled", true),
        NOT_OWNED("ClusterNotOwned", true),
        CANNOT_SHRINK("VolumeCannotShrink", true),
        HIBERNATED("ClusterHibernated", true),
        FAILED("ClusterFailed", true);

        private final String conditionReason;
        private final boolean trouble;

        Reason(String conditionReason, boolean trouble) {
            this.conditionReason = conditionReason;
            this.trouble = trouble;
        }

        public String conditionReason() {
            return conditionReason;
        }

        /** Whether somebody has to do something; otherwise nobody knows yet whether it will come up. */
        public boolean trouble() {
            return trouble;
        }
    }
}
