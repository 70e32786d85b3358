package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;

/** Names of schemas and roles in results: clients send what they have read, and compare it with what they wrote. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ClientNamesTest extends TestBesideNeighbour {
    private static String value(WireClient wire, String sql) throws IOException {
        List<WireClient.Message> answers = wire.query(sql);
        assertThat(WireClient.error(answers)).as(sql).isEmpty();
        return answers.stream()
                .filter(message -> message.type() == 'D')
                .map(message -> message.text().substring(6))
                .collect(Collectors.joining("\n"));
    }

    private static void make(WireClient wire) throws IOException {
        for (String sql : List.of(
                "create schema app",
                "create type mood as enum ('ok')",
                "create table public.todos (id int primary key, mood mood, owner uuid references auth.users)",
                "alter table todos enable row level security",
                "create policy own on public.todos for select to authenticated, anon using (true)",
                "grant select on todos to anon",
                "create table app.other (id int)")) {
            assertThat(WireClient.error(wire.query(sql))).as(sql).isEmpty();
        }
    }

    @Test
    void theCatalogHasFamiliarNames() throws IOException {
        try (WireClient wire = signedIn()) {
            make(wire);
            assertThat(value(wire, "select current_schema()")).isEqualTo("public");
            assertThat(value(wire, "select current_user")).isEqualTo("postgres");
            String path = value(wire, "show search_path");
            assertThat(path).startsWith("public, ").doesNotContain("proj_").doesNotContain("svc_");
            // Flyway puts a schema in front of it, and sets it again.
            assertThat(WireClient.error(
                            wire.query("select set_config('search_path', '\"public\"," + path + "', false)")))
                    .isEmpty();
            assertThat(value(wire, "select nspname from pg_namespace order by 1"))
                    .contains("app", "auth", "public", "storage")
                    .doesNotContain("proj_");
            assertThat(value(wire, "select table_schema from information_schema.tables where table_name = 'other'"))
                    .isEqualTo("app");
            assertThat(value(wire, "select roles from pg_policies where tablename = 'todos'"))
                    .isEqualTo("{anon,authenticated}");
            assertThat(value(
                            wire,
                            "select nspname || '.' || relname from pg_class c join pg_namespace n on n.oid ="
                                    + " c.relnamespace where relname in ('todos', 'other') order by relname"))
                    .isEqualTo("app.other\npublic.todos");
            assertThat(value(wire, "select json_agg(schemaname) from pg_tables where tablename = 'todos'"))
                    .isEqualTo("[\"public\"]");
            assertThat(value(wire, "select relacl from pg_class where relname = 'todos'"))
                    .contains("postgres=")
                    .contains("/postgres")
                    .doesNotContain("proj_");
        }
    }

    @Test
    void typesAndRelationsAreQualifiedWithAnEmptySearchPath() throws IOException {
        try (WireClient wire = signedIn()) {
            make(wire);
            String type = "select pg_catalog.format_type(atttypid, atttypmod), attrelid::pg_catalog.regclass"
                    + " from pg_catalog.pg_attribute where attname = 'mood' and attrelid = 'public.todos'::pg_catalog.regclass";
            assertThat(value(wire, type)).contains("mood").contains("todos").doesNotContain("proj_");
            assertThat(WireClient.error(wire.query("select pg_catalog.set_config('search_path', '', false)")))
                    .isEmpty();
            assertThat(value(wire, type))
                    .contains("public.mood")
                    .contains("public.todos")
                    .doesNotContain("proj_");
            assertThat(value(wire, "select 'auth.users'::pg_catalog.regclass")).isEqualTo("auth.users");
        }
    }

    /** The text of a row is data, whatever it looks like; a value of a type for names is a name. */
    @Test
    void rowsOfAnApplicationStayAsTheyAre() throws IOException {
        try (WireClient wire = signedIn()) {
            String real = value(wire, "select current_schema()::text");
            assertThat(real).startsWith("proj_");
            make(wire);
            wire.query("create table notes (note text)");
            wire.query("insert into notes select current_schema()");
            assertThat(value(wire, "select note from notes")).isEqualTo(real);
            assertThat(value(wire, "select upper(note) from notes, pg_class limit 1"))
                    .isEqualTo(real.toUpperCase(java.util.Locale.ROOT));
            assertThat(value(wire, "select note::name from notes")).isEqualTo("public");
        }
    }

    @Test
    void bothFormatsHaveThem() throws SQLException, IOException {
        try (WireClient wire = signedIn()) {
            make(wire);
        }
        var properties = new Properties();
        properties.put("user", "postgres." + project.ref());
        properties.put("password", TestingPlatform.ADMIN);
        properties.put("sslmode", "disable");
        properties.put("binaryTransfer", "true");
        properties.put("binaryTransferEnable", "TEXT_ARRAY,TEXT");
        properties.put("prepareThreshold", "-1");
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + endpoint.port() + "/postgres", properties);
                PreparedStatement select = connection.prepareStatement(
                        "select roles::text[], array[schemaname::text, null, 'x'] from pg_policies where schemaname = ?")) {
            select.setString(1, "public");
            for (int run = 0; run < 2; run++) {
                try (ResultSet rows = select.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat((Object[]) rows.getArray(1).getArray()).containsExactly("anon", "authenticated");
                    assertThat((Object[]) rows.getArray(2).getArray()).containsExactly("public", null, "x");
                }
            }
        }
    }

    @Test
    void functionsOfExtensionsAreFoundByTheirSchemaAlone() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.query("create function public.mine() returns int language sql return 1");
            String visible = "select n.nspname || '.' || p.proname from pg_catalog.pg_proc p"
                    + " left join pg_catalog.pg_namespace n on n.oid = p.pronamespace"
                    + " where pg_catalog.pg_function_is_visible(p.oid) and n.nspname <> 'pg_catalog'"
                    + " and n.nspname <> 'information_schema' order by 1";
            assertThat(value(wire, visible)).isEqualTo("public.mine");
            assertThat(value(
                            wire,
                            "select count(*) > 0 from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
                                    + " where n.nspname = 'extensions'"))
                    .isEqualTo("t");
        }
    }
}
