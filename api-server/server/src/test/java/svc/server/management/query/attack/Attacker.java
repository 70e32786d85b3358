package svc.server.management.query.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import svc.database.key.ApiKey;
import svc.database.key.DerivedKey;
import svc.database.key.LoginSecret;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.script.TestingOwner;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;
import svc.testing.TestingKeys;

/** A project whose owners are hostile, with their token and both keys. */
record Attacker(TestingProject project) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * What no reader of a script can judge: functions that run any text. {@code attempt} gives the first value of its first
     * row. They are composed themselves, so that nothing of the platform stands before their EXECUTE; {@code mapped} has the
     * function there that replaces names.
     */
    private static final String TOOLS = """
            CREATE TABLE loot (what text);
            DO $do$ BEGIN EXECUTE concat($q$
            CREATE FUNCTION act(command text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN EXECUTE command; RETURN 'done'; END $$;
            CREATE FUNCTION attempt(command text) RETURNS text LANGUAGE plpgsql AS $$
            DECLARE answer text; BEGIN EXECUTE command INTO answer; RETURN answer; END $$;
            CREATE FUNCTION attempt_later() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN EXECUTE TG_ARGV[0]; RETURN NEW; END $$;$q$); END $do$;
            CREATE FUNCTION mapped(command text) RETURNS text LANGUAGE plpgsql AS $$
            DECLARE answer text; BEGIN EXECUTE command INTO answer; RETURN answer; END $$;""";

    static Attacker enter(KubernetesClient client, TenantDirectory tenants, String family) {
        var attacker = new Attacker(TestingProject.create(client, tenants, family));
        assertThat(attacker.sql(TOOLS).status()).isEqualTo(201);
        return attacker;
    }

    String schema() {
        return project.owner().names().schemaName();
    }

    Http.Answer sql(String sql) {
        return Http.api(TestingPlatform.ADMIN)
                .send(
                        "POST",
                        project.path(),
                        JSON.createObjectNode().put("query", sql).toString());
    }

    /** SQL with a timeout of one second. */
    Http.Answer briefly(String sql) {
        return Http.api(TestingPlatform.ADMIN)
                .send(
                        "POST",
                        project.path(),
                        JSON.createObjectNode()
                                .put("query", sql)
                                .put("timeout_seconds", 1)
                                .toString());
    }

    /** Read-only SQL. */
    Http.Answer reads(String sql) {
        return Http.api(TestingPlatform.ADMIN)
                .send(
                        "POST",
                        project.path(),
                        JSON.createObjectNode()
                                .put("query", sql)
                                .put("read_only", true)
                                .toString());
    }

    /** SQL with the rows of every statement. */
    Http.Answer everything(String sql) {
        return Http.api(TestingPlatform.ADMIN)
                .send(
                        "POST",
                        project.path() + "?results=all",
                        JSON.createObjectNode().put("query", sql).toString());
    }

    /** SQL in the role of a signed-in caller. */
    Http.Answer asCaller(String sql) {
        var body = JSON.createObjectNode().put("query", sql);
        body.putObject("claims").put("sub", "00000000-0000-4000-8000-000000000001");
        return Http.api(TestingPlatform.ADMIN).send("POST", project.path() + "?as=authenticated", body.toString());
    }

    Http.Answer body(byte[] body) {
        return Http.api(TestingPlatform.ADMIN).send("POST", project.path(), BodyPublishers.ofByteArray(body));
    }

    /** A request of the data plane with one of the project's keys. */
    Http.Answer rest(Purpose key, String method, String path, String body) {
        Http caller = Http.project(project.ref())
                .with("apikey", ApiKey.of(leaf(key)))
                .with("Content-Type", "application/json");
        return body.isEmpty() ? caller.send(method, path) : caller.send(method, path, body);
    }

    /** Runs SQL in the database as one of the project's logins, as the platform's own code does. @return ok or a SQLSTATE */
    String login(DatabaseRole role, String sql) {
        String password =
                LoginSecret.of(leaf(Purpose.ofLogin(role).orElseThrow())).password();
        try (Connection connection = TestingOwner.SERVER.connect(
                TestingOwner.DATABASE, project.owner().names().role(role).name(), password)) {
            return execute(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while logging in as " + role, e);
        }
    }

    /** Runs SQL as the superuser that maintains the database. @return ok or a SQLSTATE */
    static String maintain(String sql) {
        try (Connection connection = TestingOwner.SERVER.connect(TestingOwner.DATABASE)) {
            return execute(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while logging in as the superuser", e);
        }
    }

    private static String execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return "ok";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    DerivedKey leaf(Purpose purpose) {
        return TestingKeys.master()
                .root(purpose)
                .leaf(new ProjectKeyScope(project.owner().names().projectId(), TestingKeys.INCARNATION, 1));
    }
}
