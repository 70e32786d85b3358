package svc.management.query;

/** The rate limit of SQL calls; a bean of its own, so that a test can replace it without restarting the application. */
public interface SqlQuota {
    /** Calls per minute and project, over all instances. */
    int perMinute();

    /** The same of migrations, branches and realtime tables. */
    default int migrationsPerMinute() {
        return perMinute();
    }

    /** The same of runs of jobs: each of a project's 100 may run every minute, with some room for intervals of seconds. */
    default int jobsPerMinute() {
        return 120;
    }
}
