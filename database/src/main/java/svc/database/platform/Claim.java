package svc.database.platform;

/** What became of an attempt to hold a project. */
public sealed interface Claim {
    /** The project is the caller's, newly or as before. */
    record Held(ProjectRecord project) implements Claim {}

    /**
     * Somebody else holds the id or the ref, or the caller holds the id under another ref. The caller has nothing.
     *
     * @param heldBy who holds it
     * @param what the contested thing, for a message: the projectId, or the ref
     */
    record Conflict(Holder heldBy, String what) implements Claim {}
}
