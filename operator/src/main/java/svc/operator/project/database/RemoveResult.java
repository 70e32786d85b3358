package svc.operator.project.database;

/** What became of a removal. */
public enum RemoveResult {
    REMOVED,
    /** This resource holds no such project: it never did, lost a conflict, or removed it before. Nothing was touched. */
    NOTHING_HELD
}
