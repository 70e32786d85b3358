package svc.database.shared.vault;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** Secrets are sealed under the session's key, and readable for the owner, its functions and service_role of their project. */
class VaultTest {
    private static final String FIRST = "1:" + "a1".repeat(32);
    private static final String SECOND = "2:" + "b2".repeat(32) + "," + FIRST;

    private Tenant tenant;
    private Tenant neighbour;
    private Connection owner;
    private Connection other;

    @BeforeEach
    void logIn() throws Exception {
        tenant = HardenedServer.newTenant();
        neighbour = HardenedServer.newTenant();
        owner = withKey(tenant.owner(), FIRST);
        other = withKey(neighbour.owner(), "1:" + "c3".repeat(32));
    }

    @AfterEach
    void logOut() throws Exception {
        owner.close();
        other.close();
    }

    private static Connection withKey(Connection connection, String key) throws Exception {
        Sql.run(connection, "SET svc.vault_key = '" + key + "'");
        return connection;
    }

    private String create(String name, String secret) throws Exception {
        return Sql.value(owner, "SELECT svc_vault.create_secret('" + secret + "', '" + name + "', 'for tests')");
    }

    private static String read(Connection connection, String name) throws Exception {
        return Sql.value(
                connection, "SELECT decrypted_secret FROM svc_vault.decrypted_secrets WHERE name = '" + name + "'");
    }

    @Test
    void aSecretIsKeptSealed() throws Exception {
        String id = create("token", "s3cret ÄÖ");

        assertThat(read(owner, "token")).isEqualTo("s3cret ÄÖ");
        assertThat(Sql.value(owner, "SELECT concat_ws('|', id, name, description) FROM svc_vault.secrets"))
                .isEqualTo(id + "|token|for tests");
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.value(superuser, "SELECT s::text FROM svc_vault.secret s WHERE id = '" + id + "'"))
                    .contains("1:")
                    .doesNotContain("s3cret", "a1a1");
        }
    }

    @Test
    void itIsUpdatedAndDeleted() throws Exception {
        String id = create("token", "one");
        Sql.run(owner, "SELECT svc_vault.update_secret('" + id + "', 'two')");
        assertThat(read(owner, "token")).isEqualTo("two");
        Sql.run(owner, "SELECT svc_vault.update_secret('" + id + "', new_name => 'other', new_description => 'd')");
        assertThat(read(owner, "other")).isEqualTo("two");
        assertThat(Sql.state(owner, "SELECT svc_vault.create_secret('x', 'other')"))
                .isEqualTo("23505");
        Sql.run(owner, "SELECT svc_vault.delete_secret(id) FROM svc_vault.secrets WHERE name = 'other'");
        assertThat(read(owner, "other")).isNull();
        assertThat(Sql.column(owner, "SELECT name FROM svc_vault.secrets")).isEmpty();
    }

    @Test
    void aNewKeyReadsWhatTheOldOneSealed() throws Exception {
        String id = create("token", "one");
        try (Connection rotated = withKey(tenant.owner(), SECOND)) {
            assertThat(read(rotated, "token")).isEqualTo("one");
            Sql.run(rotated, "SELECT svc_vault.update_secret('" + id + "')");
            assertThat(Sql.value(rotated, "SELECT left(secret, 2) FROM svc_vault.secrets"))
                    .isEqualTo("2:");
            assertThat(read(rotated, "token")).isEqualTo("one");
        }
        assertThat(Sql.state(owner, "SELECT decrypted_secret FROM svc_vault.decrypted_secrets"))
                .isEqualTo("55000");
    }

    @Test
    void withoutTheKeyOrWithAnotherNothingIsRead() throws Exception {
        create("token", "one");
        try (Connection without = tenant.owner();
                Connection another = withKey(tenant.owner(), "1:" + "d4".repeat(32))) {
            assertThat(Sql.state(without, "SELECT svc_vault.create_secret('x')"))
                    .isEqualTo("55000");
            assertThat(Sql.state(without, "SELECT decrypted_secret FROM svc_vault.decrypted_secrets"))
                    .isEqualTo("55000");
            assertThat(read(another, "token")).isNull();
        }
    }

    @Test
    void aSealedTextIsGoodForItsRowOnly() throws Exception {
        String id = create("token", "one");
        create("second", "two");
        Sql.run(
                owner,
                "UPDATE svc_vault.own_secret SET secret = (SELECT secret FROM svc_vault.secrets WHERE id = '" + id
                        + "') WHERE name = 'second'");
        assertThat(read(owner, "second")).isNull();
    }

    @Test
    void callersOfTheApiReadThroughFunctionsOfTheOwnerOnly() throws Exception {
        create("token", "one");
        Sql.run(owner, tenant.fill("""
                CREATE FUNCTION token() RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = ''
                    AS 'SELECT decrypted_secret FROM svc_vault.decrypted_secrets WHERE name = ''token''';
                CREATE FUNCTION add_secret() RETURNS uuid LANGUAGE sql SECURITY DEFINER SET search_path = ''
                    AS 'SELECT svc_vault.create_secret(''x'', ''added'')';
                GRANT EXECUTE ON FUNCTION token(), add_secret() TO $S_anon"""));
        try (Connection api = withKey(tenant.login("api"), FIRST);
                Connection service = withKey(tenant.login("service"), FIRST)) {
            Sql.run(api, tenant.fill("SET ROLE $S_anon"));
            assertThat(Sql.value(api, tenant.fill("SELECT $S.token()"))).isEqualTo("one");
            Sql.value(api, tenant.fill("SELECT $S.add_secret()"));
            assertThat(Sql.column(api, "SELECT name FROM svc_vault.decrypted_secrets"))
                    .isEmpty();
            assertThat(Sql.column(api, "SELECT name FROM svc_vault.secrets")).isEmpty();
            for (String sql : List.of(
                    "SELECT svc_vault.create_secret('x')",
                    "SELECT svc_vault.update_secret(gen_random_uuid(), 'x')",
                    "SELECT svc_vault.delete_secret(gen_random_uuid())")) {
                assertThat(Sql.state(api, sql)).as(sql).isEqualTo("42501");
                assertThat(Sql.state(service, sql)).as(sql).isEqualTo("00000");
            }
            assertThat(Sql.state(
                            api,
                            "INSERT INTO svc_vault.own_secret (id, name, secret) VALUES (gen_random_uuid(), 'n', 'x')"))
                    .isEqualTo("44000");
            assertThat(Sql.column(
                            service, "SELECT name FROM svc_vault.decrypted_secrets WHERE name IS NOT NULL ORDER BY 1"))
                    .containsExactly("added", "token");
        }
        assertThat(read(owner, "added")).isEqualTo("x");
    }

    @Test
    void noProjectSeesAnothersSecrets() throws Exception {
        create("token", "mine");
        assertThat(Sql.value(other, "SELECT svc_vault.create_secret('theirs', 'token')"))
                .isNotNull();

        assertThat(read(owner, "token")).isEqualTo("mine");
        assertThat(read(other, "token")).isEqualTo("theirs");
        // A leaky function sees no row before the filter has.
        Sql.run(other, """
                CREATE TABLE seen (t text);
                CREATE FUNCTION leak(t text) RETURNS boolean LANGUAGE plpgsql COST 0.0001
                    AS 'BEGIN INSERT INTO seen VALUES (t); RETURN true; END'""");
        for (String view : List.of("secrets", "decrypted_secrets", "own_secret")) {
            Sql.run(other, "SELECT * FROM svc_vault." + view + " WHERE leak(id::text)");
        }
        assertThat(Sql.value(other, "SELECT count(DISTINCT t) FROM seen")).isEqualTo("1");
        // No statement names another's row, not even for an index to tell of it.
        String foreign = "INSERT INTO svc_vault.own_secret (schema_name, id, name, secret) VALUES ('" + tenant.schema()
                + "', gen_random_uuid(), 'token', 'x')";
        assertThat(Sql.state(other, foreign)).isEqualTo("42703");
        assertThat(Sql.state(other, "UPDATE svc_vault.own_secret SET schema_name = '" + tenant.schema() + "'"))
                .isEqualTo("42703");
        assertThat(Sql.state(other, "SELECT * FROM svc_vault.secret")).isEqualTo("42501");
        Sql.run(other, "SELECT svc_vault.delete_secret(s.id) FROM svc_vault.secrets s");
        String id = Sql.value(owner, "SELECT id FROM svc_vault.secrets");
        Sql.run(
                other,
                "SELECT svc_vault.delete_secret('" + id + "'); SELECT svc_vault.update_secret('" + id + "', 'x')");
        assertThat(read(owner, "token")).isEqualTo("mine");
    }

    @Test
    void whatAProjectKeepsIsBounded() throws Exception {
        assertThat(Sql.state(owner, "SELECT svc_vault.create_secret(repeat('x', 65537))"))
                .isEqualTo("54000");
        assertThat(Sql.state(owner, "SELECT svc_vault.create_secret(repeat('x', 65536), 'large')"))
                .isEqualTo("00000");
        assertThat(Sql.state(owner, "SELECT svc_vault.create_secret('x', repeat('n', 513))"))
                .isEqualTo("54000");
        assertThat(Sql.value(
                        owner, "SELECT count(svc_vault.create_secret('x', 'n' || i)) FROM generate_series(1, 999) i"))
                .isEqualTo("999");
        assertThat(Sql.state(owner, "SELECT svc_vault.create_secret('x', 'one more')"))
                .isEqualTo("54000");
        assertThat(Sql.value(other, "SELECT svc_vault.create_secret('x', 'one more')"))
                .isNotNull();
    }

    @Test
    void droppingTheExtensionAsksBeforeItTakesSecrets() throws Exception {
        create("token", "one");
        String installed = "SELECT extname FROM svc_views.pg_extension WHERE extname = 'supabase_vault'";
        assertThat(Sql.value(owner, installed)).isEqualTo("supabase_vault");
        String drop = "CALL svc_statements.drop_extensions(ARRAY['supabase_vault'], false, ";
        assertThat(Sql.state(owner, drop + "false)")).isEqualTo("2BP01");
        assertThat(Sql.state(owner, drop + "true)")).isEqualTo("00000");
        assertThat(Sql.value(owner, installed)).isNull();
        assertThat(Sql.column(owner, "SELECT name FROM svc_vault.secrets")).isEmpty();
    }
}
