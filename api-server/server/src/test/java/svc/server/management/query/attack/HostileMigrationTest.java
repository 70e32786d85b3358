package svc.server.management.query.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.key.ApiKey;
import svc.database.key.Purpose;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Hostile migrations: those of one project reveal and change nothing in another, and a dry run is never committed. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileMigrationTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PlatformDatabase platform;

    private Battlefield field;
    private Attacker attacker;

    @BeforeEach
    void settle() {
        if (field == null) {
            field = new Battlefield(client, tenants, platform);
            attacker = field.attacker("migrations");
        }
    }

    @AfterAll
    void leave() {
        field.close();
    }

    private static Http.Answer migrate(Http caller, Attacker project, String sql, boolean dryRun) {
        return caller.send(
                "POST",
                "/v1/projects/" + project.project().ref() + "/database/migrations",
                JSON.createObjectNode().put("query", sql).put("dry_run", dryRun).toString());
    }

    private Http.Answer rehearse(String sql) {
        return migrate(Http.api(TestingPlatform.ADMIN), attacker, sql, true);
    }

    @Test
    void anIdempotencyKeyOfAnotherProjectTellsNothing() {
        Attacker other = field.attacker("other");
        Http caller = Http.api(TestingPlatform.ADMIN).with("Idempotency-Key", "the same key");
        assertThat(migrate(caller, other, "CREATE TABLE of_the_other (a int)", false)
                        .status())
                .isEqualTo(200);

        Http.Answer answer = migrate(caller, attacker, "CREATE TABLE of_mine (a int)", false);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.header("Idempotency-Replayed")).isEmpty();
        assertThat(answer.text()).doesNotContain("of_the_other");
        assertThat(field.ask("SELECT to_regclass('" + attacker.schema() + ".of_mine')"))
                .isNotNull();
    }

    @Test
    void theServiceKeyOfOneProjectMigratesNoOther() {
        Http caller = Http.api(ApiKey.of(attacker.leaf(Purpose.SERVICE_KEY)));
        String body = JSON.createObjectNode()
                .put("query", "CREATE TABLE planted (a int)")
                .toString();
        for (String path :
                new String[] {"/api/projects/%s/migrate/service-role", "/v1/projects/%s/database/migrations"}) {
            Http.Answer answer = caller.send(
                    "POST", path.formatted(field.neighbour().project().ref()), body);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(401);
        }
        assertThat(field.ask("SELECT to_regclass('$N.planted')")).isNull();
    }

    /** Each would leave traces if the dry run were committed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE stays (a int)",
                "CREATE TABLE stays (a int); SELECT act('COMMIT')",
                "CREATE TABLE stays (a int); SELECT act('ROLLBACK; BEGIN')",
                "CREATE TABLE stays (a int); COMMIT",
                "BEGIN; CREATE TABLE stays (a int); COMMIT",
                "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN PERFORM act('COMMIT'); END $$; CREATE TABLE stays (a int);"
                        + " CALL p()",
                "INSERT INTO loot VALUES ('stays')",
                "SELECT act('ALTER ROLE CURRENT_USER PASSWORD ''stays''')",
                "SELECT act('ALTER ROLE CURRENT_USER SET work_mem = ''1MB''')",
                "ALTER PUBLICATION supabase_realtime ADD TABLE loot",
                "CREATE POLICY stays ON storage.objects FOR SELECT USING (true)",
                "CREATE TRIGGER stays AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION attempt_later('SELECT 1')",
                "VACUUM loot",
                "CREATE INDEX CONCURRENTLY stays ON loot (what)",
                "SELECT act('DECLARE c CURSOR WITH HOLD FOR SELECT $q$ $q$'); INSERT INTO loot VALUES ('stays')"
            })
    void aRehearsalLeavesNothing(String sql) {
        Untouched before = field.untouched(attacker);

        Http.Answer answer = rehearse(sql);

        assertThat(answer.status()).as(answer.toString()).isIn(200, 400);
        field.untouched(attacker).checkAgainst(before);
        String schema = attacker.schema();
        assertThat(field.ask("SELECT count(*) FROM pg_class WHERE relname = 'stays' AND relnamespace = '" + schema
                        + "'::regnamespace"))
                .isEqualTo("0");
        assertThat(field.ask("SELECT count(*) FROM " + schema + ".loot WHERE what = 'stays'"))
                .isEqualTo("0");
        assertThat(field.ask("SELECT (SELECT count(*) FROM pg_policy WHERE polname = 'stays')"
                        + " + (SELECT count(*) FROM pg_trigger WHERE tgname = 'stays')"
                        + " + (SELECT count(*) FROM svc_guard.realtime_publication WHERE schema_name = '" + schema
                        + "')"))
                .isEqualTo("0");
        assertThat(field.reconcile(attacker).stepNames()).isEmpty();
        field.nothingIsLeftOf(attacker);
    }
}
