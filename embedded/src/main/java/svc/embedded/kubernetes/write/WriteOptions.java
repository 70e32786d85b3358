package svc.embedded.kubernetes.write;

/**
 * What a writer asks besides the object.
 *
 * @param manager the owner of the fields it decides
 * @param force whether an apply takes fields from other owners
 * @param dryRun whether to answer as if, and store nothing
 */
public record WriteOptions(String manager, boolean force, boolean dryRun, UnknownFields unknownFields) {
    /** Writes of the server itself. */
    public static WriteOptions ofServer(String manager) {
        return new WriteOptions(manager, false, false, UnknownFields.IGNORE);
    }
}
