package svc.database.shared;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.project.Provisioner;
import svc.database.sql.Literal;

/**
 * Prepares one database for one project: the owner of companions, the schemas of the platform's functions, the allowed
 * extensions, and the guard against DDL of the data plane. Changes no other database of the server and no
 * existing object of this one.
 *
 * <p>Must never read or write a row of the project: triggers and policies would run with this login's rights.
 */
public final class DedicatedPreparation {
    /** Any number that nothing else in the database uses. */
    static final long ADVISORY_LOCK = 0x7376636465646963L;

    private static final String ENVIRONMENT =
            "SET LOCAL search_path = pg_catalog; SET LOCAL quote_all_identifiers = off; SET LOCAL lock_timeout = '10s';"
                    + " SET LOCAL statement_timeout = '60s'; SET LOCAL client_min_messages = warning";

    private static final String CAPABILITIES = """
            SELECT current_setting('server_version_num'), current_setting('server_version'), r.rolsuper,
                r.rolcreaterole, r.rolbypassrls, has_database_privilege(current_database(), 'CREATE')
            FROM pg_catalog.pg_roles r WHERE r.rolname = current_user""";

    /** Companion schemas are named auth, storage and realtime here: existing schemas of these names belong to another application. */
    private static final String OCCUPIED = """
            SELECT n.nspname FROM pg_catalog.pg_namespace n
            WHERE n.nspname ~ '^proj_[0-9a-f]{32}$' AND n.nspname <> ? OR n.nspname IN ('svc_platform', 'svc_views')
               OR n.nspname IN ('auth', 'storage', 'realtime')
                  AND pg_catalog.pg_get_userbyid(n.nspowner) <> 'svc_companion'
            ORDER BY 1 LIMIT 1""";

    private static final String TRACE =
            "SELECT 1 FROM pg_catalog.pg_namespace n WHERE n.nspname IN ('svc_guard', ?) LIMIT 1";

    private static final String REFUSED = "refused: ";

    /** SQLSTATEs of a permanent refusal: a retry would fail the same way. */
    private static final Set<String> LASTING = Set.of("42501", "0A000", "58P01", "42704", "55000");

    /** Owned or used by another application. */
    private static final Set<String> NOT_TO_DROP = Set.of("2BP01", "42501");

    private DedicatedPreparation() {}

    /** Whether a login and its database are suitable for a project. */
    public sealed interface Suitability {
        /** Suitable, with these privileges. */
        record Suitable(Provisioner provisioner) implements Suitability {}

        /** @param version as the server reports it */
        record TooOld(String version) implements Suitability {}

        /** @param rights the missing privileges, in SQL terms */
        record Lacking(List<String> rights) implements Suitability {}

        /** @param schema of another owner, which must not be changed */
        record Occupied(String schema) implements Suitability {}

        /** The project was provisioned in another database. */
        record WithoutProject() implements Suitability {}
    }

    /**
     * Checks the database without changing it.
     *
     * @param made whether the project is provisioned: then a database without it is the wrong one
     */
    public static Suitability examine(Connection admin, ProjectNames names, boolean made) throws SQLException {
        Session session = new Session(admin);
        List<String> row = session.rows(CAPABILITIES).getFirst();
        if (Integer.parseInt(row.get(0)) < SharedDatabaseHardening.MINIMUM_SERVER_VERSION) {
            return new Suitability.TooOld(row.get(1));
        }
        boolean superuser = "t".equals(row.get(2));
        List<String> lacking = new ArrayList<>();
        if (!superuser) {
            add(lacking, row.get(3), "CREATEROLE");
            add(lacking, row.get(4), "BYPASSRLS");
            add(lacking, row.get(5), "CREATE on the database");
        }
        if (!lacking.isEmpty()) {
            return new Suitability.Lacking(lacking);
        }
        String occupied = session.value(OCCUPIED, names.schemaName());
        if (occupied != null) {
            return new Suitability.Occupied(occupied);
        }
        if (made && session.value(TRACE, names.schemaName()) == null) {
            return new Suitability.WithoutProject();
        }
        return new Suitability.Suitable(superuser ? Provisioner.SUPERUSER : Provisioner.ROLE_CREATOR);
    }

    private static void add(List<String> lacking, String has, String right) {
        if (!"t".equals(has)) {
            lacking.add(right);
        }
    }

    /**
     * Creates what is missing and repairs drift, in its own transaction. May run at any time.
     *
     * @param admin a connection of a suitable login, in autocommit mode; restored afterwards
     * @return the number of changes
     */
    public static int prepare(Connection admin) throws SQLException {
        return inTransaction(admin, session -> {
            session.value("SELECT pg_advisory_xact_lock(?)::text", ADVISORY_LOCK);
            int changes = apply(session, companionOwner(session)) + apply(session, schemas(session));
            changes += extensions(session);
            changes += apply(session, new ScriptedObjects(SharedResources.ofDedicated()).plan(session));
            List<Step> triggers = new ScriptedObjects(SharedResources.eventTriggersOfDedicated()).plan(session);
            return !triggers.isEmpty() && new Optionally(session).tried("event triggers", triggers)
                    ? changes + triggers.size()
                    : changes;
        });
    }

    /**
     * Lets the project's logins connect where PUBLIC may not, as on a server that also holds shared databases.
     *
     * @return how many of them could not before
     */
    public static int admit(Connection admin, ProjectNames names) throws SQLException {
        return inTransaction(admin, session -> {
            List<Step> steps = new ArrayList<>();
            for (DatabaseRole role : DatabaseRole.values()) {
                if (role.login()) {
                    steps.addAll(session.steps("""
                            SELECT 'database', 'CONNECT granted', format('GRANT CONNECT ON DATABASE %I TO %I',
                                current_database(), r.rolname)
                            FROM pg_roles r
                            WHERE r.rolname = ? AND NOT has_database_privilege(r.oid, current_database(), 'CONNECT')""", names.role(role).name()));
                }
            }
            return apply(session, steps);
        });
    }

    /**
     * Drops what {@link #prepare} created, with dependent objects of the project; extensions stay, and the owner of
     * companions until {@link #forgetOwner}.
     */
    public static void forget(Connection admin) throws SQLException {
        inTransaction(admin, session -> {
            session.value("SELECT pg_advisory_xact_lock(?)::text", ADVISORY_LOCK);
            session.execute("DROP PUBLICATION IF EXISTS svc_realtime, svc_realtime_messages;"
                    + " DROP SCHEMA IF EXISTS svc_guard, svc_functions, svc_statements"
                    + ExtensionSchemas.ofDedicatedDatabase().schemas().stream()
                            .map(schema -> ", " + schema)
                            .collect(Collectors.joining())
                    + " CASCADE");
            return null;
        });
    }

    /** Drops the owner of companions, unless another database of the server needs it. */
    public static void forgetOwner(Connection admin) throws SQLException {
        inTransaction(admin, session -> {
            new Optionally(session).drop("DROP ROLE IF EXISTS svc_companion");
            return null;
        });
    }

    private static List<Step> companionOwner(Session session) throws SQLException {
        List<Step> steps = new ArrayList<>();
        List<List<String>> found = session.rows("SELECT pg_has_role(r.oid, 'USAGE') AND pg_has_role(r.oid, 'SET')"
                + " FROM pg_roles r WHERE r.rolname = 'svc_companion'");
        if (found.isEmpty()) {
            steps.add(Step.of("role svc_companion", "created", "CREATE ROLE svc_companion NOLOGIN"));
        }
        // A superuser holds every role; of a CREATEROLE login the new role is, but it does not hold it.
        boolean superuser = "on".equals(session.value("SELECT current_setting('is_superuser')"));
        if (!superuser && (found.isEmpty() || !"t".equals(found.getFirst().getFirst()))) {
            steps.add(Step.of(
                    "role svc_companion", "held", "GRANT svc_companion TO CURRENT_USER WITH INHERIT TRUE, SET TRUE"));
        }
        return steps;
    }

    private static List<Step> schemas(Session session) throws SQLException {
        List<Step> steps = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of("svc_guard", "svc_functions", "svc_statements", "extensions"));
        names.addAll(ExtensionSchemas.ofDedicatedDatabase().schemas());
        for (String schema : names) {
            // An existing schema named extensions belongs to the database's owner: its privileges are not changed.
            String open = schema.equals("svc_guard") ? "" : "; GRANT USAGE ON SCHEMA " + schema + " TO PUBLIC";
            if (session.value("SELECT oid FROM pg_namespace WHERE nspname = ?", schema) == null) {
                steps.add(Step.of("schema " + schema, "created", "CREATE SCHEMA " + schema + open));
            }
        }
        if (session.value("SELECT to_regclass('svc_guard.applied')") == null) {
            steps.add(Step.of("table svc_guard.applied", "created", PlatformSchemas.APPLIED));
        }
        if (session.value("SELECT to_regclass('svc_guard.setting')") == null) {
            steps.add(Step.of(
                    "table svc_guard.setting",
                    "created",
                    "CREATE TABLE svc_guard.setting (name text PRIMARY KEY, value text NOT NULL)"));
        }
        return steps;
    }

    /** Those that this login may install and the database has not in some schema already. */
    private static int extensions(Session session) throws SQLException {
        Set<String> allowed = new TreeSet<>(AllowedExtensions.names());
        allowed.addAll(AllowedExtensions.optional());
        List<List<String>> installable = session.rows("""
                SELECT a.name FROM pg_available_extensions a
                JOIN pg_available_extension_versions v ON v.name = a.name AND v.version = a.default_version
                WHERE a.name = ANY (?) AND a.installed_version IS NULL
                    AND (v.trusted OR NOT v.superuser OR current_setting('is_superuser') = 'on')
                    AND NOT EXISTS (SELECT FROM svc_guard.setting s WHERE s.name = ? || 'extension ' || a.name)
                ORDER BY 1""", allowed.toArray(String[]::new), REFUSED);
        Optionally optional = new Optionally(session);
        int installed = 0;
        for (List<String> row : installable) {
            String name = row.getFirst();
            Step step = Step.of(
                    "extension " + name,
                    "installed",
                    session.value("SELECT format('CREATE EXTENSION %I WITH SCHEMA extensions', ?::text)", name));
            installed += optional.tried("extension " + name, List.of(step)) ? 1 : 0;
        }
        return installed;
    }

    private static int apply(Session session, List<Step> steps) throws SQLException {
        session.apply(steps);
        return steps.size();
    }

    /** Optional steps: a refusal by the server is recorded, so that they are not retried at every reconciliation. */
    private record Optionally(Session session) {
        boolean tried(String what, List<Step> steps) throws SQLException {
            String noted = REFUSED + what;
            if (session.value("SELECT value FROM svc_guard.setting WHERE name = ?", noted) != null) {
                return false;
            }
            Savepoint before = session.connection().setSavepoint();
            try {
                session.apply(steps);
                session.connection().releaseSavepoint(before);
                return true;
            } catch (SQLException refused) {
                session.connection().rollback(before);
                if (!LASTING.contains(refused.getSQLState())) {
                    throw refused;
                }
                session.execute("INSERT INTO svc_guard.setting (name, value) VALUES ("
                        + Literal.of(noted).sql() + ", "
                        + Literal.of(String.valueOf(refused.getSQLState())).sql()
                        + ") ON CONFLICT DO NOTHING");
                return false;
            }
        }

        void drop(String sql) throws SQLException {
            Savepoint before = session.connection().setSavepoint();
            try {
                session.execute(sql);
            } catch (SQLException e) {
                if (!NOT_TO_DROP.contains(e.getSQLState())) {
                    throw e;
                }
                session.connection().rollback(before);
            }
        }
    }

    @FunctionalInterface
    interface Work<T> {
        T run(Session session) throws SQLException;
    }

    static <T> T inTransaction(Connection admin, Work<T> work) throws SQLException {
        admin.setAutoCommit(false);
        try {
            Session session = new Session(admin);
            session.execute(ENVIRONMENT);
            T result = work.run(session);
            admin.commit();
            return result;
        } catch (SQLException | RuntimeException failure) {
            admin.rollback();
            throw failure;
        } finally {
            admin.setAutoCommit(true);
        }
    }
}
