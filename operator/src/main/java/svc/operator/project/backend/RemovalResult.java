package svc.operator.project.backend;

/** The outcome of {@link ProjectBackend#retain} and {@link ProjectBackend#delete}. */
public sealed interface RemovalResult {
    /** @param message for the Event: what happened to the project's data and keys */
    record Removed(String message) implements RemovalResult {}

    /** This resource does not hold the project: it lost a conflict or removed it before. Nothing was changed. */
    record NotHeld() implements RemovalResult {}
}
