package svc.rest.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/**
 * A project whose schema, table and function names are known cannot be read from another project, neither by its callers
 * nor by its owner's code.
 */
class OtherProjectsTest {
    private static final String SECRET = "nobody else reads this";

    private static TestingDataPlane plane;
    private static TestingProjects projects;
    private static Tenant curious;
    private static Tenant other;

    @BeforeAll
    static void serve() {
        projects = TestingProjects.create();
        plane = new TestingDataPlane(projects, PoolSettings.defaults(), true);
        other = projects.project("theother");
        projects.asOwner(other, """
                CREATE TABLE note (id int PRIMARY KEY, text text);
                INSERT INTO note VALUES (1, '%s');
                CREATE FUNCTION tell() RETURNS text LANGUAGE sql STABLE AS 'SELECT text FROM note';
                CREATE TYPE mood AS ENUM ('sad');
                CREATE TEXT SEARCH CONFIGURATION words (COPY = pg_catalog.simple);
                GRANT ALL ON note TO PUBLIC;
                GRANT EXECUTE ON FUNCTION tell() TO PUBLIC;
                """.formatted(SECRET));
        curious = projects.project("curious1");
        String schema = other.names().schemaName();
        projects.asOwner(curious, """
                CREATE TABLE note (id int PRIMARY KEY, text text);
                INSERT INTO note VALUES (1, '%1$s.note'), (2, 'mine');
                CREATE FUNCTION look() RETURNS SETOF text LANGUAGE plpgsql AS $$
                BEGIN RETURN QUERY EXECUTE 'SELECT text FROM %1$s.note'; END $$;
                CREATE FUNCTION call() RETURNS text LANGUAGE plpgsql AS $$
                DECLARE told text; BEGIN EXECUTE 'SELECT %1$s.tell()' INTO told; RETURN told; END $$;
                CREATE FUNCTION become() RETURNS text LANGUAGE plpgsql AS $$
                BEGIN EXECUTE 'SET ROLE %1$s_service'; RETURN current_user; END $$;
                CREATE FUNCTION by_path() RETURNS SETOF note LANGUAGE plpgsql AS $$
                BEGIN SET LOCAL search_path = '%1$s'; RETURN QUERY EXECUTE 'SELECT id, text FROM note'; END $$;
                CREATE FUNCTION peek(note) RETURNS text LANGUAGE plpgsql AS $$
                DECLARE told text; BEGIN EXECUTE 'SELECT text FROM %1$s.note' INTO told; RETURN told; END $$;
                CREATE FUNCTION rows(note) RETURNS SETOF note LANGUAGE plpgsql AS $$
                BEGIN RETURN QUERY EXECUTE 'SELECT id, text FROM %1$s.note'; END $$;
                """.formatted(schema));
        plane.serve(curious);
        plane.serve(other);
    }

    @AfterAll
    static void close() {
        plane.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/{other}.note",
                "/%22{other}%22.%22note%22",
                "/{other}%2Fnote",
                "/note?select=*,{other}.note(text)",
                "/note?select=*,\"{other}.note\"(text)",
                "/note?select=*,n:\"{other}\".\"note\"(text)",
                "/note?select=*,note!{other}(text)",
                "/note?select=text::\"{other}.mood\"",
                "/note?select=text::{other}.mood",
                "/note?select=\"{other}.note\".text",
                "/note?select={other}.tell",
                "/note?select=id,peek",
                "/note?select=id,rows(text)",
                "/note?peek=like.*",
                "/note?order=peek",
                "/note?text=fts(\"{other}.words\").x",
                "/note?{other}.note.text=like.*",
                "/note?order={other}.note(text)",
                "/rpc/{other}.tell",
                "/rpc/tell",
                "/rpc/look",
                "/rpc/call",
                "/rpc/become",
                "/rpc/by_path",
                "/rpc/by_path?select=text"
            })
    void noRequestReachesIt(String pattern) {
        String request = pattern.replace("{other}", other.names().schemaName());
        for (Map<String, String> headers :
                List.of(Map.<String, String>of(), Map.of("Test-Role", "ann"), Map.of("Test-Role", "service"))) {
            for (String method : List.of("GET", "POST")) {
                String body = method.equals("POST") ? "{}" : null;
                HttpResponse<String> answer = plane.request(curious, method, request, headers, body);
                assertThat(answer.statusCode())
                        .as("%s %s: %s", method, request, answer.body())
                        .isBetween(200, 499);
                assertThat(answer.body())
                        .as("%s %s", method, request)
                        .doesNotContain(SECRET)
                        .doesNotContain(other.names().schemaName() + "_service\"");
            }
        }
    }

    @Test
    void aProfileNamesOnlyTheProjectsOwnSchema() {
        String schema = other.names().schemaName();
        for (String profile : List.of(schema, "\"" + schema + "\"", "pg_catalog", "svc_views", schema + "_auth")) {
            HttpResponse<String> answer =
                    plane.request(curious, "GET", "/note", Map.of("Accept-Profile", profile), null);
            assertThat(answer.statusCode()).as(profile).isEqualTo(406);
            assertThat(answer.body()).contains("PGRST106").doesNotContain(SECRET);
        }
    }

    @Test
    void anOwnersCodeCannotNameItsTypesOrTables() {
        String schema = other.names().schemaName();
        for (String sql : List.of(
                "CREATE FUNCTION related(note) RETURNS SETOF " + schema + ".note LANGUAGE sql AS 'SELECT 1, 2'",
                "CREATE TABLE child (id int REFERENCES " + schema + ".note)",
                "CREATE VIEW theirs AS SELECT * FROM " + schema + ".note",
                "CREATE TABLE moods (mood " + schema + ".mood)")) {
            assertThatThrownBy(() -> projects.asOwner(curious, sql)).hasMessageContaining("permission denied");
        }
    }
}
