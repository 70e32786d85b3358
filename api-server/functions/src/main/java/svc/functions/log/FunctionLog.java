package svc.functions.log;

import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.mutiny.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import svc.platform.budget.Budget;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.budget.Permit;

/**
 * The last log lines of each function: one Redis stream per function, of at most {@value #MAX_LINES} lines and about 1
 * MiB, which expires a week after the last line. All instances share it. Methods block, for at most two seconds unless
 * they say otherwise; all throw {@link LogUnavailableException} if Redis is unreachable.
 */
@ApplicationScoped
public class FunctionLog {
    /** Lines kept per function; also the maximum that one call returns. */
    public static final int MAX_LINES = 1_000;

    private static final int MAX_BYTES = 1 << 20;
    private static final Duration RETENTION = Duration.ofDays(7);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    /** Connections of the client's pool, which other code shares. */
    private static final int MAX_CONNECTIONS = 4;

    /**
     * Arguments: maximum lines, maximum bytes, time to live in seconds, then five fields for each line. Trims a tenth
     * of the lines at a time until the rest fits; the size of a stream is Redis' estimate.
     */
    private static final String APPEND = """
            for i = 4, #ARGV, 5 do
              redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[1], '*',
                't', ARGV[i], 'l', ARGV[i + 1], 'e', ARGV[i + 2], 'r', ARGV[i + 3], 'm', ARGV[i + 4])
            end
            local length = redis.call('XLEN', KEYS[1])
            while length > 1 and redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', 0) > tonumber(ARGV[2]) do
              length = math.floor(length * 0.9)
              redis.call('XTRIM', KEYS[1], 'MAXLEN', length)
            end
            redis.call('EXPIRE', KEYS[1], ARGV[3])
            return length
            """;

    private final RedisAPI redis;
    private final Budget connections = new Budget("function-log", MAX_CONNECTIONS);

    public FunctionLog(RedisAPI redis) {
        this.redis = redis;
    }

    /** Appends lines in the given order. */
    public void append(UUID projectId, String function, List<LogLine> lines) {
        if (lines.isEmpty()) {
            return;
        }
        List<String> script = new ArrayList<>(List.of(
                APPEND,
                "1",
                new LogKey(projectId, function).text(),
                Integer.toString(MAX_LINES),
                Integer.toString(MAX_BYTES),
                Long.toString(RETENTION.toSeconds())));
        for (LogLine line : lines) {
            script.add(line.time().toString());
            script.add(line.level().name().toLowerCase(Locale.ROOT));
            script.add(line.event().name().toLowerCase(Locale.ROOT));
            script.add(line.requestId().orElse(""));
            script.add(line.message());
        }
        send(projectId, () -> redis.eval(script).await().atMost(TIMEOUT));
    }

    /**
     * The newest lines, oldest first.
     *
     * @param since only lines stored at or after this time
     * @param limit at least 1; capped at {@value #MAX_LINES}
     */
    public List<LogLine> read(UUID projectId, String function, Optional<Instant> since, int limit) {
        String key = new LogKey(projectId, function).text();
        String from = since.map(time -> Long.toString(Math.max(0, time.toEpochMilli())))
                .orElse("-");
        List<LogLine> lines = lines(send(
                projectId,
                () -> redis.xrevrange(List.of(key, "+", from, "COUNT", count(limit)))
                        .await()
                        .atMost(TIMEOUT)));
        Collections.reverse(lines);
        return lines;
    }

    /**
     * The lines after a given one, oldest first; waits for new lines if there are none, and is empty if none arrived.
     *
     * @param id of the last line seen; empty to start with the first stored line
     * @param wait maximum wait, checked four times a second
     */
    public List<LogLine> follow(UUID projectId, String function, String id, int limit, Duration wait) {
        String key = new LogKey(projectId, function).text();
        String from = id.isEmpty() ? "-" : "(" + id;
        long end = System.nanoTime() + wait.toNanos();
        while (true) {
            List<LogLine> lines = lines(send(
                    projectId,
                    () -> redis.xrange(List.of(key, from, "+", "COUNT", count(limit)))
                            .await()
                            .atMost(TIMEOUT)));
            long left = end - System.nanoTime();
            if (!lines.isEmpty() || left <= 0) {
                return lines;
            }
            try {
                TimeUnit.NANOSECONDS.sleep(Math.min(left, POLL_INTERVAL.toNanos()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return List.of();
            }
        }
    }

    /** Deletes all lines of a function. */
    public void delete(UUID projectId, String function) {
        send(
                projectId,
                () -> redis.del(List.of(new LogKey(projectId, function).text()))
                        .await()
                        .atMost(TIMEOUT));
    }

    private static String count(int limit) {
        return Integer.toString(Math.clamp(limit, 1, MAX_LINES));
    }

    private interface Command {
        Response send();
    }

    private Response send(UUID projectId, Command command) {
        try (Permit connection = connection(projectId)) {
            return command.send();
        } catch (LogUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new LogUnavailableException(e);
        }
    }

    /** By turns of the projects. */
    private Permit connection(UUID projectId) {
        try {
            if (connections.whole().part(projectId.toString(), Limit.NONE).await(1, TIMEOUT)
                    instanceof Outcome.Granted(Permit connection)) {
                return connection;
            }
            throw new LogUnavailableException(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogUnavailableException(e);
        }
    }

    private static List<LogLine> lines(Response entries) {
        List<LogLine> lines = new ArrayList<>();
        if (entries == null) {
            return lines;
        }
        for (Response entry : entries) {
            Response fields = entry.get(1);
            String requestId = fields.get(7).toString();
            lines.add(new LogLine(
                    entry.get(0).toString(),
                    Instant.parse(fields.get(1).toString()),
                    LogLine.Level.valueOf(fields.get(3).toString().toUpperCase(Locale.ROOT)),
                    LogLine.Event.valueOf(fields.get(5).toString().toUpperCase(Locale.ROOT)),
                    requestId.isEmpty() ? Optional.empty() : Optional.of(requestId),
                    fields.get(9).toString()));
        }
        return lines;
    }
}
