package svc.database.name;

/** Where a project's schemas lie. */
public enum Layout {
    /** One database for many projects: the companions carry the project's schema name. */
    SHARED,
    /** A database of the project's own: the companions are {@code auth}, {@code storage} and {@code realtime}. */
    DEDICATED
}
