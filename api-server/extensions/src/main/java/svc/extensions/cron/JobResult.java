package svc.extensions.cron;

/**
 * How a run of a job ended.
 *
 * @param message what {@code cron.job_run_details} shows: the last command's tag, or the error
 */
public record JobResult(boolean succeeded, String message) {
    public static JobResult success(String message) {
        return new JobResult(true, message);
    }

    public static JobResult failure(String message) {
        return new JobResult(false, message);
    }

    /** With a message that can be kept. */
    JobResult cut() {
        return new JobResult(succeeded, JobStore.cut(message));
    }
}
