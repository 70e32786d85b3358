package svc.operator.watch.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.operator.watch.rule.MaintenanceWorker;
import svc.operator.watch.rule.ProcessId;
import svc.operator.watch.rule.Sample;
import svc.operator.watch.rule.Session;
import svc.operator.watch.rule.Session.Login;
import svc.operator.watch.rule.WalWritten;

/** Samples what the tenants of the connection's database do. One statement in a quiet pass, which reads no table. */
final class ActivityReader {
    /**
     * Sessions that wait for a statement and hold nothing are left out, and those of the platform. Locks of the fast path are
     * in their own process and take nothing from the table that all share.
     *
     * <p>Hazard: the server forgets the progress of an ANALYZE when a subtransaction fails, which a function in an index does
     * by catching an error. So the table of a worker is, where its progress is not known, the one that it has locked.
     */
    private static final String SAMPLE = """
            WITH held AS (
                SELECT l.pid, count(*) AS locks,
                    min(l.relation) FILTER (WHERE l.mode = 'ShareUpdateExclusiveLock') AS relation
                FROM pg_lock_status() l WHERE NOT l.fastpath GROUP BY l.pid)
            SELECT a.pid, (extract(epoch FROM a.backend_start) * 1000000)::bigint, a.usesysid::bigint,
                a.backend_type = 'autovacuum worker', a.state = 'active', coalesce(h.locks, 0),
                coalesce((extract(epoch FROM clock_timestamp() - a.xact_start) * 1000)::bigint, 0),
                CASE WHEN a.backend_type = 'autovacuum worker' THEN left(a.query, 200) END,
                coalesce(p.relid, h.relation)::bigint, v.pid IS NOT NULL, a.state = 'active' AND a.wait_event IS NULL
            FROM pg_stat_get_activity(NULL) a
            LEFT JOIN held h ON h.pid = a.pid
            LEFT JOIN pg_stat_get_progress_info('ANALYZE') p ON p.pid = a.pid
            LEFT JOIN pg_stat_get_progress_info('VACUUM') v ON v.pid = a.pid
            WHERE a.datid = ?::bigint::oid AND (
                a.backend_type = 'autovacuum worker'
                OR (a.backend_type = 'client backend' AND a.usesysid <> ALL (?) AND (a.state <> 'idle' OR h.locks > 0)))""";

    private static final String OWN_DATABASE = "SELECT a.datid::bigint FROM pg_stat_get_activity(pg_backend_pid()) a";

    /** Files of a session are named after its process. Those of parallel queries are in folders, which are not listed. */
    private static final String TEMPORARY_FILES = """
            SELECT substring(f.name FROM '^pgsql_tmp([0-9]+)[.]')::integer, sum(f.size)::bigint
            FROM pg_ls_tmpdir() f WHERE f.name ~ '^pgsql_tmp[0-9]+[.]' GROUP BY 1""";

    /** What of a table runs code that its owner may have written: expressions, conditions, differences of ranges. */
    private static final String EXPRESSIONS = """
            SELECT c.relname, ARRAY(
                SELECT 'index ' || i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
                WHERE x.indrelid = c.oid AND (x.indexprs IS NOT NULL OR x.indpred IS NOT NULL)
                UNION ALL
                SELECT 'statistics ' || s.stxname FROM pg_statistic_ext s
                WHERE s.stxrelid = c.oid AND s.stxexprs IS NOT NULL
                UNION ALL
                SELECT 'column ' || a.attname FROM pg_attribute a JOIN pg_range r ON r.rngtypid = a.atttypid
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND r.rngsubdiff::oid >= 16384
                LIMIT 20)
            FROM pg_class c WHERE c.oid = ?::bigint::oid""";

    private final Connection connection;
    private final RoleNames roles;
    private final long database;
    private final WalReader wal;

    ActivityReader(Connection connection) throws SQLException {
        this.connection = connection;
        this.roles = new RoleNames(connection);
        try (PreparedStatement statement = connection.prepareStatement(OWN_DATABASE);
                ResultSet row = statement.executeQuery()) {
            row.next();
            this.database = row.getLong(1);
        }
        this.wal = new WalReader(connection, roles, database);
    }

    /** By process number; empty when no session has temporary files. */
    Map<Integer, Long> temporaryFiles() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TEMPORARY_FILES);
                ResultSet rows = statement.executeQuery()) {
            Map<Integer, Long> bytes = new HashMap<>();
            while (rows.next()) {
                bytes.put(rows.getInt(1), rows.getLong(2));
            }
            return bytes;
        }
    }

    /** The use of the write-ahead log; empty on a server that does not count it. */
    Optional<List<WalWritten>> walWritten() throws SQLException {
        return wal.read();
    }

    /**
     * @param temporaryFiles by process number, which may be of an earlier moment
     * @param described for workers that have worked longer than this their table is described
     */
    Sample sample(Map<Integer, Long> temporaryFiles, Duration described) throws SQLException {
        List<Row> rows = rows();
        roles.learn(rows.stream()
                .filter(row -> !row.worker())
                .map(Row::role)
                .distinct()
                .toList());
        List<Session> sessions = new ArrayList<>();
        List<MaintenanceWorker> workers = new ArrayList<>();
        for (Row row : rows) {
            if (row.worker()) {
                worker(row, described).ifPresent(workers::add);
            } else {
                session(row, temporaryFiles).ifPresent(sessions::add);
            }
        }
        return new Sample(sessions, workers);
    }

    /**
     * @param table of a worker of autovacuum; 0 when it is not known
     * @param vacuums whether it removes old rows, which runs no code of a tenant
     */
    private record Row(
            ProcessId id,
            long role,
            boolean worker,
            boolean busy,
            boolean onProcessor,
            long locks,
            Duration age,
            String text,
            long table,
            boolean vacuums) {}

    private List<Row> rows() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SAMPLE)) {
            statement.setLong(1, database);
            statement.setArray(2, connection.createArrayOf("oid", roles.platform()));
            try (ResultSet rows = statement.executeQuery()) {
                List<Row> read = new ArrayList<>();
                while (rows.next()) {
                    read.add(new Row(
                            new ProcessId(rows.getInt(1), rows.getLong(2)),
                            rows.getLong(3),
                            rows.getBoolean(4),
                            rows.getBoolean(5),
                            rows.getBoolean(11),
                            rows.getLong(6),
                            Duration.ofMillis(Math.max(0, rows.getLong(7))),
                            rows.getString(8),
                            rows.getLong(9),
                            rows.getBoolean(10)));
                }
                return read;
            }
        }
    }

    /** Empty for a role of neither the platform nor a project. */
    private Optional<Session> session(Row row, Map<Integer, Long> temporaryFiles) {
        Optional<String> name = roles.name(row.role());
        Optional<DatabaseRole> level = name.flatMap(ProjectNames::roleOf);
        if (name.isPresent() && level.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Session(
                row.id(),
                level.isEmpty() || level.get() == DatabaseRole.OWNER ? Login.OWNER : Login.DATA_PLANE,
                name.flatMap(ProjectNames::projectIdIn),
                row.busy(),
                row.onProcessor(),
                row.age(),
                row.locks(),
                temporaryFiles.getOrDefault(row.id().pid(), 0L)));
    }

    /** Empty for a worker that runs no code of a tenant: at a table of the platform, or removing old rows. */
    private Optional<MaintenanceWorker> worker(Row row, Duration described) throws SQLException {
        Optional<MaintenanceText> text = MaintenanceText.of(row.text());
        if (text.isEmpty() || row.vacuums() || !text.get().runsExpressions()) {
            return Optional.empty();
        }
        Optional<UUID> owner = ProjectNames.projectIdIn(text.get().schema());
        if (owner.isEmpty()) {
            return Optional.empty();
        }
        String relation = text.get().relation();
        var worker = new MaintenanceWorker(
                row.id(),
                owner,
                relation,
                text.get().summarizes() ? 0 : row.table(),
                row.age(),
                row.locks(),
                text.get().summarizes() ? List.of("index " + relation) : List.of());
        return Optional.of(worker.table() != 0 && row.age().compareTo(described) > 0 ? described(worker) : worker);
    }

    private MaintenanceWorker described(MaintenanceWorker worker) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(EXPRESSIONS)) {
            statement.setLong(1, worker.table());
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new MaintenanceWorker(
                                worker.id(),
                                worker.owner(),
                                row.getString(1),
                                worker.table(),
                                worker.working(),
                                worker.locks(),
                                List.of((String[]) row.getArray(2).getArray()))
                        : worker;
            }
        }
    }
}
