package svc.management.postgres;

/** PostgreSQL's command tags of statements about the session. Pure. */
final class LocalTags {
    static final String CLOSE_ALL = "CLOSE CURSOR ALL";
    static final String DISCARD_ALL = "DISCARD ALL";

    private LocalTags() {}

    static String of(LocalStatement statement) {
        return switch (statement) {
            case LocalStatement.Begin begin -> begin.tag();
            case LocalStatement.Commit commit -> "COMMIT";
            case LocalStatement.Rollback rollback -> "ROLLBACK";
            case LocalStatement.ReturnTo one -> "ROLLBACK";
            case LocalStatement.Savepoint one -> "SAVEPOINT";
            case LocalStatement.Release one -> "RELEASE";
            case LocalStatement.Accepted accepted -> accepted.tag();
            case LocalStatement.Setting setting -> setting.tag();
            case LocalStatement.ResetAll all -> all.tag();
            case LocalStatement.Deallocate deallocate -> "DEALLOCATE";
            case LocalStatement.SetConfig call -> "SELECT 1";
            case LocalStatement.UnlockAll call -> "SELECT 1";
            default -> "SET";
        };
    }
}
