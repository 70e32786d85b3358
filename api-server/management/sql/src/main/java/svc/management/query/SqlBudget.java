package svc.management.query;

import svc.platform.ratelimit.RateDecision;

/** What is counted together of a project's calls that run SQL: each has a limit per minute of its own. */
public enum SqlBudget {
    /** SQL that a caller sends to be run and answered (SPEC 4.3 rule 5). */
    QUERIES("", "SQL requests", "Combine several statements into one request"),
    /** Migrations and their history, branches, and the tables of realtime: what CI jobs and deployments call. */
    MIGRATIONS(
            "migrations",
            "calls for migrations, branches and realtime tables",
            "Send several migrations as one folder"),
    /** Runs of jobs ({@code cron.schedule}), which no caller waits for. */
    JOBS("jobs", "runs of jobs", "Do the work of several jobs in one");

    private final String subject;
    private final String calls;
    private final String advice;

    SqlBudget(String subject, String calls, String advice) {
        this.subject = subject;
        this.calls = calls;
        this.advice = advice;
    }

    /** The part of a project that the limiter counts by itself. */
    String subject() {
        return subject;
    }

    int perMinute(SqlQuota quota) {
        return switch (this) {
            case QUERIES -> quota.perMinute();
            case MIGRATIONS -> quota.migrationsPerMinute();
            case JOBS -> quota.jobsPerMinute();
        };
    }

    /** Completes "The project has used its …". */
    String used(RateDecision decision) {
        return decision.limit() + " " + calls + " per minute";
    }

    String advice() {
        return advice;
    }
}
