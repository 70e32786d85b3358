package svc.database.shared;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes one database safe to share between projects (DESIGN, tenancy in PostgreSQL: rules 1 to 5 and 10), and repairs it
 * when something has drifted. May run at any time, from several operators at once, with projects at work.
 *
 * <p>Must never read or write a row of a tenant: triggers and policies of tenants would run with the superuser's rights.
 */
public final class SharedDatabaseHardening {
    /** Below 16 a login may grant membership in itself to others, which breaks rule 1. */
    public static final int MINIMUM_SERVER_VERSION = 160000;

    /** The SQLSTATE with which an older server is refused; one that PostgreSQL has no use for. */
    public static final String SERVER_TOO_OLD = "SV016";

    /** Any number that nothing else in the database uses; locks of tenants have two numbers. */
    private static final long ADVISORY_LOCK = 0x7376635f68617264L;

    /** For the platform's logins, of which each process keeps some connections. */
    private static final int RESERVED_CONNECTIONS = 20;

    /** One transaction locks each object of a schema that it drops. All connections share the table of locks. */
    private static final int LOCKS_PER_TRANSACTION = 256;

    /**
     * Observes, plans and applies, section by section, in its own transaction.
     *
     * @param superuser a connection of {@code svc_operator} to the database, in autocommit mode; restored afterwards
     * @return the changes; empty on a second run
     * @throws SQLException when the server is too old, the login no superuser, or a statement fails; nothing was changed
     */
    public HardeningReport apply(Connection superuser, HardeningSettings settings) throws SQLException {
        if (!superuser.getAutoCommit()) {
            throw new SQLException("The hardening makes its own transaction, but autocommit is off", "25001");
        }
        superuser.setAutoCommit(false);
        try {
            HardeningReport report = run(open(superuser), settings);
            superuser.commit();
            return report;
        } catch (SQLException | RuntimeException failure) {
            superuser.rollback();
            throw failure;
        } finally {
            superuser.setAutoCommit(true);
        }
    }

    private static Session open(Connection superuser) throws SQLException {
        Session session = new Session(superuser);
        int version = Integer.parseInt(session.value("SELECT pg_catalog.current_setting('server_version_num')"));
        if (version < MINIMUM_SERVER_VERSION) {
            throw new SQLException(
                    "A shared database needs PostgreSQL 16 or newer, this is " + version, SERVER_TOO_OLD);
        }
        if (!"on".equals(session.value("SELECT pg_catalog.current_setting('is_superuser')"))) {
            throw new SQLException("Only a superuser can harden a shared database", "42501");
        }
        session.execute("SET LOCAL search_path = pg_catalog; SET LOCAL quote_all_identifiers = off");
        if (version >= 170000) {
            // Event triggers of anyone else must not run in this transaction; 16 has no such switch.
            session.execute("SET LOCAL event_triggers = off");
        }
        session.value("SELECT pg_advisory_xact_lock(?)::text", ADVISORY_LOCK);
        return session;
    }

    private static HardeningReport run(Session session, HardeningSettings settings) throws SQLException {
        SharedResources resources = SharedResources.load();
        List<String> allowed = Stream.concat(resources.extensions().stream(), settings.furtherExtensions().stream())
                .toList();
        Extensions extensions = new Extensions(allowed);
        Set<String> ofExtensions = ExtensionSchemas.ofSharedDatabase().schemas();
        Set<String> open = new HashSet<>(PlatformSchemas.OPEN);
        open.addAll(ofExtensions);
        List<Section> sections = List.of(
                new PlatformLogins(settings.verifiers()),
                new DatabaseAccess(settings, open),
                new PlatformSchemas(ofExtensions),
                extensions,
                new ExtensionFunctions(allowed),
                new CatalogRelations(resources.catalogLoginRelations(), ofExtensions),
                new CatalogFunctions(resources.publicFunctions(), resources.catalogLoginFunctions()),
                new ScriptedObjects(resources.objects()),
                new DerivedViews(resources.derivedViews()),
                new NotificationChannel(settings.notificationChannel()));
        List<HardeningReport.Change> changes = new ArrayList<>();
        for (Section section : sections) {
            List<Step> steps = section.plan(session);
            session.apply(steps);
            steps.forEach(step -> changes.add(step.change()));
        }
        return new HardeningReport(changes, extensions.unavailable(session), warnings(session));
    }

    private static List<String> warnings(Session session) throws SQLException {
        List<String> warnings = new ArrayList<>();
        int reserved = Integer.parseInt(session.value("SELECT pg_catalog.current_setting('reserved_connections')"));
        if (reserved < RESERVED_CONNECTIONS) {
            warnings.add("reserved_connections is " + reserved + ": once projects hold all others, the platform's own"
                    + " logins may be refused; set it to " + RESERVED_CONNECTIONS);
        }
        int locks = Integer.parseInt(session.value("SELECT pg_catalog.current_setting('max_locks_per_transaction')"));
        if (locks < LOCKS_PER_TRANSACTION) {
            warnings.add("max_locks_per_transaction is " + locks + ": large migrations and the removal of a project may"
                    + " fail, and one project can use up the server's locks within a moment; set it to "
                    + LOCKS_PER_TRANSACTION);
        }
        return warnings;
    }
}
