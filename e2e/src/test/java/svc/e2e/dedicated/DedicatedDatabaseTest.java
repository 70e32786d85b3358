package svc.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.running.AccountsStory;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;
import svc.embedded.postgres.EmbeddedPostgres;

/**
 * A second PostgreSQL, named by a Secret, holds a project of its own: SQL, REST and users work there as in a shared database,
 * and a changed password of the Secret's login interrupts no request.
 */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DedicatedDatabaseTest {
    private static final String SECRET = """
            apiVersion: v1
            kind: Secret
            metadata: { name: own-database, labels: { svc.platform/purpose: database-connection } }
            stringData:
              host: 127.0.0.1
              port: "%s"
              dbname: %s
              user: provisioner
              password: %s
              sslmode: disable
            """;
    private static final String PROJECT = """
            ---
            apiVersion: svc.platform/v1alpha1
            kind: Project
            metadata: { name: own }
            spec:
              name: Own
              database: { mode: Dedicated, dedicated: { connectionSecretRef: { name: own-database } } }
              auth: { email: { autoconfirm: true } }
            """;

    private Platform platform;
    private EmbeddedPostgres server;
    private String database;
    private String ref;

    @BeforeAll
    void provision(Platform running) throws Exception {
        platform = running;
        server = EmbeddedPostgres.start(EmbeddedPostgres.Settings.forTests());
        database = server.createDatabase("own");
        sql("CREATE ROLE provisioner LOGIN CREATEROLE BYPASSRLS PASSWORD 'first'; ALTER DATABASE " + database
                + " OWNER TO provisioner");
        apply(SECRET.formatted(server.port(), database, "first") + PROJECT);
        Program.kubectl(platform, "wait", "project/own", "--for=condition=Ready", "--timeout=180s");
        ref = Program.kubectl(platform, "get", "project", "own", "-o", "jsonpath={.status.ref}");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void usersOwnTheirRows() throws Exception {
        AccountsStory.play(platform, ref);
    }

    @Test
    void aNewTableIsServedAtOnceAndOutlivesAChangeOfTheSecret() throws Exception {
        platform.controlPlane()
                .query(ref, "CREATE TABLE public.things (id int PRIMARY KEY); INSERT INTO things VALUES (7)")
                .expect(201);
        assertThat(things().expect(200).response().body()).isEqualTo("[{\"id\":7}]");
        platform.controlPlane()
                .query(ref, "ALTER TABLE public.things ADD COLUMN name text DEFAULT 'seven'")
                .expect(201);
        assertThat(things("id,name").expect(200).response().body()).isEqualTo("[{\"id\":7,\"name\":\"seven\"}]");
        platform.controlPlane()
                .query(
                        ref,
                        "CREATE POLICY own ON storage.objects FOR SELECT TO authenticated USING (bucket_id = 'avatars')")
                .expect(201);
        assertThat(platform.controlPlane()
                        .query(ref, "SELECT policyname FROM pg_policies WHERE schemaname = 'storage'")
                        .expect(201)
                        .response()
                        .body())
                .contains("own");

        sql("ALTER ROLE provisioner PASSWORD 'second'");
        apply(SECRET.formatted(server.port(), database, "second"));
        Program.kubectl(platform, "annotate", "project", "own", "looked=again");
        Program.kubectl(platform, "wait", "project/own", "--for=condition=Ready", "--timeout=180s");
        assertThat(things().expect(200).response().body()).isEqualTo("[{\"id\":7}]");
    }

    private Answer things() throws Exception {
        return things("id");
    }

    private Answer things(String columns) throws Exception {
        String key = Program.kubectl(platform, "get", "project", "own", "-o", "jsonpath={.status.anonKey}");
        return ControlPlane.send(HttpRequest.newBuilder(
                        URI.create(platform.connection().pathUrl(ref) + "/rest/v1/things?select=" + columns))
                .header("apikey", key));
    }

    private void apply(String manifest) throws Exception {
        Path file = Files.createTempFile("svc-e2e-", ".yaml");
        try {
            Files.writeString(file, manifest);
            Program.kubectl(platform, "apply", "-f", file.toString());
        } finally {
            Files.delete(file);
        }
    }

    private void sql(String script) throws Exception {
        try (var connection = server.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute(script);
        }
    }
}
