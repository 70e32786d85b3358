package svc.extensions.cron;

import java.time.Duration;
import svc.platform.tenancy.Tenant;

/** Runs the commands of jobs: as the owner of their project, through the SQL gate, within the limits of its SQL. */
public interface JobCommands {
    /** Runs one command and waits for its end, which has a limit. Never throws for what the command does. */
    JobResult run(Tenant tenant, long jobId, String command);

    /** After which {@link #run} has returned, or its process has ended. */
    Duration limit();
}
