package svc.management.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.function.FunctionCalls;
import svc.testing.Http;

/** A caller without the permission learns only that; functions of other organisations do not exist for it. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ForeignFunctionTest {
    private record Call(String method, String path, String body) {}

    private static final List<Call> CALLS = List.of(
            new Call("POST", "/deploy", "{\"name\":\"stuck\",\"source\":\"export default () => 1\"}"),
            new Call("PUT", "/stuck", "{\"source\":\"export default () => 1\"}"),
            new Call("PUT", "/stuck", "{\"verify_jwt\":false}"),
            new Call("GET", "", ""),
            new Call("GET", "/stuck", ""),
            new Call("POST", "", "{\"slug\":\"stuck\",\"body\":\"export default () => new Response()\"}"),
            new Call("PATCH", "/stuck", "{\"verify_jwt\":false}"),
            new Call("GET", "/stuck/body", ""),
            new Call("GET", "/stuck/logs", ""),
            new Call("GET", "/stuck/logs?follow=true", ""),
            new Call("POST", "/stuck/rollback", "{\"version\":1}"),
            new Call("DELETE", "/stuck", ""),
            new Call("PUT", "/secrets", "{\"functionName\":\"stuck\",\"key\":\"A\",\"value\":\"b\"}"),
            new Call("GET", "/secrets", ""),
            new Call("DELETE", "/secrets/stuck/A", ""));

    private static String token(String permissions) {
        Http.Answer answer = Http.api(TestingPlatform.ADMIN)
                .send("POST", "/v1/tokens", "{\"name\":\"t\",\"permissions\":" + permissions + "}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return secret(answer.json());
    }

    /** The only token in the response. */
    private static String secret(JsonNode answer) {
        Matcher token = Pattern.compile("svc_pat_[A-Za-z0-9_-]+").matcher(answer.toString());
        assertThat(token.find()).isTrue();
        return token.group();
    }

    @Test
    void aTokenWithoutThePermissionIsForbiddenEverywhere() {
        FunctionCalls calls = FunctionCalls.ofNewProject("forbidden");
        Http without = Http.api(token("{\"database_query\":true,\"projects_create\":true}"));

        for (String prefix : List.of("/v1", "/api")) {
            for (Call call : CALLS) {
                String path = calls.path(call.path()).replaceFirst("^/v1", prefix);
                Http.Answer answer = without.send(call.method(), path, call.body());
                assertThat(answer.status()).as(call + " " + answer).isEqualTo(403);
                assertThat(answer.code()).isEqualTo("pat_edge_functions_forbidden");
            }
        }
        // Before the body is parsed, even if it is not JSON.
        assertThat(without.send("POST", calls.path("/deploy"), "{").code()).isEqualTo("pat_edge_functions_forbidden");
        assertThat(new Http("api.svc.example", Map.of()).get(calls.path("")).code())
                .isEqualTo("token_missing");
    }

    @Test
    void aProjectOfAnotherOrganizationHasNoFunctions() {
        FunctionCalls mine = FunctionCalls.ofNewProject("mine");
        mine.deployed("stuck", FunctionCalls.handler("x"));
        String slug = "org-" + UUID.randomUUID().toString().substring(0, 8);
        Http.Answer organization = Http.api(TestingPlatform.ADMIN)
                .send("POST", "/v1/organizations", "{\"name\":\"other\",\"slug\":\"" + slug + "\"}");
        assertThat(organization.status()).as(organization.toString()).isEqualTo(201);
        Http stranger = Http.api(secret(organization.json()));

        for (Call call : CALLS) {
            Http.Answer answer = stranger.send(call.method(), mine.path(call.path()), call.body());
            assertThat(answer.status()).as(call + " " + answer).isIn(403, 404);
            if (answer.status() == 404) {
                assertThat(answer.code()).isEqualTo("project_not_found");
            }
        }
        assertThat(mine.get("stuck").get("name").asText()).isEqualTo("stuck");
    }

    @Test
    void functionsAndSecretsOfANeighbourAreNotFound() {
        FunctionCalls mine = FunctionCalls.ofNewProject("mine");
        mine.deployed("stuck", FunctionCalls.handler("x"));
        mine.api().send("PUT", mine.path("/secrets"), "{\"functionName\":\"stuck\",\"key\":\"A\",\"value\":\"b\"}");
        FunctionCalls neighbour = new FunctionCalls(mine.api(), ProjectForTests.create("neighbour"));

        assertThat(neighbour.api().get(neighbour.path("/stuck")).code()).isEqualTo("function_not_found");
        assertThat(neighbour.api().get(neighbour.path("/stuck/logs")).code()).isEqualTo("function_not_found");
        assertThat(neighbour.api().send("DELETE", neighbour.path("/stuck")).code())
                .isEqualTo("function_not_found");
        assertThat(neighbour
                        .api()
                        .send("DELETE", neighbour.path("/secrets/stuck/A"))
                        .code())
                .isEqualTo("function_secret_not_found");
        assertThat(neighbour.api().get(neighbour.path("/secrets")).json()).isEmpty();
        assertThat(neighbour.api().get(neighbour.path("")).json()).isEmpty();
        assertThat(mine.api().get(mine.path("/secrets")).json()).hasSize(1);
    }

    @Test
    void aProjectThatLostItsClaimGetsNoFunction() {
        JsonNode lost = Http.api(TestingPlatform.ADMIN)
                .send("POST", "/v1/projects", "{\"name\":\"lost\"}")
                .json()
                .get("project");
        String path = "/v1/projects/" + lost.get("ref").asText() + "/functions/deploy";

        Http.Answer answer = Http.api(TestingPlatform.ADMIN)
                .send("POST", path, CALLS.getFirst().body());

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("project_not_ready");
    }
}
