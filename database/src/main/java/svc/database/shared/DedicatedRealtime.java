package svc.database.shared;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.database.name.ProjectNames;
import svc.database.sql.Literal;
import svc.database.sql.TextHash;

/**
 * What the realtime service needs of a database with one project: the functions that applications call, a login that reads
 * the log, and the publication of messages. Comes after the project's own schemas.
 */
public final class DedicatedRealtime {
    /** Of the login: one watches the slot, one reads it, one makes or drops it; twice, while one process follows another. */
    private static final int CONNECTIONS = 8;

    /** A process that reads the log ends within seconds once it is asked to. */
    private static final int ATTEMPTS = 60;

    private static final long PAUSE_MILLIS = 250;

    private static final String SLOT =
            "SELECT s.active FROM pg_catalog.pg_replication_slots s WHERE s.slot_name = ?::pg_catalog.name";

    private static final String IN_USE = "55006";
    private static final String GONE = "42704";
    private static final String VERIFIER = "replication verifier";

    private static final String SERVER = """
            SELECT current_setting('wal_level'), r.rolsuper OR r.rolreplication, r.rolname
            FROM pg_catalog.pg_roles r WHERE r.rolname = current_user""";

    private static final String ROLE = """
            SELECT r.rolcanlogin AND r.rolreplication AND r.rolconnlimit = ?, coalesce(s.value, '')
            FROM pg_catalog.pg_roles r LEFT JOIN svc_guard.setting s ON s.name = ?
            WHERE r.rolname = ?""";

    private static final String PUBLISH_MESSAGES = """
            INSERT INTO svc_guard.realtime_publication (schema_name, table_oid)
            SELECT 'realtime', c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'realtime' AND c.relname = 'messages' ON CONFLICT DO NOTHING""";

    private DedicatedRealtime() {}

    /**
     * Creates what is missing and repairs drift, in its own transaction. What applications call is there in any case.
     *
     * @param admin a connection of a suitable login, in autocommit mode; restored afterwards
     * @param verifier of the login's password
     * @return why the log cannot be read, in words for an admin; empty when it can
     */
    public static Optional<String> prepare(Connection admin, ProjectNames names, String verifier) throws SQLException {
        return DedicatedPreparation.inTransaction(admin, session -> {
            session.value("SELECT pg_advisory_xact_lock(?)::text", DedicatedPreparation.ADVISORY_LOCK);
            session.apply(new ScriptedObjects(SharedResources.realtimeOfDedicated()).plan(session));
            session.execute(PUBLISH_MESSAGES);
            List<String> server = session.rows(SERVER).getFirst();
            if (!"logical".equals(server.get(0))) {
                return Optional.of(
                        "the server's wal_level is " + server.get(0) + ": set wal_level = logical and restart it");
            }
            if (!"t".equals(server.get(1))) {
                return Optional.of(server.get(2) + " lacks REPLICATION: grant it, or use a superuser");
            }
            session.apply(login(session, names, verifier));
            return Optional.empty();
        });
    }

    private static List<Step> login(Session session, ProjectNames names, String verifier) throws SQLException {
        String role = names.replication().sql();
        String hash = TextHash.of(verifier);
        List<Step> steps = new ArrayList<>();
        List<List<String>> found =
                session.rows(ROLE, CONNECTIONS, VERIFIER, names.replication().name());
        if (found.isEmpty() || !found.getFirst().equals(List.of("t", hash))) {
            String verb = found.isEmpty() ? "CREATE" : "ALTER";
            steps.add(Step.of(
                    "role of replication",
                    found.isEmpty() ? "created" : "repaired",
                    verb + " ROLE " + role + " LOGIN REPLICATION CONNECTION LIMIT " + CONNECTIONS + " PASSWORD "
                            + Literal.secret(verifier).sql() + "; ALTER ROLE " + role
                            + " SET search_path = pg_catalog; INSERT INTO svc_guard.setting (name, value) VALUES ("
                            + Literal.of(VERIFIER).sql() + ", "
                            + Literal.of(hash).sql()
                            + ") ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value"));
            steps.add(Step.of(
                    "database",
                    "CONNECT granted",
                    session.value("SELECT format('GRANT CONNECT ON DATABASE %I TO ', current_database())") + role));
        }
        return steps;
    }

    /** Closes the login and drops the slot: the project is retained, and nothing reads its log any more. */
    public static void close(Connection admin, ProjectNames names) throws SQLException {
        if (exists(admin, names)) {
            dropSlot(admin, names);
            DedicatedPreparation.inTransaction(admin, session -> {
                session.execute("ALTER ROLE " + names.replication().sql() + " NOLOGIN");
                return null;
            });
        }
    }

    /** Drops slot and login. */
    public static void remove(Connection admin, ProjectNames names) throws SQLException {
        if (exists(admin, names)) {
            dropSlot(admin, names);
            DedicatedPreparation.inTransaction(admin, session -> {
                String role = names.replication().sql();
                session.execute(
                        session.value("SELECT format('REVOKE CONNECT ON DATABASE %I FROM ', current_database())") + role
                                + "; DROP ROLE " + role);
                return null;
            });
        }
    }

    private static boolean exists(Connection admin, ProjectNames names) throws SQLException {
        return new Session(admin)
                        .value(
                                "SELECT 1 FROM pg_catalog.pg_roles r WHERE r.rolname = ?",
                                names.replication().name())
                != null;
    }

    /** Waits for a reader that is ending: without its login nothing would drop the slot, which keeps the server's log. */
    private static void dropSlot(Connection admin, ProjectNames names) throws SQLException {
        var session = new Session(admin);
        for (int attempt = 0; ; attempt++) {
            String active = session.value(SLOT, names.replicationSlot());
            if (active == null) {
                return;
            }
            if ("f".equals(active) && dropped(session, names)) {
                return;
            }
            if (attempt == ATTEMPTS) {
                throw new SQLException("the log of the database is still read", IN_USE);
            }
            pause();
        }
    }

    private static boolean dropped(Session session, ProjectNames names) throws SQLException {
        try {
            session.value("SELECT pg_catalog.pg_drop_replication_slot(?)::text", names.replicationSlot());
            return true;
        } catch (SQLException e) {
            if (!IN_USE.equals(e.getSQLState()) && !GONE.equals(e.getSQLState())) {
                throw e;
            }
            return GONE.equals(e.getSQLState());
        }
    }

    private static void pause() throws SQLException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while the log of the database is still read", IN_USE, e);
        }
    }

    /** Drops the slot that no process has read for long, as {@link AbandonedSlots} says, where this login may. */
    public static int dropAbandonedSlots(Connection admin) throws SQLException {
        String may = new Session(admin)
                .value(
                        "SELECT r.rolsuper OR r.rolreplication FROM pg_catalog.pg_roles r WHERE r.rolname = current_user");
        return "t".equals(may) ? AbandonedSlots.drop(admin) : 0;
    }
}
