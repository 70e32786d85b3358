package svc.operator.watch.database;

import java.util.Optional;

/**
 * What a worker of autovacuum says of itself in pg_stat_activity: {@code autovacuum: ANALYZE schema.table}. The server writes
 * it, and cuts it at its end; names of schemas are the platform's.
 *
 * @param relation name of a table; of an index when it is summarized
 */
record MaintenanceText(Work work, String schema, String relation) {
    /** What the worker was started for. */
    enum Work {
        /** Removes old rows; runs no expression. */
        VACUUM,
        /** The same, and then analyses. */
        VACUUM_ANALYZE,
        ANALYZE,
        /** Adds new pages to a BRIN index. */
        SUMMARIZE
    }

    private static final String BEGIN = "autovacuum: ";

    static Optional<MaintenanceText> of(String text) {
        int dot = text == null ? -1 : text.indexOf('.');
        if (dot < 0 || !text.startsWith(BEGIN)) {
            return Optional.empty();
        }
        int end = text.indexOf(' ', dot);
        int name = text.lastIndexOf(' ', dot) + 1;
        return work(text.substring(BEGIN.length(), name).trim())
                .map(work -> new MaintenanceText(
                        work, text.substring(name, dot), text.substring(dot + 1, end < 0 ? text.length() : end)));
    }

    private static Optional<Work> work(String text) {
        return switch (text) {
            case "VACUUM" -> Optional.of(Work.VACUUM);
            case "VACUUM ANALYZE" -> Optional.of(Work.VACUUM_ANALYZE);
            case "ANALYZE" -> Optional.of(Work.ANALYZE);
            case "BRIN summarize" -> Optional.of(Work.SUMMARIZE);
            default -> Optional.empty();
        };
    }

    /** Whether the worker runs what a tenant wrote, at some time of its work. */
    boolean runsExpressions() {
        return work != Work.VACUUM;
    }

    boolean summarizes() {
        return work == Work.SUMMARIZE;
    }
}
