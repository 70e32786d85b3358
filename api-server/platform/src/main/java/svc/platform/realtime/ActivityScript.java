package svc.platform.realtime;

import io.vertx.redis.client.Response;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

/**
 * How processes tell each other in Redis what a project has open: a hash of the project with a field for each process, which
 * counts for {@value #LIFE_SECONDS} s by the clock of Redis. One script writes the own field and reads those of the others.
 */
public final class ActivityScript {
    /** A process that is lost counts for so long. */
    public static final int LIFE_SECONDS = 15;

    private static final String TEXT = """
            local now = tonumber(redis.call('TIME')[1])
            if ARGV[2] ~= '' then
              redis.call('HSET', KEYS[1], ARGV[1], now .. ' ' .. ARGV[2])
              redis.call('EXPIRE', KEYS[1], 2 * %1$d)
            end
            local others = {}
            local all = redis.call('HGETALL', KEYS[1])
            for i = 1, #all, 2 do
              local space = string.find(all[i + 1], ' ', 1, true)
              if now - tonumber(string.sub(all[i + 1], 1, space)) > %1$d then
                redis.call('HDEL', KEYS[1], all[i])
              elseif all[i] ~= ARGV[1] then
                others[#others + 1] = string.sub(all[i + 1], space + 1)
              end
            end
            return others
            """.formatted(LIFE_SECONDS);

    private ActivityScript() {}

    /** Arguments of EVAL that write what this process has, and read what the others have. */
    public static List<String> exchange(UUID projectId, UUID process, RealtimeActivity own) {
        return List.of(TEXT, "1", key(projectId), process.toString(), own.text());
    }

    /** Arguments of EVAL that read what all processes have. */
    public static List<String> read(UUID projectId) {
        return List.of(TEXT, "1", key(projectId), "", "");
    }

    /** Arguments of HDEL for a process that has nothing open any more. */
    public static List<String> leave(UUID projectId, UUID process) {
        return List.of(key(projectId), process.toString());
    }

    /** What the script has answered. */
    public static RealtimeActivity sum(Response answer) {
        return RealtimeActivity.sum(StreamSupport.stream(answer.spliterator(), false)
                .map(Response::toString)
                .toList());
    }

    private static String key(UUID projectId) {
        return "svc:" + projectId + ":realtime-activity";
    }
}
