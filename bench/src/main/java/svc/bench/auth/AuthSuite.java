package svc.bench.auth;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import svc.bench.measure.AuthProject;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.Exchange;
import svc.bench.measure.Figure;
import svc.bench.measure.Measured;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.bench.measure.Tool;
import svc.bench.measure.Wrk;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * The auth service under load, with PostgreSQL and the load beside it on one machine: refresh and {@code GET /user} by wrk,
 * sign-in by password, of which nearly all is the hash, and what projects cost that have users and no calls.
 */
public final class AuthSuite implements Suite {
    private static final int CONNECTIONS = 32;
    private static final int SECONDS = 5;
    private static final int WARM_UP_RUNS = 3;
    private static final int RUNS = 3;
    private static final int USERS = 2 * CONNECTIONS;
    private static final int SIGN_INS = 25;
    private static final int IDLE_PROJECTS = 1000;
    private static final int AT_ONCE = 8;
    private static final double MIN_REFRESHES = 1500;
    private static final double MIN_READS = 3000;

    /** After so long without use a connection closes; in production 30 s. */
    private static final Duration IDLE = Duration.ofSeconds(3);

    /** Within it all of them are gone, threads of the virtual machine that only wait for work among them. */
    private static final Duration QUIET = Duration.ofSeconds(25);

    /** The virtual machine keeps some threads that only wait for work; they do not grow with the number of projects. */
    private static final int MAX_THREADS = 8;

    private static final String PASSWORD = "correct horse";

    /** Of that password, as Supabase's service has it: bcrypt with a cost of 10. */
    private static final String IMPORTED = "$2a$10$KBCwKxOzLha2MUDgW0PjXe3YWzG9nt08N08NKofFFY/Mxyb/oaUy2";

    private static final String SETTINGS = "{\"auth\":{\"anonymousSignIn\":true,"
            + "\"email\":{\"autoconfirm\":true},\"rateLimits\":{\"anonymousPerHour\":1000000,"
            + "\"refreshesPerHour\":1000000,\"signUpsPerHour\":1000000}}}";

    @Override
    public String name() {
        return "auth";
    }

    @Override
    public List<Figure> run() throws Exception {
        Optional<Tool> wrk = Tool.find("wrk");
        if (wrk.isEmpty()) {
            System.err.println("auth: skipped, it needs wrk, the load (Debian: apt-get install wrk)");
            return List.of();
        }
        Path data = Files.createTempDirectory("svc-bench-");
        Path work = Files.createTempDirectory("svc-bench-load-");
        var command = PlatformCommand.onFreePorts(data)
                .with("-Dquarkus.vertx.prefer-native-transport=false")
                .with("-Dsvc.api.database.idle=" + IDLE);
        try (Platform platform = Platform.start(command)) {
            var load = new Wrk(wrk.get(), work, CONNECTIONS, SECONDS);
            List<Figure> figures = new ArrayList<>(underLoad(platform, load));
            figures.addAll(idle(platform));
            return figures;
        } finally {
            Folders.deleteRecursively(data);
            Folders.deleteRecursively(work);
        }
    }

    private static List<Figure> underLoad(Platform platform, Wrk load) throws Exception {
        AuthProject project = AuthProject.create(platform);
        platform.controlPlane().patch("/projects/" + project.ref(), SETTINGS).expect(200);
        project.awaitAnonymousSignIn();
        for (int i = 0; i < USERS; i++) {
            project.signUp(user(i), PASSWORD);
        }
        URI gateway = URI.create(platform.connection().baseUrl()).resolve("/");
        Path callers = load.callers(
                "users",
                sessions(project, "access_token").stream()
                        .map(token -> List.of(
                                "Host: " + project.host(),
                                "apikey: " + project.key(),
                                "Authorization: Bearer " + token))
                        .toList());
        var read = new Exchange("GET /user", "GET", "/user", 1, Optional.empty(), 1);
        Measured reads = median(() -> load.run(gateway, "/auth/v1", callers, read));
        List<String> headers = List.of("Host: " + project.host(), "apikey: " + project.key());
        // New sessions for each run: it ends with tokens on their way.
        Measured refreshes = median(() -> load.refresh(gateway, headers, sessions(project, "refresh_token")));
        List<Figure> figures = new ArrayList<>(List.of(
                atLeast("GET /user, " + CONNECTIONS + " connections", reads.perSecond(), MIN_READS),
                Figure.watched("GET /user, p99", reads.p99Millis(), "ms"),
                atLeast("refresh, " + CONNECTIONS + " connections", refreshes.perSecond(), MIN_REFRESHES),
                Figure.watched("refresh, p99", refreshes.p99Millis(), "ms")));
        figures.addAll(passwords(project, project.withServiceKey(platform)));
        return figures;
    }

    private static String user(int number) {
        return "user" + number + "@example.com";
    }

    /** A token of a new session of each user. */
    private static List<String> sessions(AuthProject project, String token) throws IOException {
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            tokens.add(project.signIn(user(i), PASSWORD).path(token).asText());
        }
        return tokens;
    }

    /**
     * One after the other. A sign-up without a password does all the rest of what a sign-in does, and more: it makes a user.
     * The first sign-in with an imported hash computes both hashes: the figure has both.
     */
    private static List<Figure> passwords(AuthProject project, AuthProject server) throws IOException {
        for (int i = 0; i < SIGN_INS; i++) {
            server.imported("imported" + i + "@example.com", IMPORTED);
        }
        var with = new ArrayList<Duration>();
        var imported = new ArrayList<Duration>();
        var without = new ArrayList<Duration>();
        for (int i = 0; i < SIGN_INS; i++) {
            int number = i;
            with.add(timed(() -> project.signIn(user(number), PASSWORD)));
            imported.add(timed(() -> project.signIn("imported" + number + "@example.com", PASSWORD)));
            without.add(timed(project::anonymous));
        }
        double rest = Samples.of(without).median();
        return List.of(
                Figure.watched(
                        "sign-in by password, argon2id, p50", Samples.of(with).median(), "ms"),
                Figure.watched("share of the hash in it", share(with, rest), "%"),
                Figure.watched(
                        "first sign-in with an imported bcrypt hash, p50",
                        Samples.of(imported).median(),
                        "ms"),
                Figure.watched("share of the two hashes in it", share(imported, rest), "%"));
    }

    private static double share(List<Duration> whole, double restMillis) {
        return 100 * (1 - restMillis / Samples.of(whole).median());
    }

    /** What the projects cost without users is not auth's: threads are counted from when they lie idle the first time. */
    private static List<Figure> idle(Platform platform) throws Exception {
        BenchDatabase database = BenchDatabase.of(platform);
        List<AuthProject> projects = inParallel(Collections.nCopies(
                IDLE_PROJECTS, () -> AuthProject.create(platform).withServiceKey(platform)));
        Thread.sleep(QUIET);
        int before = threads(platform);
        List<Callable<JsonNode>> made = new ArrayList<>();
        projects.forEach(project -> made.add(() -> project.madeUser("ann@example.com")));
        inParallel(made);
        int connectionsInUse = database.connectionsOfProjects();
        int threadsInUse = threads(platform);
        Thread.sleep(QUIET);
        int connections = database.connectionsOfProjects();
        int threads = threads(platform);
        String users = IDLE_PROJECTS + " projects with users";
        return List.of(
                Figure.watched("connections right after %s were used".formatted(users), connectionsInUse, ""),
                Figure.atMost("connections of %s, idle".formatted(users), connections, "", 0),
                Figure.watched("threads more right after their use", threadsInUse - before, ""),
                Figure.atMost("threads more, idle", Math.max(0, threads - before), "", MAX_THREADS));
    }

    private static <T> List<T> inParallel(List<Callable<T>> work) throws Exception {
        List<T> results = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (var done : threads.invokeAll(work)) {
                results.add(done.get());
            }
        }
        return results;
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
