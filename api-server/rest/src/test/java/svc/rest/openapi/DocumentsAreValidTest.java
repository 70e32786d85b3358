package svc.rest.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.parser.OpenAPIParser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.catalog.TestingSchema;
import svc.rest.testing.TestingDataPlane;

/** The OpenAPI documents are valid for the parser that most client generators use. */
class DocumentsAreValidTest {
    private static final String EVERYTHING = """
            CREATE TYPE mood AS ENUM ('sad', 'happy');
            CREATE TYPE pair AS (a int, b text);
            CREATE DOMAIN email AS text CHECK (VALUE LIKE '%@%');
            CREATE TABLE clients (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, mail email);
            COMMENT ON TABLE clients IS E'Clients\\nWho pay';
            CREATE TABLE projects (id int PRIMARY KEY, client_id bigint REFERENCES clients, feeling mood DEFAULT 'sad',
                title varchar(40) DEFAULT 'it''s', tags text[], moods mood[], extra jsonb DEFAULT '{}', span int4range,
                deep int[][], both_of pair, twice int GENERATED ALWAYS AS (1 + 1) STORED, raw bytea, "Ünï / cödé" int);
            CREATE VIEW totals AS SELECT count(*) FROM projects;
            CREATE MATERIALIZED VIEW kept AS SELECT 1 AS one;
            CREATE TABLE no_columns ();
            CREATE FUNCTION adds(a int, b int DEFAULT 1, VARIADIC c int[] DEFAULT '{}') RETURNS int STABLE
                LANGUAGE sql AS 'SELECT a';
            CREATE FUNCTION rows_of() RETURNS TABLE (a int, b mood[]) STABLE LANGUAGE sql AS 'SELECT 1, NULL::mood[]';
            CREATE FUNCTION sends(json) RETURNS void LANGUAGE sql AS '';
            CREATE FUNCTION anything() RETURNS SETOF record LANGUAGE sql AS 'SELECT 1, 2';
            CREATE FUNCTION several() RETURNS SETOF projects LANGUAGE sql AS 'SELECT * FROM projects';
            """;

    @ParameterizedTest
    @ValueSource(strings = {"application/openapi+json", "application/openapi+json;version=3.1"})
    void nothingIsWrong(String accept) {
        try (var schema = new TestingSchema("validity", EVERYTHING);
                var plane = TestingDataPlane.of(schema)) {
            String document = plane.request(
                            schema.tenant(), "GET", "/", Map.of("Accept", accept, "Test-Role", "service"), null)
                    .body();
            SwaggerParseResult read = new OpenAPIParser().readContents(document, null, new ParseOptions());
            assertThat(read.getMessages()).isNullOrEmpty();
            assertThat(read.getOpenAPI().getPaths())
                    .containsKeys("/", "/projects", "/kept", "/rpc/adds", "/no_columns");
        }
    }

    /** So that the test above can fail. */
    @Test
    void theLibrarySeesWhatIsWrong() {
        String wrong =
                "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"x\"},\"paths\":{\"/a\":{\"get\":{\"parametres\":[]}}}}";
        assertThat(new OpenAPIParser()
                        .readContents(wrong, null, new ParseOptions())
                        .getMessages())
                .isNotEmpty();
    }
}
