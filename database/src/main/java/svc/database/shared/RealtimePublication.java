package svc.database.shared;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import svc.database.loop.ProjectLoop;

/**
 * Makes the publications {@code svc_realtime}, {@code svc_realtime_messages} and {@link PublicationPart} of a shared database
 * hold the tables that its projects have listed ({@code svc_guard.realtime_publication}).
 *
 * <p>ALTER PUBLICATION locks the publication, which all projects share, and the table, which a tenant may hold for as long as
 * it likes. So each table is a transaction of its own, which locks the table first: it holds the publication only when it can
 * go on. A table that cannot have its lock soon is left for the next time.
 */
public final class RealtimePublication {
    /**
     * Of one table all changes are one transaction, that of the part first. Hazard: a stream of the parts takes the place of one
     * of {@code svc_realtime} for a while, so no transaction may see a table in one of them alone.
     */
    private static final String SURPLUS = """
            SELECT COALESCE(pg_catalog.substring(n.nspname::text, '^proj_[0-9a-f]{32}'), n.nspname::text),
                pg_catalog.format('%I.%I', n.nspname, c.relname),
                pg_catalog.string_agg(
                    pg_catalog.format('ALTER PUBLICATION %I DROP TABLE ONLY %I.%I', p.pubname, n.nspname, c.relname),
                    '; ' ORDER BY p.pubname DESC)
            FROM pg_catalog.pg_publication_rel r
            JOIN pg_catalog.pg_publication p
              ON p.oid = r.prpubid AND p.pubname ~ '^svc_realtime(_messages|_part_[0-9a-f])?$'
            JOIN pg_catalog.pg_class c ON c.oid = r.prrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE (r.prrelid, p.pubname) NOT IN (SELECT t.table_oid, t.publication FROM svc_guard.published_table t)
            GROUP BY r.prrelid, n.nspname, c.relname
            ORDER BY r.prrelid""";

    private static final String MISSING = """
            SELECT COALESCE(pg_catalog.substring(n.nspname::text, '^proj_[0-9a-f]{32}'), n.nspname::text),
                pg_catalog.format('%I.%I', n.nspname, c.relname),
                pg_catalog.string_agg(
                    pg_catalog.format('ALTER PUBLICATION %I ADD TABLE ONLY %I.%I', t.publication, n.nspname, c.relname),
                    '; ' ORDER BY t.publication DESC)
            FROM svc_guard.published_table t
            JOIN pg_catalog.pg_class c ON c.oid = t.table_oid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE (t.table_oid, t.publication) NOT IN (
                SELECT r.prrelid, p.pubname FROM pg_catalog.pg_publication_rel r
                JOIN pg_catalog.pg_publication p
                  ON p.oid = r.prpubid AND p.pubname ~ '^svc_realtime(_messages|_part_[0-9a-f])?$')
            GROUP BY t.table_oid, n.nspname, c.relname
            ORDER BY t.table_oid""";

    private static final String LIMITS = "SET LOCAL lock_timeout = '%s'; SET LOCAL search_path = pg_catalog;"
            + " SET LOCAL quote_all_identifiers = off";

    /**
     * The lock that ALTER PUBLICATION takes as well, but after the publication. Autovacuum gives its own up when one who waits
     * has waited for the deadlock_timeout, which is longer than the lock_timeout by default.
     */
    private static final String LOCK_TABLE =
            "SET LOCAL deadlock_timeout = '50ms'; LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE";

    private static final String IS_SUPERUSER = "SELECT pg_catalog.current_setting('is_superuser')";

    /** The lock_timeout after so many held tables of one call: their holder may hold hundreds. */
    private static final String HARDLY = "1ms";

    private static final int MAX_WAITS = 3;

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DEADLOCK = "40P01";
    private static final List<String> GONE = List.of("42P01", "42704", "42710", "3F000");

    /** Classes of errors that are the server's or the connection's, and would meet every table. */
    private static final List<String> OF_SERVER = List.of("08", "53", "57", "58", "F0", "XX");

    private RealtimePublication() {}

    /**
     * A table that is to be added or taken out.
     *
     * @param project the schema of the project whose table it is
     * @param table as SQL names it
     * @param statement one or more, of one transaction
     */
    public record Change(String project, String table, String statement) {}

    /**
     * @param changed tables that were added or taken out
     * @param waiting tables that another transaction holds; the next call tries again
     * @param refused why PostgreSQL refuses a table, one text for each; the other tables are not affected
     */
    public record Applied(int changed, int waiting, List<String> refused) {
        public Applied {
            refused = List.copyOf(refused);
        }
    }

    /**
     * What is to be changed now. Waits for no lock of a tenant. Reads catalogs and the list only, never a row of a tenant.
     *
     * @param superuser a connection of {@code svc_operator}
     */
    public static List<Change> differences(Connection superuser) throws SQLException {
        var session = new Session(superuser);
        List<Change> changes = new ArrayList<>();
        for (String query : List.of(SURPLUS, MISSING)) {
            for (List<String> row : session.rows(query)) {
                changes.add(new Change(row.get(0), row.get(1), row.get(2)));
            }
        }
        return changes;
    }

    /** Compares and applies; as {@link #apply(Connection, List)}. */
    public static Applied apply(Connection superuser) throws SQLException {
        return apply(superuser, differences(superuser));
    }

    /**
     * Applies changes that were found before.
     *
     * @param superuser a connection of {@code svc_operator}, in autocommit mode; restored afterwards. Another administrator may
     *     have no right to lock a table that it may publish: in a database of one project alone it need not
     * @throws SQLException when the database cannot be asked; what was applied before that stays
     */
    public static Applied apply(Connection superuser, List<Change> changes) throws SQLException {
        boolean locks = !changes.isEmpty() && "on".equals(new Session(superuser).value(IS_SUPERUSER));
        int changed = 0;
        int waiting = 0;
        List<String> refused = new ArrayList<>();
        for (Change change : changes) {
            try {
                String patience = waiting < MAX_WAITS ? ProjectLoop.LOCK_TIMEOUT : HARDLY;
                String limits = LIMITS.formatted(patience) + (locks ? ";" + LOCK_TABLE.formatted(change.table()) : "");
                switch (apply(superuser, limits, change.statement())) {
                    case DONE -> changed++;
                    case HELD -> waiting++;
                    case GONE -> {}
                }
            } catch (SQLException e) {
                if (isOfServer(e)) {
                    throw e;
                }
                // A tenant's table: its fault must not keep others' tables from being published.
                refused.add(change.statement() + ": " + e.getMessage());
            }
        }
        return new Applied(changed, waiting, refused);
    }

    private static boolean isOfServer(SQLException e) {
        String state = e.getSQLState();
        return state == null || state.length() < 2 || OF_SERVER.contains(state.substring(0, 2));
    }

    private enum Outcome {
        DONE,
        HELD,
        GONE
    }

    private static Outcome apply(Connection superuser, String limits, String statement) throws SQLException {
        var session = new Session(superuser);
        superuser.setAutoCommit(false);
        try {
            session.execute(limits);
            session.execute(statement);
            superuser.commit();
            return Outcome.DONE;
        } catch (SQLException e) {
            superuser.rollback();
            if (LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState())) {
                return Outcome.HELD;
            }
            // Dropped, renamed or published by another operator since it was read.
            if (GONE.contains(e.getSQLState())) {
                return Outcome.GONE;
            }
            throw e;
        } finally {
            superuser.setAutoCommit(true);
        }
    }
}
