package svc.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.ClientProgram;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;
import svc.embedded.postgres.EmbeddedPostgres;

/** An unchanged supabase-js follows a database of its project's own, through a sidecar that comes and goes. */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RealtimeSidecarTest {
    private static final String MANIFEST = """
            apiVersion: v1
            kind: Secret
            metadata: { name: followed-database }
            stringData:
              host: 127.0.0.1
              port: "%s"
              dbname: %s
              user: %s
              password: %s
              sslmode: disable
            ---
            apiVersion: svc.platform/v1alpha1
            kind: Project
            metadata: { name: followed }
            spec:
              name: Followed
              database: { mode: Dedicated, dedicated: { connectionSecretRef: { name: followed-database } } }
            """;
    private static final String TABLES = """
            CREATE TABLE public.note (id int PRIMARY KEY, text text NOT NULL, hidden boolean NOT NULL);
            ALTER TABLE public.note ENABLE ROW LEVEL SECURITY;
            CREATE POLICY shown ON public.note FOR SELECT TO anon USING (NOT hidden);
            ALTER PUBLICATION supabase_realtime ADD TABLE public.note;
            CREATE FUNCTION public.shout(word text) RETURNS void LANGUAGE sql
                AS $$ SELECT realtime.send(jsonb_build_object('word', word), 'shouted', 'room', false) $$;
            """;

    private Platform platform;
    private EmbeddedPostgres server;
    private JsonNode project;
    private JsonNode neighbour;

    @BeforeAll
    void provision(Platform running) throws Exception {
        platform = running;
        server = EmbeddedPostgres.start(EmbeddedPostgres.Settings.forTests());
        String database = server.createDatabase("followed");
        Path file = Files.createTempFile("svc-e2e-", ".yaml");
        Files.writeString(
                file,
                MANIFEST.formatted(server.port(), database, EmbeddedPostgres.OPERATOR, server.operatorPassword()));
        Program.kubectl(platform, "apply", "-f", file.toString());
        Files.delete(file);
        Program.kubectl(platform, "wait", "project/followed", "--for=condition=Ready", "--timeout=180s");
        project = new ObjectMapper()
                .createObjectNode()
                .put("ref", status("ref"))
                .put("anon_key", status("anonKey"))
                .put("schema", status("schema"));
        platform.controlPlane().query(project.get("ref").asText(), TABLES).expect(201);
        neighbour = platform.controlPlane().create("followed-neighbour");
        platform.controlPlane().query(neighbour.get("ref").asText(), TABLES).expect(201);
    }

    @AfterAll
    void stop() throws Exception {
        Program.kubectl(platform, "delete", "project", "followed", "--wait=true");
        server.close();
    }

    @Test
    @Order(1)
    void theFirstSocketStartsItAndChangesMessagesAndPresenceFlow() throws Exception {
        awaitState("Idle");
        JsonNode seen = ClientProgram.run(platform, project, "dedicated-changes.mjs", Map.of("act", "walk"));
        assertThat(seen.toPrettyString())
                .isEqualTo(new ObjectMapper().readTree("""
                        {
                          "subscribed": "SUBSCRIBED",
                          "changes": ["shown"],
                          "message": "héllo",
                          "status": 202,
                          "byRequest": 1,
                          "presence": "fine"
                        }""").toPrettyString());
    }

    @Test
    @Order(2)
    void itGoesWithItsSlotWithoutSubscribersAndComesBack() throws Exception {
        awaitState("Idle");
        await(() -> slots() == 0);
        JsonNode seen = ClientProgram.run(platform, project, "dedicated-changes.mjs", Map.of("act", "once"));
        assertThat(seen.get("subscribed").asText()).isEqualTo("SUBSCRIBED");
        assertThat(seen.get("change").asText()).isEqualTo("again");
    }

    @Test
    @Order(3)
    void clientsComeBackWhenItDiesAndANeighbourNoticesNothing() throws Exception {
        // Not in the moment in which it ends because no client is connected.
        awaitState("Idle");
        Map<String, String> given = Map.of(
                "act", "outage",
                "neighbourUrl",
                        platform.connection().pathUrl(neighbour.get("ref").asText()),
                "neighbourKey", neighbour.get("anon_key").asText(),
                "neighbourServiceKey", serviceKey());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<JsonNode> seen = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return ClientProgram.run(platform, project, "dedicated-changes.mjs", given);
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    },
                    threads);
            await(() -> seen.isDone() || notes("before") == 1);
            assertThat(seen).as("%s", seen).isNotDone();
            refusesOthers();
            ProcessHandle sidecar = sidecar();
            sidecar.destroyForcibly();
            assertThat(seen.join().toPrettyString())
                    .isEqualTo(new ObjectMapper().readTree("""
                            {
                              "neighbour": "SUBSCRIBED",
                              "subscribed": "SUBSCRIBED",
                              "back": "SUBSCRIBED",
                              "change": "after",
                              "theirs": "theirs",
                              "interruptions": ["SUBSCRIBED"]
                            }""").toPrettyString());
        }
    }

    /** It knows one project, and of that one realtime alone. */
    private void refusesOthers() throws Exception {
        String own = project.get("ref").asText();
        String ping = "/realtime/v1/api/ping";
        assertThat(answer(own, ping, project.get("anon_key").asText())).isEqualTo(200);
        assertThat(answer(own, ping, neighbour.get("anon_key").asText())).isEqualTo(401);
        assertThat(answer(
                        neighbour.get("ref").asText(),
                        ping,
                        neighbour.get("anon_key").asText()))
                .isEqualTo(404);
        assertThat(answer(own, "/rest/v1/note", project.get("anon_key").asText()))
                .isEqualTo(501);
        assertThat(answer(own, "/auth/v1/admin/users", ClientProgram.serviceKey(platform, own)))
                .isEqualTo(501);
    }

    private int answer(String ref, String path, String key) throws Exception {
        int port = Integer.parseInt(Program.kubectl(
                platform,
                "get",
                "endpointslice",
                "svc-realtime-" + project.get("ref").asText(),
                "-o",
                "jsonpath={.ports[0].port}"));
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + ref + ".realtime.internal\r\napikey: " + key
                                    + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            return Integer.parseInt(reader.readLine().split(" ")[1]);
        }
    }

    private ProcessHandle sidecar() {
        return platform.process()
                .descendants()
                .filter(process -> process.info()
                        .commandLine()
                        .orElse("")
                        .contains("api-server/server/target/quarkus-app/quarkus-run.jar"))
                .findFirst()
                .orElseThrow();
    }

    private String serviceKey() throws Exception {
        return ClientProgram.serviceKey(platform, neighbour.get("ref").asText());
    }

    private int notes(String text) throws Exception {
        return count(project.get("schema").asText(), "SELECT count(*) FROM %s.note WHERE text = '" + text + "'");
    }

    private int slots() throws Exception {
        return count("", "SELECT count(*) FROM pg_replication_slots WHERE database = current_database()%s");
    }

    private int count(String schema, String query) throws Exception {
        try (var connection = server.connect(Program.kubectl(
                        platform, "get", "project", "followed", "-o", "jsonpath={.status.database.databaseName}"));
                var statement = connection.createStatement();
                var row = statement.executeQuery(query.formatted(schema))) {
            row.next();
            return row.getInt(1);
        }
    }

    @FunctionalInterface
    private interface Reached {
        boolean now() throws Exception;
    }

    private static void await(Reached reached) throws Exception {
        long limit = System.nanoTime() + SharedPlatform.MAX_WAIT.toNanos();
        while (!reached.now()) {
            assertThat(System.nanoTime()).as("the time until it has happened").isLessThan(limit);
            Thread.sleep(200);
        }
    }

    private void awaitState(String state) throws Exception {
        await(() -> status("realtime.state").equals(state));
    }

    private String status(String field) throws Exception {
        return Program.kubectl(platform, "get", "project", "followed", "-o", "jsonpath={.status." + field + "}");
    }
}
