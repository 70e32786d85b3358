package svc.extensions.cron;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import svc.database.sql.SqlFragment;
import svc.postgres.Row;
import svc.postgres.Statements;

/** The tables of jobs and runs of one database. Passes over rows that a transaction of their project has locked. */
final class JobStore {
    /** Runs of a project that are kept, the newest. */
    static final int KEPT_RUNS = 200;

    /** Characters of a message that are kept. */
    private static final int MAX_MESSAGE = 2_000;

    private static final SqlFragment DUE = SqlFragment.of("""
            SELECT j.schema_name, j.jobid, j.calendar::text[] AS calendar, j.command, j.due_at
            FROM svc_cron.stored_job j
            WHERE j.active AND (j.due_at IS NULL OR j.due_at <= ?::timestamptz) AND j.schema_name <> ALL (?::text[])
            ORDER BY j.due_at NULLS FIRST
            LIMIT ?::bigint
            FOR UPDATE SKIP LOCKED""");
    private static final SqlFragment SET_DUE = SqlFragment.of("""
            UPDATE svc_cron.stored_job j SET due_at = d.due::timestamptz
            FROM unnest(?::text[], ?::text[], ?::text[]) AS d (schema_name, jobid, due)
            WHERE j.schema_name = d.schema_name AND j.jobid = d.jobid::bigint""");
    private static final SqlFragment ADD_RUN = SqlFragment.of("""
            INSERT INTO svc_cron.stored_run (schema_name, runid, jobid, command, status, return_message, start_time, end_time)
            SELECT g.schema_name, 1 + coalesce(
                    (SELECT max(r.runid) FROM svc_cron.stored_run r WHERE r.schema_name = g.schema_name), 0),
                ?::bigint, ?, ?, ?, ?::timestamptz, ?::timestamptz
            FROM (SELECT ?::text) AS g (schema_name)
            RETURNING runid""");
    private static final SqlFragment END_RUN = SqlFragment.of("""
            WITH free AS (
                SELECT r.schema_name, r.runid FROM svc_cron.stored_run r
                WHERE r.schema_name = ? AND r.runid = ?::bigint FOR UPDATE SKIP LOCKED)
            UPDATE svc_cron.stored_run r SET status = ?, return_message = ?, end_time = ?::timestamptz
            FROM free WHERE r.schema_name = free.schema_name AND r.runid = free.runid""");
    private static final SqlFragment EXISTS =
            SqlFragment.of("SELECT r.runid FROM svc_cron.stored_run r WHERE r.schema_name = ? AND r.runid = ?::bigint");
    private static final SqlFragment TRIM = SqlFragment.of("""
            DELETE FROM svc_cron.stored_run d USING (
                SELECT r.schema_name, r.runid FROM svc_cron.stored_run r
                WHERE r.schema_name = ? AND r.status <> 'running' AND r.runid <= (
                    SELECT k.runid FROM svc_cron.stored_run k WHERE k.schema_name = r.schema_name
                    ORDER BY k.runid DESC OFFSET ?::bigint LIMIT 1)
                FOR UPDATE SKIP LOCKED) old
            WHERE d.schema_name = old.schema_name AND d.runid = old.runid""");
    private static final SqlFragment RUNNING = SqlFragment.of("""
            SELECT r.schema_name, r.runid FROM svc_cron.stored_run r WHERE r.status = 'running' LIMIT 10000""");

    private final Statements database;

    /** @param database a transaction, where several calls belong together */
    JobStore(Statements database) {
        this.database = database;
    }

    /**
     * Jobs that are due, or whose next time is not known; they stay locked until the transaction ends.
     *
     * @param without schemas of projects that have no place
     */
    List<Job> due(Instant now, Collection<String> without, int most) {
        return database.query(DUE, JobStore::job, now, without, (long) most);
    }

    private static Job job(Row row) {
        return new Job(
                row.text("schema_name"),
                row.number("jobid"),
                Calendar.of(row.texts("calendar").stream().map(Long::valueOf).toList()),
                row.text("command"),
                row.optional("due_at", Instant.class));
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

    /** Writes a run and returns its key. */
    Run.Key add(Run run) {
        long id = database.query(
                        ADD_RUN,
                        row -> row.number("runid"),
                        run.job().id(),
                        run.job().command(),
                        run.status().wire(),
                        run.message().map(JobStore::cut).orElse(null),
                        run.start(),
                        run.end().orElse(null),
                        run.job().schema())
                .getFirst();
        return new Run.Key(run.job().schema(), id);
    }

    /** Writes the end of a run. False if its project has locked the row: it is to be written later. */
    boolean end(Run.Key run, JobResult result, Instant now) {
        Run.Status status = result.succeeded() ? Run.Status.SUCCEEDED : Run.Status.FAILED;
        int written = database.update(END_RUN, run.schema(), run.id(), status.wire(), cut(result.message()), now);
        return written > 0
                || database.query(EXISTS, row -> row.number("runid"), run.schema(), run.id())
                        .isEmpty();
    }

    /** Deletes all but the newest runs of projects. */
    void trim(Collection<String> schemas) {
        schemas.forEach(schema -> database.update(TRIM, schema, (long) KEPT_RUNS));
    }

    /** Runs whose end is not written. */
    Stream<Run.Key> running() {
        return database.query(RUNNING, row -> new Run.Key(row.text("schema_name"), row.number("runid"))).stream();
    }

    /** A text of PostgreSQL has no NUL, and a tenant decides how long its errors are. */
    private static String cut(String message) {
        String kept = message.replace('\0', ' ');
        if (kept.length() <= MAX_MESSAGE) {
            return kept;
        }
        int end = Character.isHighSurrogate(kept.charAt(MAX_MESSAGE - 1)) ? MAX_MESSAGE - 1 : MAX_MESSAGE;
        return kept.substring(0, end) + "…";
    }
}
