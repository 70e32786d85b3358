package svc.database.platform;

/** The outcome of a claim on a project. */
public sealed interface Claim {
    /** The caller holds the project, newly or as before. */
    record Held(ProjectRecord project) implements Claim {}

    /**
     * Another resource holds the id or the ref, or the caller holds the id under another ref. The caller gets nothing.
     *
     * @param heldBy the current holder
     * @param what the contested projectId or ref, for a message
     */
    record Conflict(Holder heldBy, String what) implements Claim {}
}
