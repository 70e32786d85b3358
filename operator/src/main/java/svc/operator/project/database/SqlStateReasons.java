package svc.operator.project.database;

import svc.database.shared.SharedDatabaseHardening;

/** Maps an SQLSTATE (PostgreSQL, appendix A) to a reason. Ignores error texts, which are localised and may contain values. */
final class SqlStateReasons {
    private SqlStateReasons() {}

    /** @param sqlState five characters; null when the driver has none, as after a broken socket */
    static FailureReason of(String sqlState) {
        if (sqlState == null || sqlState.length() != 5) {
            return FailureReason.DATABASE_UNREACHABLE;
        }
        return switch (sqlState) {
            case "28000", "28P01" -> FailureReason.AUTHENTICATION_FAILED;
            case "3D000" -> FailureReason.DATABASE_MISSING;
            case "53100", "58030" -> FailureReason.DISK_FULL;
            case "53200" -> FailureReason.OUT_OF_MEMORY;
            case "53300" -> FailureReason.TOO_MANY_CONNECTIONS;
            case "25006" -> FailureReason.READ_ONLY;
            case "42501" -> FailureReason.INSUFFICIENT_PRIVILEGE;
            case "3F000", "42704", "42883", "42P01" -> FailureReason.NOT_PREPARED;
            case SharedDatabaseHardening.SERVER_TOO_OLD -> FailureReason.SERVER_TOO_OLD;
            case "40001", "40P01", "55P03", "57014" -> FailureReason.BUSY;
            case "57P01", "57P02", "57P03", "57P05" -> FailureReason.DATABASE_UNREACHABLE;
            default -> sqlState.startsWith("08") ? FailureReason.DATABASE_UNREACHABLE : FailureReason.UNEXPECTED;
        };
    }
}
