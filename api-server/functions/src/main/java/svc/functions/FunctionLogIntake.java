package svc.functions;

import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import org.jboss.logging.Logger;
import svc.functions.log.FunctionLog;
import svc.functions.log.LogLine;
import svc.functions.log.LogUnavailableException;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLine;
import svc.platform.projectlog.ProjectLog;

/** The one way of lines into the functions' logs, with one rate limit for each function. */
@ApplicationScoped
class FunctionLogIntake {
    private static final Logger LOG = Logger.getLogger(FunctionLogIntake.class);

    private final FunctionLog log;
    private final ProjectLog projectLog;
    private final ExecutorService threads;
    private final LogRateLimiter rateLimiter = new LogRateLimiter();

    FunctionLogIntake(FunctionLog log, ProjectLog projectLog, @VirtualThreads ExecutorService threads) {
        this.log = log;
        this.projectLog = projectLog;
        this.threads = threads;
    }

    /**
     * Appends the lines that the rate limit allows. Blocks.
     *
     * @return whether these were all
     * @throws LogUnavailableException if Redis is unreachable
     */
    boolean append(UUID project, String function, List<LogLine> lines) {
        List<LogLine> allowed = rateLimiter.allow(project + "/" + function, lines);
        allowed.forEach(line -> projectLog.add(projectLine(project, function, line)));
        log.append(project, function, allowed);
        return allowed.size() == lines.size();
    }

    private static ProjectLine projectLine(UUID project, String function, LogLine line) {
        return new ProjectLine(
                project,
                LogSource.FUNCTION,
                LogSeverity.valueOf(line.level().name()),
                ProjectLine.micros(line.time()),
                line.requestId().orElse(""),
                line.message(),
                Optional.empty(),
                Map.of("function", function, "event", line.event().name().toLowerCase(Locale.ROOT)));
    }

    /** Appends an error of the platform about a call, without waiting; it is lost if Redis is unreachable. */
    void report(UUID project, String function, String requestId, String message) {
        var line =
                new LogLine(Instant.now(), LogLine.Level.ERROR, LogLine.Event.ERROR, Optional.of(requestId), message);
        threads.execute(() -> {
            try {
                append(project, function, List.of(line));
            } catch (LogUnavailableException e) {
                LOG.debugf(e, "a line about the function %s is lost", function);
            }
        });
    }
}
