package svc.operator.project.database;

/** The outcome of removing a project. */
public enum RemoveResult {
    REMOVED,
    /** This resource does not hold the project: it lost a conflict or removed it before. Nothing was changed. */
    NOTHING_HELD
}
