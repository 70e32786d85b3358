package svc.crds.project;

/** The condition types of a Project beside Ready. */
public final class ProjectCondition {

    /** Ref and id belong to this object and to no other. */
    public static final String CLAIMED = "Claimed";

    /** Schemas, roles and grants are as they should be. */
    public static final String DATABASE_READY = "DatabaseReady";

    /** The keys in force are those the spec asks for. */
    public static final String KEYS_READY = "KeysReady";

    /** Present while {@code spec.paused} is true. */
    public static final String RECONCILIATION_PAUSED = "ReconciliationPaused";

    /** Present while somebody has to do something: time alone will not bring Ready about. In the words of kstatus. */
    public static final String STALLED = "Stalled";

    private ProjectCondition() {}
}
