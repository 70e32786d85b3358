package svc.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * The auth service under load, with PostgreSQL and the load beside it on one machine: refresh and {@code GET /user} by wrk,
 * sign-in by password, of which nearly all is the hash, and what projects cost that have users and no calls.
 */
final class AuthSuite implements Suite {
    private static final int CONNECTIONS = 32;
    private static final int SECONDS = 5;
    private static final int WARM_UP_RUNS = 3;
    private static final int RUNS = 3;
    private static final int SESSIONS = 2 * CONNECTIONS;
    private static final int SIGN_INS = 25;
    private static final int IDLE_PROJECTS = 1000;
    private static final int AT_ONCE = 8;
    private static final double LEAST_REFRESHES = 1500;
    private static final double LEAST_READS = 3000;

    /** The pools of idle projects close before. */
    private static final Duration IDLE = Duration.ofSeconds(90);

    private static final String SETTINGS = "{\"spec\":{\"auth\":{\"anonymousSignIn\":true,"
            + "\"email\":{\"autoconfirm\":true},\"rateLimits\":{\"anonymousPerHour\":1000000,"
            + "\"refreshesPerHour\":1000000,\"signUpsPerHour\":1000000}}}}";

    @Override
    public String name() {
        return "auth";
    }

    @Override
    public List<Figure> run() throws Exception {
        Optional<Tool> wrk = Tool.find("wrk");
        Optional<Tool> kubectl = Tool.find("kubectl");
        if (wrk.isEmpty() || kubectl.isEmpty()) {
            System.err.println("auth: skipped, it needs wrk, the load, and kubectl, which sets projects up"
                    + " (Debian: apt-get install wrk kubernetes-client)");
            return List.of();
        }
        Path data = Files.createTempDirectory("svc-bench-");
        Path work = Files.createTempDirectory("svc-bench-load-");
        var command = PlatformCommand.onFreePorts(data).with("-Dquarkus.vertx.prefer-native-transport=false");
        try (Platform platform = Platform.start(command)) {
            var load = new Wrk(wrk.get(), work, CONNECTIONS, SECONDS);
            List<Figure> figures = new ArrayList<>(underLoad(platform, load, kubectl.get()));
            figures.addAll(idle(platform));
            return figures;
        } finally {
            Folders.deleteRecursively(data);
            Folders.deleteRecursively(work);
        }
    }

    private static List<Figure> underLoad(Platform platform, Wrk load, Tool kubectl) throws Exception {
        Project project = project(platform);
        kubectl.run(
                Map.of("KUBECONFIG", platform.connection().kubeconfig()),
                List.of("patch", "project", project.ref(), "-n", "svc", "--type=merge", "-p", SETTINGS));
        List<JsonNode> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(project.anonymous());
        }
        URI gateway = URI.create(platform.connection().baseUrl()).resolve("/");
        Path callers = load.callers(
                "users",
                sessions.stream()
                        .map(session -> List.of(
                                "Host: " + project.host(platform),
                                "apikey: " + project.key(),
                                "Authorization: Bearer "
                                        + session.path("access_token").asText()))
                        .toList());
        var read = new Exchange("GET /user", "GET", "/user", 1, Optional.empty(), 1);
        Measured reads = median(() -> load.run(gateway, "/auth/v1", callers, read));
        List<String> headers = List.of("Host: " + project.host(platform), "apikey: " + project.key());
        Measured refreshes = median(() -> load.refresh(gateway, headers, tokens(project)));
        List<Figure> figures = new ArrayList<>(List.of(
                atLeast("GET /user, " + CONNECTIONS + " connections", reads.perSecond(), LEAST_READS),
                Figure.watched("GET /user, p99", reads.p99Millis(), "ms"),
                atLeast("refresh, " + CONNECTIONS + " connections", refreshes.perSecond(), LEAST_REFRESHES),
                Figure.watched("refresh, p99", refreshes.p99Millis(), "ms")));
        figures.addAll(passwords(project));
        return figures;
    }

    /** New sessions for each run: it ends with tokens on their way. */
    private static List<String> tokens(Project project) throws IOException {
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            tokens.add(project.anonymous().path("refresh_token").asText());
        }
        return tokens;
    }

    /** One after the other; a sign-in without a password does all the rest. */
    private static List<Figure> passwords(Project project) throws IOException {
        String user = "{\"email\":\"ann@example.com\",\"password\":\"correct horse\"}";
        project.post("/signup", user);
        var with = new ArrayList<Duration>();
        var without = new ArrayList<Duration>();
        for (int i = 0; i < SIGN_INS; i++) {
            with.add(timed(() -> project.post("/token?grant_type=password", user)));
            without.add(timed(project::anonymous));
        }
        double whole = Samples.of(with).median();
        double rest = Samples.of(without).median();
        return List.of(
                Figure.watched("sign-in by password, p50", whole, "ms"),
                Figure.watched("share of the hash in it", 100 * (1 - rest / whole), "%"));
    }

    private static List<Figure> idle(Platform platform) throws Exception {
        int before = threads(platform);
        List<Callable<JsonNode>> made = new ArrayList<>();
        for (int i = 0; i < IDLE_PROJECTS; i++) {
            made.add(() -> withUser(platform));
        }
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (var done : threads.invokeAll(made)) {
                done.get();
            }
        }
        Thread.sleep(IDLE);
        int connections = BenchDatabase.of(platform).connectionsOfProjects();
        return List.of(
                Figure.atMost(
                        "connections of %d idle projects with users".formatted(IDLE_PROJECTS), connections, "", 0),
                Figure.atMost("threads that they cost", Math.max(0, threads(platform) - before), "", 8));
    }

    private static int threads(Platform platform) throws IOException {
        return Files.readAllLines(
                        Path.of("/proc", Long.toString(platform.process().pid()), "status"))
                .stream()
                .filter(line -> line.startsWith("Threads:"))
                .mapToInt(line ->
                        Integer.parseInt(line.substring("Threads:".length()).strip()))
                .findFirst()
                .orElse(0);
    }

    private static Project project(Platform platform) throws IOException {
        JsonNode made = platform.controlPlane().create("bench");
        String ref = made.get("ref").asText();
        return new Project(
                ref,
                platform.connection().pathUrl(ref) + "/auth/v1",
                made.get("anon_key").asText());
    }

    /** A project whose server has made a user. */
    private static JsonNode withUser(Platform platform) throws IOException {
        Project project = project(platform);
        String key = platform
                .controlPlane()
                .get("/projects/" + project.ref() + "/api-keys?reveal=true")
                .expect(200)
                .json()
                .findValuesAsText("api_key")
                .stream()
                .filter(text -> text.startsWith("svc_service_"))
                .findFirst()
                .orElseThrow();
        return new Project(project.ref(), project.url(), key)
                .post("/admin/users", "{\"email\":\"ann@example.com\",\"email_confirm\":true}");
    }

    private record Project(String ref, String url, String key) {
        String host(Platform platform) {
            return URI.create(platform.connection().dataUrl(ref)).getAuthority();
        }

        JsonNode anonymous() throws IOException {
            return post("/signup", "{}");
        }

        JsonNode post(String path, String body) throws IOException {
            // What was set a moment ago reaches the data plane by a watch.
            for (int i = 0; ; i++) {
                Answer answer = ControlPlane.send(HttpRequest.newBuilder(URI.create(url + path))
                        .header("apikey", key)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)));
                if (answer.status() == 200 || i == 50) {
                    return answer.expect(200).json();
                }
                pause();
            }
        }

        private static void pause() throws IOException {
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }

    private interface Work {
        Object run() throws IOException;
    }

    private static Duration timed(Work work) throws IOException {
        long begin = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static Measured median(Callable<Measured> run) throws Exception {
        for (int i = 0; i < WARM_UP_RUNS; i++) {
            run.call();
        }
        List<Measured> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(run.call());
        }
        return Measured.median(runs);
    }

    private static Figure atLeast(String name, double value, double least) {
        return new Figure(name, value, "1/s", null, null, null, ">= " + Figure.plain(least), value >= least);
    }
}
