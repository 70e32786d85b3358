package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** The REST settings through the Management API; {@code e2e} shows that they are effective at once. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class RestSettingsTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);

    private static String path() {
        return "/v1/projects/" + ProjectForTests.create("settings").ref();
    }

    private static Http.Answer change(String path, String rest) {
        return API.send("PATCH", path, "{\"rest\":" + rest + "}");
    }

    @Test
    void theyHaveTheNamesOfTheResource() {
        String path = path();
        assertThat(API.get(path).json().get("rest").toString())
                .isEqualTo("{\"exposedSchemas\":[],\"extraSearchPath\":[],\"maxRows\":1000,\"aggregates\":false,"
                        + "\"plan\":false,\"txEnd\":\"Commit\",\"openapiMode\":\"FollowPrivileges\","
                        + "\"errorVerbosity\":\"Verbose\"}");

        JsonNode changed = change(
                        path,
                        "{\"maxRows\":2,\"aggregates\":true,\"plan\":true,\"txEnd\":\"CommitAllowOverride\","
                                + "\"openapiMode\":\"Disabled\",\"preRequest\":\"public.check\",\"rootSpec\":\"root\","
                                + "\"errorVerbosity\":\"Minimal\"}")
                .json()
                .get("rest");

        assertThat(changed.toString())
                .isEqualTo("{\"exposedSchemas\":[],\"extraSearchPath\":[],\"maxRows\":2,\"aggregates\":true,"
                        + "\"plan\":true,\"preRequest\":\"public.check\",\"txEnd\":\"CommitAllowOverride\","
                        + "\"openapiMode\":\"Disabled\",\"rootSpec\":\"root\",\"errorVerbosity\":\"Minimal\"}");
    }

    @Test
    void schemasOfTheProjectAreExposed() {
        assertThat(change(path(), "{\"exposedSchemas\":[\"public\",\"api\"]}")
                        .json()
                        .at("/rest/exposedSchemas")
                        .toString())
                .isEqualTo("[\"public\",\"api\"]");
    }

    @Test
    void whatIsLeftOutStaysAndNullTakesAway() {
        String path = path();
        change(path, "{\"maxRows\":7,\"preRequest\":\"check\"}");

        assertThat(change(path, "{\"plan\":true}").json().at("/rest/preRequest").asText())
                .isEqualTo("check");
        JsonNode rest =
                change(path, "{\"preRequest\":null,\"plan\":null}").json().get("rest");

        assertThat(rest.has("preRequest")).isFalse();
        assertThat(rest.get("plan").asBoolean()).isTrue();
        assertThat(rest.get("maxRows").asInt()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"maxRows":0}                     | /rest/maxRows         | from 1 to 1000000
            {"maxRows":1000001}               | /rest/maxRows         | from 1 to 1000000
            {"maxRows":"5"}                   | /rest/maxRows         | a whole number
            {"aggregates":"yes"}              | /rest/aggregates      | true or false
            {"txEnd":"Never"}                 | /rest/txEnd           | one of the allowed values
            {"openapiMode":2}                 | /rest/openapiMode     | one of the allowed values
            {"preRequest":""}                 | /rest/preRequest      | schema.function
            {"preRequest":"a."}               | /rest/preRequest      | schema.function
            {"preRequest":7}                  | /rest/preRequest      | string
            {"rootSpec":""}                   | /rest/rootSpec        | name of a function
            {"errorVerbosity":"Loud"}         | /rest/errorVerbosity  | one of the allowed values
            {"max_rows":5}                    | /rest/max_rows        | unknown field
            {"anonRole":"anon"}               | /rest/anonRole        | unknown field
            {"extraSearchPath":["x"]}         | /rest/extraSearchPath | adopted database only
            {"exposedSchemas":["auth"]}       | /rest/exposedSchemas  | CREATE SCHEMA can make
            {"exposedSchemas":["X y"]}        | /rest/exposedSchemas  | CREATE SCHEMA can make
            {"exposedSchemas":["public","pg_catalog"]} | /rest/exposedSchemas | CREATE SCHEMA can make
            {"exposedSchemas":[""]}           | /rest/exposedSchemas  | names of schemas
            {"exposedSchemas":[null]}         | /rest/exposedSchemas  | names of schemas
            {"exposedSchemas":"public"}       | /rest/exposedSchemas  | an array
            {"roleClaim":".role"}             | /rest/roleClaim       | adopted database only
            {"roleClaim":" "}                 | /rest/roleClaim       | path of a claim
            []                                | /rest                 | an object
            """)
    void whatCannotBeIsSaid(String rest, String pointer, String why) {
        Http.Answer answer = change(path(), rest);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("invalid_body");
        assertThat(answer.json().at("/errors/0/pointer").asText()).isEqualTo(pointer);
        assertThat(answer.json().at("/errors/0").toString()).contains(why);
    }
}
