package svc.e2e.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ConnectionFile;
import svc.e2e.platform.ControlPlane;
import svc.e2e.running.Program;
import svc.embedded.process.Folders;
import svc.embedded.process.FreePort;

/** What {@code ./svc up --detach} leaves running survives the death of its process and a database that answers nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SupervisedPlatformTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final String ROW = "[{\"id\":7}]";

    private Path tree;
    private Path data;
    private Launcher launcher;
    private ConnectionFile connection;
    private JsonNode project;

    @BeforeAll
    void up() throws IOException {
        tree = Files.createTempDirectory("svc-e2e-launcher-");
        data = Files.createTempDirectory("svc-e2e-supervised-");
        launcher = Launcher.ofThePlatform(tree);
        Launcher.Ended ended = launcher.run(
                "up", "--detach", "--data", data.toString(), "--port", Integer.toString(FreePort.findPair()));
        assertThat(ended.code()).as(ended.output()).isZero();
        connection = ConnectionFile.read(data);
        ControlPlane api = new ControlPlane(connection);
        project = api.create("supervised");
        api.query(ref(), "CREATE TABLE kept (id int PRIMARY KEY); INSERT INTO kept VALUES (7)")
                .expect(201);
        api.post(
                        "/projects/" + ref() + "/functions/deploy",
                        Map.of(
                                "name",
                                "open",
                                "source",
                                "Deno.serve(() => new Response('open'));",
                                "verify_jwt",
                                false))
                .expect(201);
    }

    @AfterAll
    void down() throws IOException {
        try {
            Launcher.Ended ended = launcher.run("down", "--data", data.toString());
            assertThat(ended.output()).contains("stopped.");
            assertThat(data.resolve("supervisor.pid")).doesNotExist();
        } finally {
            Folders.deleteRecursively(data);
            Folders.deleteRecursively(tree);
        }
    }

    @Test
    @Order(1)
    void afterKill9ItComesBackByItselfWithEverythingInIt() throws Exception {
        long before = platform();
        ProcessHandle.of(before).orElseThrow().destroyForcibly();

        awaitRows();

        assertThat(platform()).isNotEqualTo(before);
        assertThat(ConnectionFile.read(data)).isEqualTo(connection);
        JsonNode now = new ControlPlane(connection)
                .get("/projects/" + ref())
                .expect(200)
                .json();
        assertThat(now.get("anon_key")).isEqualTo(project.get("anon_key"));
        assertThat(Files.readString(data.resolve("svc.log")))
                .contains("the platform died with code 137")
                .contains("started again in 1 s");
    }

    /** Its process gets no time of a processor, but its sockets are open: the kernel accepts what is sent to them. */
    @Test
    @Order(2)
    void whileTheDatabaseAnswersNothingEveryCallIsAnswered() throws Exception {
        awaitRows();
        ProcessHandle first = firstOfTheDatabase();
        List<Long> database = new ArrayList<>(List.of(first.pid()));
        List<Answer> answers;
        // The first one starts the others: what is listed after it has stopped are all that there will be.
        signal("STOP", database);
        try {
            List<Long> others = first.descendants().map(ProcessHandle::pid).toList();
            database.addAll(others);
            signal("STOP", others);
            answers = atOnce(
                    Stream.of(calls(), calls(), calls()).flatMap(List::stream).toList());
        } finally {
            signal("CONT", database);
        }
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).as(answer.toString()).isIn(503, 504);
            assertThat(answer.json().path("code").asText())
                    .as(answer.toString())
                    .isNotBlank();
            assertThat(answer.json().path("message").asText()
                            + answer.json().path("msg").asText())
                    .isNotBlank();
            assertThat(answer.header("x-request-id")).isPresent();
        });
        awaitRows();
        for (HttpRequest.Builder call : calls()) {
            awaitServed(call);
        }
    }

    /** Each kind has connections of its own, which do not all reconnect at the same moment. */
    private static void awaitServed(HttpRequest.Builder call) throws Exception {
        Instant limit = Instant.now().plus(LIMIT);
        Answer answer = ControlPlane.send(call);
        while (answer.status() >= 500) {
            assertThat(Instant.now()).as(answer.toString()).isBefore(limit);
            Thread.sleep(POLL.toMillis());
            answer = ControlPlane.send(call);
        }
    }

    /** One of each kind that needs the database. */
    private List<HttpRequest.Builder> calls() {
        String v1 = connection.baseUrl() + "/projects/" + ref();
        return List.of(
                rows(),
                ofProject("/rest/v1/kept").POST(BodyPublishers.ofString("{\"id\":8}")),
                ofProject("/auth/v1/token?grant_type=password")
                        .POST(BodyPublishers.ofString("{\"email\":\"a@example.com\",\"password\":\"password1\"}")),
                ofAdmin(v1),
                ofAdmin(v1 + "/database/query").POST(BodyPublishers.ofString("{\"query\":\"SELECT 1\"}")));
    }

    private HttpRequest.Builder rows() {
        return ofProject("/rest/v1/kept?select=id&id=eq.7");
    }

    private HttpRequest.Builder ofProject(String path) {
        return HttpRequest.newBuilder(URI.create(connection.pathUrl(ref()) + path))
                .header("Content-Type", "application/json")
                .header("apikey", project.get("anon_key").asText());
    }

    private HttpRequest.Builder ofAdmin(String url) {
        return HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + connection.token());
    }

    private static List<Answer> atOnce(List<HttpRequest.Builder> calls) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Answer>> tasks = calls.stream()
                    .map(call -> (Callable<Answer>) () -> ControlPlane.send(call))
                    .toList();
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> answer : threads.invokeAll(tasks)) {
                answers.add(answer.get());
            }
            return answers;
        }
    }

    private void awaitRows() throws Exception {
        Instant limit = Instant.now().plus(LIMIT);
        while (!hasRows()) {
            assertThat(Instant.now()).as("it is served again").isBefore(limit);
            Thread.sleep(POLL.toMillis());
        }
    }

    private boolean hasRows() {
        try {
            Answer answer = ControlPlane.send(rows());
            // What exists is never denied, not even by a platform that has just begun.
            assertThat(answer.status()).as(answer.toString()).isIn(200, 503, 504);
            Answer called = ControlPlane.send(
                    HttpRequest.newBuilder(URI.create(connection.pathUrl(ref()) + "/functions/v1/open")));
            assertThat(called.status()).as(called.toString()).isIn(200, 502, 503, 504);
            return answer.status() == 200 && answer.body().equals(ROW) && Files.exists(data.resolve("connection.json"));
        } catch (IOException e) {
            return false;
        }
    }

    private long platform() throws IOException {
        return Long.parseLong(Files.readString(data.resolve("svc.pid")).strip());
    }

    /** PostgreSQL's process that starts its others. */
    private ProcessHandle firstOfTheDatabase() throws IOException {
        String pid = Files.readAllLines(data.resolve("postgres/data/postmaster.pid"))
                .getFirst()
                .strip();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private static void signal(String name, List<Long> processes) throws IOException {
        List<String> words = List.of(
                "sh",
                "-c",
                "kill -" + name + " " + processes.stream().map(String::valueOf).collect(Collectors.joining(" "))
                        + " || true");
        Program.run(words, Map.of()).succeeded(words);
    }

    private String ref() {
        return project.get("ref").asText();
    }
}
