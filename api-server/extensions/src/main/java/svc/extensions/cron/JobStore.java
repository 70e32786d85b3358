package svc.extensions.cron;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.sql.SqlFragment;
import svc.postgres.Row;
import svc.postgres.Statements;

/** The tables of jobs and runs of one database. Passes over rows that a transaction of their project has locked. */
final class JobStore {
    /** Runs of a project that are kept, the newest. */
    static final int KEPT_RUNS = 200;

    /** Characters of a message that are kept. */
    private static final int MAX_MESSAGE = 2_000;

    /** Rows that one statement closes. */
    private static final int BATCH = 500;

    private static final SqlFragment PROJECTS = SqlFragment.of("""
            SELECT DISTINCT j.schema_name FROM svc_cron.stored_job j
            WHERE j.active AND (j.due_at IS NULL OR j.due_at <= ?::timestamptz) AND j.schema_name > ?
            ORDER BY j.schema_name LIMIT ?::bigint""");
    private static final SqlFragment DUE = SqlFragment.of("""
            SELECT j.schema_name, j.jobid, j.calendar::text[] AS calendar, j.due_at,
                ARRAY(SELECT r.runid::text FROM svc_cron.stored_run r
                      WHERE r.schema_name = j.schema_name AND r.jobid = j.jobid AND r.status = 'running'
                        AND r.start_time >= ?::timestamptz) AS open
            FROM svc_cron.stored_job j
            WHERE j.schema_name = ? AND j.active AND (j.due_at IS NULL OR j.due_at <= ?::timestamptz)
            ORDER BY j.due_at NULLS FIRST, j.jobid
            FOR UPDATE OF j SKIP LOCKED""");
    private static final SqlFragment SET_DUE = SqlFragment.of("""
            UPDATE svc_cron.stored_job j SET due_at = d.due::timestamptz
            FROM unnest(?::text[], ?::text[], ?::text[]) AS d (schema_name, jobid, due)
            WHERE j.schema_name = d.schema_name AND j.jobid = d.jobid::bigint""");
    private static final SqlFragment ADD_RUN = SqlFragment.of("""
            WITH numbered AS (
                UPDATE svc_cron.stored_job j SET last_run = 1 + greatest(
                    (SELECT max(o.last_run) FROM svc_cron.stored_job o WHERE o.schema_name = j.schema_name),
                    (SELECT max(r.runid) FROM svc_cron.stored_run r WHERE r.schema_name = j.schema_name))
                WHERE j.schema_name = ? AND j.jobid = ?::bigint
                RETURNING j.schema_name, j.last_run, j.jobid, j.command)
            INSERT INTO svc_cron.stored_run (schema_name, runid, jobid, command, status, return_message, start_time, end_time)
            SELECT n.schema_name, n.last_run, n.jobid, n.command, ?, ?, ?::timestamptz, ?::timestamptz FROM numbered n
            RETURNING runid, command""");
    private static final SqlFragment END_RUN = SqlFragment.of("""
            WITH free AS (
                SELECT r.schema_name, r.runid FROM svc_cron.stored_run r
                WHERE r.schema_name = ? AND r.runid = ?::bigint AND r.jobid = ?::bigint AND r.start_time = ?::timestamptz
                FOR UPDATE SKIP LOCKED)
            UPDATE svc_cron.stored_run r SET status = ?, return_message = ?, end_time = ?::timestamptz
            FROM free WHERE r.schema_name = free.schema_name AND r.runid = free.runid""");
    private static final SqlFragment EXISTS = SqlFragment.of("""
            SELECT r.runid FROM svc_cron.stored_run r
            WHERE r.schema_name = ? AND r.runid = ?::bigint AND r.jobid = ?::bigint AND r.start_time = ?::timestamptz""");
    private static final SqlFragment CLOSE = SqlFragment.of("""
            WITH lost AS (
                SELECT r.schema_name, r.runid FROM svc_cron.stored_run r
                WHERE r.status = 'running' AND r.start_time < ?::timestamptz
                  AND r.schema_name || '/' || r.runid <> ALL (?::text[])
                LIMIT ?::bigint FOR UPDATE SKIP LOCKED)
            UPDATE svc_cron.stored_run r SET status = 'failed', return_message = ?, end_time = ?::timestamptz
            FROM lost WHERE r.schema_name = lost.schema_name AND r.runid = lost.runid
            RETURNING r.schema_name""");
    private static final SqlFragment TRIM = SqlFragment.of("""
            DELETE FROM svc_cron.stored_run d USING (
                SELECT r.schema_name, r.runid FROM svc_cron.stored_run r
                WHERE r.schema_name = ? AND r.status <> 'running' AND r.runid <= (
                    SELECT k.runid FROM svc_cron.stored_run k WHERE k.schema_name = r.schema_name
                    ORDER BY k.runid DESC OFFSET ?::bigint LIMIT 1)
                FOR UPDATE SKIP LOCKED) old
            WHERE d.schema_name = old.schema_name AND d.runid = old.runid""");
    private final Statements database;

    /** @param database a transaction, where several calls belong together */
    JobStore(Statements database) {
        this.database = database;
    }

    /** Schemas of projects with jobs that are due or whose next time is not known, in their order, behind one of them. */
    List<String> projects(Instant now, String after, int most) {
        return database.query(PROJECTS, row -> row.text("schema_name"), now, after, (long) most);
    }

    /**
     * Jobs of a project that are due, or whose next time is not known; they stay locked until the transaction ends.
     *
     * @param alive a run that began before has ended, or its process has
     */
    List<Job> due(String schema, Instant now, Instant alive) {
        return database.query(DUE, JobStore::job, alive, schema, now);
    }

    private static Job job(Row row) {
        return new Job(
                row.text("schema_name"),
                row.number("jobid"),
                Calendar.of(row.texts("calendar").stream().map(Long::valueOf).toList()),
                row.optional("due_at", Instant.class),
                row.texts("open").stream().map(Long::valueOf).toList());
    }

    /** Sets the next times of jobs that the transaction has locked; empty for those that never run again. */
    void setDue(Map<Job, Optional<Instant>> times) {
        List<String> schemas = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        List<String> dues = new ArrayList<>();
        times.forEach((job, due) -> {
            schemas.add(job.schema());
            ids.add(Long.toString(job.id()));
            dues.add(due.map(Instant::toString).orElse("infinity"));
        });
        if (!schemas.isEmpty()) {
            database.update(SET_DUE, schemas, ids, dues);
        }
    }

    /** A run that has been written, with the command of its job. */
    record Added(Run.Key key, String command) {}

    /** Writes a run of a job that the transaction has locked. */
    Added add(Run run) {
        return database.query(
                        ADD_RUN,
                        row -> new Added(new Run.Key(run.job(), row.number("runid"), run.start()), row.text("command")),
                        run.job().schema(),
                        run.job().id(),
                        run.status().wire(),
                        run.message().map(JobStore::cut).orElse(null),
                        run.start(),
                        run.end().orElse(null))
                .getFirst();
    }

    /** Writes the end of a run. False if its project has locked the row: it is to be written later. */
    boolean end(Run.Key run, JobResult result, Instant now) {
        Run.Status status = result.succeeded() ? Run.Status.SUCCEEDED : Run.Status.FAILED;
        long job = run.job().id();
        int written = database.update(
                END_RUN, run.schema(), run.id(), job, run.start(), status.wire(), cut(result.message()), now);
        return written > 0
                || database.query(EXISTS, row -> row.number("runid"), run.schema(), run.id(), job, run.start())
                        .isEmpty();
    }

    /** Deletes all but the newest runs of a project. */
    void trim(String schema) {
        database.update(TRIM, schema, (long) KEPT_RUNS);
    }

    /**
     * Closes runs that began before a time and whose ends are not written.
     *
     * @param without runs whose ends will be written
     * @return schemas of their projects
     */
    Set<String> close(Instant before, Collection<Run.Key> without, String why, Instant now) {
        List<String> kept =
                without.stream().map(run -> run.schema() + "/" + run.id()).toList();
        Set<String> schemas = new HashSet<>();
        List<String> closed;
        do {
            closed = database.query(CLOSE, row -> row.text("schema_name"), before, kept, (long) BATCH, why, now);
            schemas.addAll(closed);
        } while (closed.size() == BATCH);
        return schemas;
    }

    /** A text of PostgreSQL has no NUL, and a tenant decides how long its errors are. */
    static String cut(String message) {
        String kept = message.replace('\0', ' ');
        if (kept.length() <= MAX_MESSAGE) {
            return kept;
        }
        int end = Character.isHighSurrogate(kept.charAt(MAX_MESSAGE - 1)) ? MAX_MESSAGE - 1 : MAX_MESSAGE;
        return kept.substring(0, end) + "…";
    }
}
