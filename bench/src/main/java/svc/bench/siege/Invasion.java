package svc.bench.siege;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import svc.bench.measure.BenchDatabase;
import svc.e2e.platform.Answer;

/**
 * Fresh projects of one organisation that attack with calls of their own until this is closed: a project that attacked before
 * may be in quarantine. Closing it prints what the calls were answered, deletes the projects, and returns when their backends
 * have ended.
 */
final class Invasion implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** What a project may do in a minute is used up soon. */
    private static final Duration PAUSE_OF_REFUSED = Duration.ofSeconds(1);

    private static final Duration CLEANING_LIMIT = Duration.ofMinutes(4);
    private static final int THROTTLED = 429;
    private static final int GONE = 404;

    private final String name;
    private final Tenant tenant;
    private final List<JsonNode> projects;
    private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** @param name in the output @param projects which are its own */
    Invasion(Tenant tenant, String name, List<JsonNode> projects) {
        this.name = name;
        this.tenant = tenant;
        this.projects = projects;
    }

    /** Makes the projects. */
    static Invasion of(Tenant tenant, String name, int count) throws IOException {
        List<JsonNode> projects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            projects.add(tenant.project(name + " " + i));
        }
        return new Invasion(tenant, name, projects);
    }

    /** Runs scripts in each project, one after another. A refusal is the platform's defence, and is printed in the end. */
    Invasion prepared(List<String> scripts) {
        for (JsonNode project : projects) {
            for (String script : scripts) {
                once("preparing", () -> tenant.query(project, script));
            }
        }
        return this;
    }

    Invasion prepared(String script) {
        return prepared(List.of(script));
    }

    /** From now on each project sends a script to the SQL endpoint again and again. @param script of the project's number */
    Invasion scripts(int atOnce, IntFunction<String> script) {
        for (int i = 0; i < projects.size(); i++) {
            JsonNode project = projects.get(i);
            String sql = script.apply(i);
            again(atOnce, "SQL", () -> tenant.query(project, sql));
        }
        return this;
    }

    Invasion scripts(int atOnce, String script) {
        return scripts(atOnce, project -> script);
    }

    @FunctionalInterface
    interface ProjectCall {
        HttpRequest.Builder request(Tenant tenant, JsonNode project, int number);
    }

    /** From now on each project's data plane gets these calls. */
    Invasion calls(int atOnce, String what, ProjectCall call) {
        for (JsonNode project : projects) {
            var number = new AtomicInteger();
            again(atOnce, what, () -> tenant.send(call.request(tenant, project, number.getAndIncrement())));
        }
        return this;
    }

    @FunctionalInterface
    private interface Sent {
        Answer answer() throws IOException;
    }

    private void again(int atOnce, String what, Sent sent) {
        for (int i = 0; i < atOnce; i++) {
            threads.execute(() -> {
                try {
                    while (!threads.isShutdown()) {
                        Thread.sleep(once(what, sent) == THROTTLED ? PAUSE_OF_REFUSED : PAUSE);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    /** Returns the status; 0 without an answer. */
    private int once(String what, Sent sent) {
        String outcome;
        int status = 0;
        try {
            Answer answer = sent.answer();
            status = answer.status();
            outcome = status < 300 ? "" + status : status + " " + code(answer);
        } catch (IOException e) {
            if (threads.isShutdown()) {
                return 0;
            }
            outcome = e.toString();
        }
        outcomes.computeIfAbsent(what + " " + outcome, key -> new LongAdder()).increment();
        return status;
    }

    private static String code(Answer answer) {
        try {
            JsonNode body = answer.json();
            String code = body.path("code").asText();
            return code.isEmpty() ? body.path("message").asText() : code;
        } catch (IllegalStateException e) {
            return answer.body();
        }
    }

    @Override
    public void close() throws IOException, SQLException, InterruptedException {
        threads.shutdownNow();
        System.err.println(name + ": "
                + outcomes.entrySet().stream()
                        .map(outcome -> outcome.getKey() + " × " + outcome.getValue())
                        .collect(Collectors.joining(", ")));
        long end = System.nanoTime() + CLEANING_LIMIT.toNanos();
        List<JsonNode> kept = new ArrayList<>(projects);
        kept.removeIf(this::deleted);
        while (!kept.isEmpty() && System.nanoTime() < end) {
            // The platform may still suffer from what they did.
            Thread.sleep(PAUSE_OF_REFUSED);
            kept.removeIf(this::deleted);
        }
        kept.forEach(project -> System.err.println(name + ": not deleted: " + Tenant.ref(project)));
        awaitBackends(end);
    }

    private boolean deleted(JsonNode project) {
        try {
            int status = tenant.delete(project).status();
            return status < 300 || status == GONE;
        } catch (IOException e) {
            return false;
        }
    }

    private void awaitBackends(long end) throws IOException, SQLException, InterruptedException {
        var database = BenchDatabase.of(tenant.platform());
        String left = "SELECT usename || ' ' || pid || ' ' || left(query, 60) FROM pg_stat_activity WHERE "
                + projects.stream()
                        .map(project ->
                                "starts_with(usename, '" + project.get("schema").asText() + "')")
                        .collect(Collectors.joining(" OR "));
        List<String> backends = database.texts(left);
        while (!backends.isEmpty() && System.nanoTime() < end) {
            Thread.sleep(PAUSE_OF_REFUSED);
            backends = database.texts(left);
        }
        backends.forEach(backend -> System.err.println(name + ": still there: " + backend));
    }
}
