package svc.server.adopted;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import svc.crds.project.ActiveVerifyKey;
import svc.crds.project.AdoptedLogins;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.Project;
import svc.crds.project.ProjectDatabase;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.ProjectSpec;
import svc.crds.project.auth.VerifyKeyType;
import svc.crds.project.database.DatabaseMode;
import svc.crds.project.database.DatabaseSpec;
import svc.crds.project.database.DedicatedSpec;
import svc.crds.project.service.RestSpec;
import svc.crds.reference.LocalReference;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.Patience;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProjectOperator;
import svc.testing.Http;

/** A database as a PostgREST tutorial sets it up, with roles of its own, and a project that adopted it. */
final class AdoptedDatabaseForTests {
    static final String PASSWORD = "authenticators-own-password";

    private static final EmbeddedPostgres SERVER = EmbeddedPostgres.shared();

    private final KubernetesClient client;
    private final TenantDirectory tenants;
    private final ProjectForTests project;
    private final String name = SERVER.createDatabase("adopted");
    // Roles belong to the server, which all tests share.
    private final String suffix = UUID.randomUUID().toString().substring(0, 8);
    private final String secret = "what-its-tokens-are-signed-with-" + suffix;
    private RestSpec rest;

    private AdoptedDatabaseForTests(KubernetesClient client, TenantDirectory tenants) {
        this.client = client;
        this.tenants = tenants;
        this.rest = settings("api", "other");
        this.project = create();
        sql("""
                CREATE ROLE web_anon_%1$s NOLOGIN;
                CREATE ROLE todo_user_%1$s NOLOGIN;
                CREATE ROLE service_role_%1$s NOLOGIN BYPASSRLS;
                CREATE ROLE stranger_%1$s NOLOGIN;
                CREATE ROLE authenticator_%1$s LOGIN NOINHERIT PASSWORD '%2$s';
                CREATE ROLE migrator_%1$s LOGIN PASSWORD '%2$s';
                GRANT web_anon_%1$s, todo_user_%1$s, service_role_%1$s TO authenticator_%1$s;
                GRANT CONNECT ON DATABASE %3$s TO authenticator_%1$s, migrator_%1$s;
                CREATE SCHEMA api AUTHORIZATION migrator_%1$s;
                CREATE SCHEMA other AUTHORIZATION migrator_%1$s;
                CREATE SCHEMA private;
                GRANT USAGE ON SCHEMA api, other TO web_anon_%1$s, todo_user_%1$s, service_role_%1$s;
                SET ROLE migrator_%1$s;
                CREATE TABLE api.todos (id serial PRIMARY KEY, task text NOT NULL, owner text);
                INSERT INTO api.todos (task, owner) VALUES ('finish tutorial 0', NULL), ('pat self on back', 'ann');
                CREATE TABLE other.todos (title text);
                INSERT INTO other.todos VALUES ('from the other schema');
                ALTER TABLE api.todos ENABLE ROW LEVEL SECURITY;
                CREATE POLICY everybody ON api.todos FOR SELECT TO web_anon_%1$s USING (owner IS NULL);
                CREATE POLICY own ON api.todos TO todo_user_%1$s
                    USING (owner = current_setting('request.jwt.claims', true)::json ->> 'sub')
                    WITH CHECK (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
                GRANT SELECT ON api.todos, other.todos TO web_anon_%1$s;
                GRANT ALL ON api.todos TO todo_user_%1$s, service_role_%1$s;
                GRANT USAGE ON ALL SEQUENCES IN SCHEMA api TO todo_user_%1$s;
                CREATE VIEW api.about AS SELECT current_user::text AS role, current_setting('search_path') AS path,
                    current_setting('request.jwt.claims')::json ->> 'role' AS claimed;
                GRANT SELECT ON api.about TO web_anon_%1$s, todo_user_%1$s, service_role_%1$s;
                CREATE TABLE api.mess (command text);
                GRANT INSERT ON api.mess TO todo_user_%1$s;
                CREATE FUNCTION api.run() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN EXECUTE NEW.command; RETURN NULL; END';
                CREATE TRIGGER run BEFORE INSERT ON api.mess FOR EACH ROW EXECUTE FUNCTION api.run();
                RESET ROLE;
                CREATE TABLE private.secrets (id int);
                """.formatted(suffix, PASSWORD, name));
    }

    /** Adopts a new one. */
    static AdoptedDatabaseForTests adopt(KubernetesClient client, TenantDirectory tenants) {
        var made = new AdoptedDatabaseForTests(client, tenants);
        made.serve(SERVER.port(), PASSWORD, true);
        return made;
    }

    /** By the resource, as {@code kubectl apply} does: the API cannot adopt a database. */
    private ProjectForTests create() {
        UUID id = UUID.randomUUID();
        // A valid ref begins with a letter.
        String ref = "a" + id.toString().substring(0, 7);
        var reference = new LocalReference("shop-database");
        ProjectSpec spec = ProjectSpec.named("adopted").toBuilder()
                .ref(ref)
                .projectId(id.toString())
                .database(new DatabaseSpec(DatabaseMode.DEDICATED, null, new DedicatedSpec(reference, null)))
                .rest(rest)
                .build();
        var made = new Project();
        made.setMetadata(new ObjectMetaBuilder()
                .withName(ref)
                .withNamespace(TestingPlatform.NAMESPACE)
                .build());
        made.setSpec(spec);
        client.resource(made).create();
        return new ProjectForTests(new ProjectIdentity(ref, id));
    }

    /** As the operator would after a change of the connection Secret. */
    void serve(int port, String password, boolean owned) {
        RestSpec settings = rest;
        var at = client.resources(Project.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(project.ref());
        // A replacement, as kubectl and the API send it: the client's edit leaves empty lists out.
        TestingProjectOperator.retried(() -> {
            Project current = at.get();
            current.setSpec(current.getSpec().toBuilder().rest(settings).build());
            client.resource(current).inNamespace(TestingPlatform.NAMESPACE).update();
        });
        awaitReconciled();
        TestingProjectOperator.retried(() -> at.editStatus(current -> {
            current.setStatus(current.getStatus().toBuilder()
                    .database(database(port, password, owned))
                    .verifyKeys(List.of(verifyKey()))
                    .build());
            return current;
        }));
        String sealedFor = "/" + name;
        await(() -> tenants.find(ref())
                .filter(tenant -> tenant.adoption().isPresent()
                        && tenant.database().jdbcUrl().contains(":" + port + sealedFor)
                        && tenant.rest().maxRows() == settings.maxRows()
                        && tenant.adoption().get().owner().isPresent() == owned)
                .isPresent());
    }

    /** Changes the project's REST settings. */
    void settings(RestSpec other) {
        this.rest = other;
        serve(SERVER.port(), PASSWORD, true);
    }

    RestSpec settings(String... exposed) {
        return settings(null, 500, exposed);
    }

    /**
     * @param searched null for the default
     * @param maxRows others than before: the change is awaited by them
     */
    RestSpec settings(List<String> searched, int maxRows, String... exposed) {
        return new RestSpec(
                null,
                List.of(exposed),
                searched,
                maxRows,
                null,
                null,
                null,
                null,
                null,
                role("web_anon"),
                null,
                null,
                null);
    }

    private ProjectDatabase database(int port, String password, boolean owned) {
        return new ProjectDatabase(
                "shop-database",
                "127.0.0.1",
                port,
                name,
                DatabaseLayout.ADOPTED,
                "disable",
                new AdoptedLogins(
                        role("authenticator"),
                        SealedText.seal(
                                TestingProjectOperator.leaf(project.identity(), Purpose.SEALED, 1),
                                SealedText.Use.ADOPTED_PASSWORD,
                                password),
                        owned ? role("migrator") : null,
                        owned
                                ? SealedText.seal(
                                        TestingProjectOperator.leaf(project.identity(), Purpose.OWNER, 1),
                                        SealedText.Use.ADOPTED_PASSWORD,
                                        password)
                                : null));
    }

    private ActiveVerifyKey verifyKey() {
        return new ActiveVerifyKey(
                "legacy",
                VerifyKeyType.HS256,
                null,
                SealedText.seal(
                        TestingProjectOperator.leaf(project.identity(), Purpose.SEALED, 1),
                        SealedText.Use.VERIFY_KEY,
                        secret));
    }

    private void awaitReconciled() {
        await(() -> {
            Project current = client.resources(Project.class)
                    .inNamespace(TestingPlatform.NAMESPACE)
                    .withName(project.ref())
                    .get();
            return current.getStatus() != null
                    && current.getMetadata()
                            .getGeneration()
                            .equals(current.getStatus().observedGeneration());
        });
    }

    private static void await(java.util.function.BooleanSupplier reached) {
        Patience.await()
                .alias("the directory follows the project")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(reached::getAsBoolean);
    }

    String ref() {
        return project.ref();
    }

    ProjectForTests project() {
        return project;
    }

    String role(String role) {
        return role + "_" + suffix;
    }

    /** Requests without credentials. */
    Http http() {
        return project.http();
    }

    /** Requests of a user, as Supabase's clients send them: the token in both headers. */
    Http as(String role, String sub) {
        String token = token("{\"role\":\"" + role + "\",\"sub\":\"" + sub + "\"}");
        return http().with("apikey", token).with("Authorization", "Bearer " + token);
    }

    String token(String claims) {
        try {
            var jws = new JWSObject(new JWSHeader(JWSAlgorithm.HS256), new Payload(claims));
            jws.sign(new MACSigner(secret));
            return jws.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs SQL as the superuser of the adopted database. */
    void sql(String script) {
        try (Connection connection = SERVER.connect(name);
                var statement = connection.createStatement()) {
            statement.execute(script);
        } catch (SQLException e) {
            throw new IllegalStateException("in " + name, e);
        }
    }
}
