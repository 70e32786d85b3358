package svc.management.log;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import svc.management.json.StrictJson;
import svc.platform.budget.Budget;
import svc.platform.budget.BudgetMetrics;
import svc.platform.budget.Limit;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.projectlog.LogConfig;
import svc.platform.projectlog.LogSource;
import svc.postgres.PlatformUnavailable;

/**
 * Streams the lines of projects as they come, each from a thread of its own that reads again when its client has taken what was
 * read before: a slow client costs its own place and nothing else.
 */
@ApplicationScoped
class LogFollowers {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofSeconds(10);

    /** Without a line, a client learns that the stream is alive, and this side that the client is. */
    private static final int POLLS_OF_HEARTBEAT = 10;

    private static final int SHARE = 5;

    private final LogLines log;
    private final Duration longest;
    private final Budget places;
    private final Limit ofProject;

    LogFollowers(LogLines log, LogConfig config, MeterRegistry metrics) {
        this.log = log;
        this.longest = config.followTime();
        this.places = new Budget("log-followers", config.followers());
        this.ofProject = new Limit.Fixed(Math.max(1, config.followers() / SHARE));
        BudgetMetrics.register(places, metrics);
    }

    /** How a stream is written. */
    enum Form {
        /** One JSON object a line; an empty line as a heartbeat. */
        LINES,
        /** Server-sent events, whose ids resume a stream. */
        EVENTS;

        byte[] of(LogLines.Line line) throws IOException {
            String json = StrictJson.get().writeValueAsString(line);
            String text = this == LINES ? json + "\n" : "id: " + line.id() + "\ndata: " + json + "\n\n";
            return text.getBytes(StandardCharsets.UTF_8);
        }

        byte[] heartbeat() {
            return (this == LINES ? "\n" : ":\n\n").getBytes(StandardCharsets.US_ASCII);
        }
    }

    /**
     * The stream: lines that were read, then those stored after the last of them.
     *
     * @param position the stream begins after it if there is no line yet; negative for now
     * @throws ProblemException 503 if too many streams are open
     */
    StreamingOutput follow(UUID project, List<LogSource> sources, Form form, List<LogLines.Line> first, long position) {
        if (!isFree(project)) {
            throw Problem.of(ProblemCode.LOGS_UNAVAILABLE, "Too many requests follow logs.")
                    .withHint("Retry without follow.")
                    .retryAfter(RETRY)
                    .asException();
        }
        long last = first.stream().mapToLong(LogLines.Line::position).max().orElse(position);
        // Acquired where it is released: if the client disconnects before the stream begins, this code never runs.
        return output -> {
            try (Permit place = open(project)) {
                if (place.grow(1) == Verdict.GRANTED) {
                    stream(output, project, sources, form, first, last);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private Permit open(UUID project) {
        return places.whole().part(project.toString(), ofProject).open();
    }

    private boolean isFree(UUID project) {
        try (Permit place = open(project)) {
            return place.grow(1) == Verdict.GRANTED;
        }
    }

    private void stream(
            OutputStream output,
            UUID project,
            List<LogSource> sources,
            Form form,
            List<LogLines.Line> first,
            long position)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long last = position;
        int silent = 0;
        output.write(form.heartbeat());
        for (List<LogLines.Line> lines = first; ; lines = next(project, last, sources)) {
            for (LogLines.Line line : lines) {
                output.write(form.of(line));
                last = Math.max(last, line.position());
            }
            silent = lines.isEmpty() ? silent + 1 : 0;
            if (silent % POLLS_OF_HEARTBEAT == POLLS_OF_HEARTBEAT - 1) {
                output.write(form.heartbeat());
            }
            output.flush();
            if (System.nanoTime() > end) {
                return;
            }
            Thread.sleep(POLL);
        }
    }

    /** A read that found no place, or no database, is repeated with the next. */
    private List<LogLines.Line> next(UUID project, long last, List<LogSource> sources) {
        try {
            return log.after(project, last, sources);
        } catch (ProblemException | PlatformUnavailable e) {
            return List.of();
        }
    }
}
