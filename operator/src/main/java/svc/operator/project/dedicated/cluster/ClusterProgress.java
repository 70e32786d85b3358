package svc.operator.project.dedicated.cluster;

import svc.operator.project.connection.ConnectionSecret.Complete;

/** The outcome of reconciling a Cluster. */
public sealed interface ClusterProgress {
    /** It accepts writes. Holds the superuser connection to the project's database. */
    record Up(Complete connection) implements ClusterProgress {}

    /** @param message for the condition */
    record NotYet(Reason reason, String message) implements ClusterProgress {}

    /** Reasons of the condition DatabaseReady: part of the API. */
    enum Reason {
        STARTING("ClusterStarting", false),
        NOT_INSTALLED("CloudNativePGNotInstalled", true),
        NOT_OWNED("ClusterNotOwned", true),
        CANNOT_SHRINK("VolumeCannotShrink", true),
        HIBERNATED("ClusterHibernated", true),
        FAILED("ClusterFailed", true);

        private final String conditionReason;
        private final boolean needsIntervention;

        Reason(String conditionReason, boolean needsIntervention) {
            this.conditionReason = conditionReason;
            this.needsIntervention = needsIntervention;
        }

        public String conditionReason() {
            return conditionReason;
        }

        /** Whether a user must act. Otherwise the Cluster may still become ready. */
        public boolean needsIntervention() {
            return needsIntervention;
        }
    }
}
