package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** The documentation that the platform has of itself: as a tool and as pages. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class McpDocsTest {
    private static final McpClient ADMIN = McpClient.of(TestingPlatform.ADMIN);
    private static final Http STRANGER = Http.host("api.svc.example");

    private static JsonNode search(McpClient client, Map<String, ?> arguments) {
        try {
            return McpClient.JSON.readTree(client.text("search_docs", arguments));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anAgentFindsTheSectionThatAnswersItAndReadsThePage() {
        JsonNode first =
                search(ADMIN, Map.of("query", "resumable uploads", "limit", 3)).at("/results/0");
        assertThat(first.get("path").asText()).startsWith("storage.md");
        assertThat(first.get("title").asText()).startsWith("Storage");
        assertThat(first.get("excerpt").asText()).contains("pload");
        String url = first.get("url").asText();
        assertThat(url).startsWith("http://api.svc.example/v1/docs/storage.md");
        Http.Answer page = STRANGER.get("/v1/docs/storage.md");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("content-type").orElseThrow()).startsWith("text/markdown");
        assertThat(page.text()).startsWith("# Storage");
    }

    @Test
    void thePageListsTheToolsOfEachGroup() {
        String page = STRANGER.get("/v1/docs/agents.md").text();
        String table = page.substring(page.indexOf("| group | tools |"));
        Map<String, List<String>> documented = table.lines()
                .skip(2)
                .takeWhile(row -> row.startsWith("|"))
                .map(row -> row.split("\\|"))
                .collect(Collectors.toMap(
                        row -> row[1].strip(),
                        row -> List.of(row[2].strip().replace("`", "").split(" "))));

        assertThat(documented).hasSize(8);
        documented.forEach((group, tools) -> assertThat(ADMIN.at("features=" + group)
                        .request("tools/list", McpClient.params())
                        .get("tools"))
                .as(group)
                .extracting(tool -> tool.get("name").asText())
                .containsExactlyInAnyOrderElementsOf(tools));
    }

    @Test
    void aQueryInTheFormOfSupabasesToolHasAnAnswerInItsShape() {
        JsonNode answer = search(
                ADMIN,
                Map.of(
                        "graphql_query",
                        "query { searchDocs(limit: 2, query: \"verify_jwt (webhook)\") { nodes { title href content } } }"));
        assertThat(answer.at("/searchDocs/nodes")).hasSize(2);
        assertThat(answer.at("/searchDocs/nodes/0/href").asText()).contains("/v1/docs/functions");
        assertThat(answer.at("/searchDocs/nodes/0/content").asText()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ __schema { types { name } } }",
                "{ searchDocs }",
                "{ searchDocs(query: $q) { nodes { title } } }",
                "{ searchDocs(query: \"unfinished",
                "",
                "searchDocs(query: \"\\"
            })
    void anotherGraphqlQueryIsRefusedWithWhatTheToolReads(String graphql) {
        assertThat(ADMIN.error("search_docs", Map.of("graphql_query", graphql))).contains("searchDocs(query:");
    }

    @Test
    void anAnswerIsSmallAndAQueryIsShort() {
        for (int limit : List.of(-1, 1, 5, 10, 1000)) {
            String text =
                    ADMIN.text("search_docs", Map.of("query", "the project's limits of functions", "limit", limit));
            assertThat(text.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(12 << 10);
        }
        assertThat(search(ADMIN, Map.of("query", "limits", "limit", 1000)).get("results"))
                .hasSize(10);
        assertThat(search(ADMIN, Map.of("query", "xylophone")).get("hint").asText())
                .contains("storage.md");
        assertThat(ADMIN.error("search_docs", Map.of("query", "x".repeat(301)))).contains("300 characters");
        assertThat(ADMIN.error("search_docs", Map.of())).contains("either query or graphql_query");
        assertThat(ADMIN.error("search_docs", Map.of("query", "a", "graphql_query", "{ searchDocs(query: \"a\") }")))
                .contains("either query or graphql_query");
    }

    @Test
    void everyClientHasTheToolUnlessItChoosesOthers() {
        assertThat(search(ADMIN.at("read_only=true&project_ref=abcd1234"), Map.of("query", "limits"))
                        .get("results"))
                .isNotEmpty();
        assertThat(search(ADMIN.at("features=docs").of2026(), Map.of("query", "limits"))
                        .get("results"))
                .isNotEmpty();
        assertThat(ADMIN.at("features=database")
                        .send("tools/call", McpClient.call("search_docs", Map.of("query", "a")))
                        .json()
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32602);
    }

    @Test
    void modelsFindThePagesByLlmsTxt() {
        Http.Answer index = STRANGER.get("/llms.txt");
        assertThat(index.status()).isEqualTo(200);
        assertThat(index.header("content-type").orElseThrow()).startsWith("text/plain");
        assertThat(index.header("cache-control").orElseThrow()).contains("public");
        assertThat(index.text()).startsWith("# svc").contains("[Storage](http://api.svc.example/v1/docs/storage.md)");
        Http again = STRANGER.with("If-None-Match", index.header("etag").orElseThrow());
        assertThat(again.get("/llms.txt").status()).isEqualTo(304);
        assertThat(STRANGER.get("/v1/docs/storage").text())
                .isEqualTo(STRANGER.get("/v1/docs/storage.md").text());
        assertThat(STRANGER.send("POST", "/llms.txt", "").status()).isEqualTo(405);
        for (String path : List.of(
                "/v1/docs/nothing.md",
                "/v1/docs/..%2f..%2fapplication.properties",
                "/v1/docs/llms.txt",
                "/v1/docs/%00.md",
                "/v1/docs/",
                "/llms.txt/x",
                "/v1/docs/storage.md/x")) {
            assertThat(STRANGER.get(path).status()).as(path).isIn(400, 401, 404);
        }
    }
}
