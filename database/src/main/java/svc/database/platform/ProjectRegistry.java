package svc.database.platform;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import svc.database.key.Incarnation;
import svc.database.name.Layout;
import svc.database.project.companion.CompanionSchema;

/**
 * Who holds which project (DESIGN §4, rule 6). Every method is one short transaction on the platform's database; of any
 * number of operators that claim the same id or ref at once, exactly one wins.
 */
public final class ProjectRegistry {
    private static final String COLUMNS = "project_id, ref, layout, namespace, name, database_name, incarnation,"
            + " master_key_version, companion_version, services, state";

    private static final String FIND =
            "SELECT " + COLUMNS + " FROM svc_platform.project WHERE project_id = ? OR ref = ? ORDER BY project_id <> ?";

    private static final String INSERT = """
            INSERT INTO svc_platform.project
                (project_id, ref, schema_name, layout, namespace, name, database_name, incarnation, master_key_version)
            SELECT ?, ?, 'proj_' || replace(?::text, '-', ''), ?, ?, ?,
                (SELECT d.name FROM unnest(?::text[]) WITH ORDINALITY AS d(name, position)
                 ORDER BY (SELECT count(*) FROM svc_platform.project p WHERE p.database_name = d.name), d.position
                 LIMIT 1),
                ?, ?
            ON CONFLICT DO NOTHING
            """;

    private static final String REVIVE =
            "UPDATE svc_platform.project SET state = 'active', retained_at = NULL WHERE project_id = ? AND state = 'retained'";
    private static final String RELEASE = "UPDATE svc_platform.project SET state = 'retained', retained_at = now()"
            + " WHERE project_id = ? AND namespace = ? AND name = ? AND state = 'active'";

    /** One claim or deletion of a ref at a time, so that a claim sees the reservation that a deletion leaves behind. */
    private static final String LOCK = "SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(?, 7))";

    private static final String LOCK_HELD =
            "SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(ref, 7))"
                    + " FROM svc_platform.project WHERE project_id = ? AND namespace = ? AND name = ?";

    /** Longer than an application usually lives on after its project. */
    private static final String BURN = """
            WITH gone AS (
                DELETE FROM svc_platform.project WHERE project_id = ? AND namespace = ? AND name = ?
                RETURNING ref, project_id, namespace),
            expired AS (DELETE FROM svc_platform.reserved_ref WHERE until < now())
            INSERT INTO svc_platform.reserved_ref (ref, project_id, namespace, until)
            SELECT ref, project_id, namespace, now() + interval '30 days' FROM gone
            ON CONFLICT (ref) DO UPDATE SET (project_id, namespace, until)
                = (excluded.project_id, excluded.namespace, excluded.until)""";

    private static final String RESERVED = "SELECT r.ref = ? FROM svc_platform.reserved_ref r"
            + " WHERE (r.ref = ? OR r.project_id = ?) AND r.namespace <> ? AND r.until > now() ORDER BY r.ref <> ? LIMIT 1";

    /** Does not wait for the disk: a version that a crash forgets is found too low by the next run, and recorded again. */
    private static final String PROVISIONED = "UPDATE svc_platform.project SET companion_version = ?"
            + " WHERE project_id = ? AND companion_version < ?"
            + " AND pg_catalog.set_config('synchronous_commit', 'off', true) IS NOT NULL";

    private static final String USE = "UPDATE svc_platform.project SET services ="
            + " CASE WHEN ? = ANY (services) THEN services ELSE services || ? END"
            + " WHERE project_id = ? AND state = 'active' RETURNING " + COLUMNS;

    /** A claim can lose to one that is then withdrawn; more than this often means something else is wrong. */
    private static final int ATTEMPTS = 5;

    private final DataSource platform;
    private final SecureRandom random;

    /** @param random where incarnations come from */
    public ProjectRegistry(DataSource platform, SecureRandom random) {
        this.platform = platform;
        this.random = random;
    }

    /** Holds the project, new or again: a retained one is active afterwards, with the keys it had. */
    public Claim claim(ClaimRequest request) throws SQLException {
        try (Connection connection = platform.getConnection()) {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Optional<Claim> claim = find(connection, request);
                if (claim.isPresent()) {
                    return claim.get();
                }
                Optional<Claim> reserved = insert(connection, request);
                if (reserved.isPresent()) {
                    return reserved.get();
                }
            }
        }
        throw new SQLException("the claim of " + request.ref() + " was withdrawn again and again by others", "40001");
    }

    /** The project if exactly this holder holds it, in whichever state. */
    public Optional<ProjectRecord> heldBy(UUID projectId, Holder holder) throws SQLException {
        try (Connection connection = platform.getConnection();
                PreparedStatement find = connection.prepareStatement(FIND)) {
            find.setObject(1, projectId);
            find.setString(2, "");
            find.setObject(3, projectId);
            try (ResultSet rows = find.executeQuery()) {
                return rows.next()
                        ? Optional.of(record(rows))
                                .filter(project -> project.holder().equals(holder))
                        : Optional.empty();
            }
        }
    }

    /** Keeps the row and its incarnation for a later revival; nothing happens unless this holder holds the project. */
    public void release(UUID projectId, Holder holder) throws SQLException {
        update(RELEASE, projectId, holder);
    }

    /**
     * Forgets the project and its incarnation for good; nothing happens unless this holder holds it. Its ref and id stay
     * reserved for the holder's namespace for 30 days.
     */
    public void burn(UUID projectId, Holder holder) throws SQLException {
        try (Connection connection = platform.getConnection()) {
            inTransaction(connection, () -> {
                try (PreparedStatement lock = connection.prepareStatement(LOCK_HELD)) {
                    bind(lock, projectId, holder);
                    lock.execute();
                }
                try (PreparedStatement burn = connection.prepareStatement(BURN)) {
                    bind(burn, projectId, holder);
                    return burn.executeUpdate();
                }
            });
        }
    }

    /** Records which companion the project now has; never a lower one, which an operator of an older release would bring. */
    public void provisioned(UUID projectId, int companionVersion) throws SQLException {
        try (Connection connection = platform.getConnection();
                PreparedStatement update = connection.prepareStatement(PROVISIONED)) {
            update.setInt(1, companionVersion);
            update.setObject(2, projectId);
            update.setInt(3, companionVersion);
            update.executeUpdate();
        }
    }

    /**
     * Records that the project uses a service, so that from now on the service's companion is complete.
     *
     * @return the project as it is then; empty when there is none, or it is only kept
     */
    public Optional<ProjectRecord> uses(UUID projectId, CompanionSchema service) throws SQLException {
        try (Connection connection = platform.getConnection();
                PreparedStatement update = connection.prepareStatement(USE)) {
            update.setString(1, service.label());
            update.setString(2, service.label());
            update.setObject(3, projectId);
            try (ResultSet rows = update.executeQuery()) {
                return rows.next() ? Optional.of(record(rows)) : Optional.empty();
            }
        }
    }

    private static Optional<Claim> find(Connection connection, ClaimRequest request) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(FIND)) {
            find.setObject(1, request.projectId());
            find.setString(2, request.ref());
            find.setObject(3, request.projectId());
            try (ResultSet rows = find.executeQuery()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                ProjectRecord found = record(rows);
                if (!found.projectId().equals(request.projectId())) {
                    return Optional.of(new Claim.Conflict(found.holder(), "ref " + request.ref()));
                }
                if (!found.holder().equals(request.holder()) || !found.ref().equals(request.ref())) {
                    return Optional.of(new Claim.Conflict(found.holder(), "projectId " + request.projectId()));
                }
                return Optional.of(new Claim.Held(revived(connection, found)));
            }
        }
    }

    private static ProjectRecord revived(Connection connection, ProjectRecord found) throws SQLException {
        if (found.state() == ProjectRecord.State.ACTIVE) {
            return found;
        }
        try (PreparedStatement revive = connection.prepareStatement(REVIVE)) {
            revive.setObject(1, found.projectId());
            revive.executeUpdate();
        }
        return new ProjectRecord(
                found.projectId(),
                found.ref(),
                found.layout(),
                found.holder(),
                found.databaseName(),
                found.incarnation(),
                found.masterKeyVersion(),
                found.companionVersion(),
                found.services(),
                ProjectRecord.State.ACTIVE);
    }

    /** @return a conflict with the namespace for which ref or id are reserved */
    private Optional<Claim> insert(Connection connection, ClaimRequest request) throws SQLException {
        return inTransaction(connection, () -> {
            try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
                lock.setString(1, request.ref());
                lock.execute();
            }
            Optional<Claim> reserved = reserved(connection, request);
            if (reserved.isEmpty()) {
                insertRow(connection, request);
            }
            return reserved;
        });
    }

    private static Optional<Claim> reserved(Connection connection, ClaimRequest request) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(RESERVED)) {
            find.setString(1, request.ref());
            find.setString(2, request.ref());
            find.setObject(3, request.projectId());
            find.setString(4, request.holder().namespace());
            find.setString(5, request.ref());
            try (ResultSet row = find.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                String what = row.getBoolean(1) ? "ref " + request.ref() : "projectId " + request.projectId();
                return Optional.of(new Claim.Conflict(request.holder(), what));
            }
        }
    }

    private void insertRow(Connection connection, ClaimRequest request) throws SQLException {
        byte[] incarnation = new byte[Incarnation.BYTES];
        random.nextBytes(incarnation);
        String[] candidates = switch (request.placement()) {
            case Placement.Shared shared -> shared.databaseNames().toArray(String[]::new);
            case Placement.Dedicated dedicated -> new String[] {dedicated.databaseName()};
        };
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setObject(1, request.projectId());
            insert.setString(2, request.ref());
            insert.setObject(3, request.projectId());
            insert.setString(4, request.placement().layout().name().toLowerCase(Locale.ROOT));
            insert.setString(5, request.holder().namespace());
            insert.setString(6, request.holder().name());
            insert.setArray(7, connection.createArrayOf("text", candidates));
            insert.setBytes(8, incarnation);
            insert.setInt(9, request.masterKeyVersion());
            insert.executeUpdate();
        }
    }

    private void update(String sql, UUID projectId, Holder holder) throws SQLException {
        try (Connection connection = platform.getConnection();
                PreparedStatement update = connection.prepareStatement(sql)) {
            bind(update, projectId, holder);
            update.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, UUID projectId, Holder holder) throws SQLException {
        statement.setObject(1, projectId);
        statement.setString(2, holder.namespace());
        statement.setString(3, holder.name());
    }

    @FunctionalInterface
    private interface Work<T> {
        T run() throws SQLException;
    }

    private static <T> T inTransaction(Connection connection, Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            T result = work.run();
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static ProjectRecord record(ResultSet row) throws SQLException {
        return new ProjectRecord(
                row.getObject("project_id", UUID.class),
                row.getString("ref"),
                Layout.valueOf(row.getString("layout").toUpperCase(Locale.ROOT)),
                new Holder(row.getString("namespace"), row.getString("name")),
                row.getString("database_name"),
                Incarnation.of(row.getBytes("incarnation")),
                row.getInt("master_key_version"),
                row.getInt("companion_version"),
                services((String[]) row.getArray("services").getArray()),
                ProjectRecord.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)));
    }

    /** A service that this release does not know stays in the row, for the one that does. */
    private static Set<CompanionSchema> services(String[] labels) {
        List<String> used = List.of(labels);
        return Arrays.stream(CompanionSchema.values())
                .filter(service -> used.contains(service.label()))
                .collect(Collectors.toSet());
    }
}
