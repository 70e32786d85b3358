package svc.crds.project;

/** The condition types of a Project beside Ready. */
public final class ProjectCondition {

    /** This resource holds the ref and the project id. */
    public static final String CLAIMED = "Claimed";

    /** Schemas, roles and grants match the spec. */
    public static final String DATABASE_READY = "DatabaseReady";

    /** The keys of the spec are issued. */
    public static final String KEYS_READY = "KeysReady";

    /** Present while the Project is paused. */
    public static final String RECONCILIATION_PAUSED = "ReconciliationPaused";

    /** Present while the Project's services are stopped by {@code spec.suspend}. */
    public static final String SUSPENDED = "Suspended";

    /** Present while a user must act: a retry alone does not make it Ready. As defined by kstatus. */
    public static final String STALLED = "Stalled";

    /** The reason of {@link #DATABASE_READY} while the operator keeps the project's logins closed. */
    public static final String QUARANTINED = "Quarantined";

    private ProjectCondition() {}
}
