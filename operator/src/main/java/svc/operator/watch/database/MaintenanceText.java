package svc.operator.watch.database;

import java.util.Optional;

/**
 * What a worker of autovacuum says of itself in pg_stat_activity: {@code autovacuum: ANALYZE schema.table}. The server writes
 * it, and cuts it at its end; names of schemas are the platform's.
 *
 * @param relation name of a table; of an index when it is summarized
 * @param summarizes whether it adds new pages to a BRIN index
 */
record MaintenanceText(String schema, String relation, boolean summarizes) {
    private static final String BEGIN = "autovacuum: ";
    private static final String SUMMARIZE = BEGIN + "BRIN summarize ";

    static Optional<MaintenanceText> of(String text) {
        int dot = text == null ? -1 : text.indexOf('.');
        if (dot < 0 || !text.startsWith(BEGIN)) {
            return Optional.empty();
        }
        int end = text.indexOf(' ', dot);
        return Optional.of(new MaintenanceText(
                text.substring(text.lastIndexOf(' ', dot) + 1, dot),
                text.substring(dot + 1, end < 0 ? text.length() : end),
                text.startsWith(SUMMARIZE)));
    }
}
