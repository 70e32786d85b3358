package svc.graphql.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.service.GraphqlSpec;
import svc.graphql.GraphqlFixture;

/** Requests and answers as HTTP has them: methods, media types, statuses, what is no request. */
class HttpTest {
    private static final GraphqlFixture BLOG = GraphqlFixture.blog();
    private static final String RESPONSE = "application/graphql-response+json";

    private static HttpResponse<String> send(String method, String path, Map<String, String> headers, String body) {
        return GraphqlFixture.SERVICE.request(BLOG.tenant(), method, path, headers, body);
    }

    private static HttpResponse<String> get(String query) {
        return send("GET", "/?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8), Map.of(), null);
    }

    @Test
    void getReadsAndDoesNotWrite() {
        assertThat(get("{ accountByPk(id: 1) { id } }").body()).isEqualTo("{\"data\":{\"accountByPk\":{\"id\":1}}}");
        String named = "query A { __typename } query B($i: Int!) { accountByPk(id: $i) { id } }";
        HttpResponse<String> second = send(
                "GET",
                "/?operationName=B&variables=" + URLEncoder.encode("{\"i\":2}", StandardCharsets.UTF_8) + "&query="
                        + URLEncoder.encode(named, StandardCharsets.UTF_8),
                Map.of(),
                null);
        assertThat(second.body()).isEqualTo("{\"data\":{\"accountByPk\":{\"id\":2}}}");
        HttpResponse<String> refused = get("mutation { deleteFromBlogCollection { affectedCount } }");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.body()).contains("Send a mutation with POST");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "POST;/x;application/json;{};404;The GraphQL endpoint is /graphql/v1",
                "PUT;/;application/json;{};405;Use POST",
                "POST;/;application/json;nope;400;The body is not valid JSON",
                "POST;/;application/json;'';400;The body must be a JSON object",
                "POST;/;application/json;[{\"query\":\"{__typename}\"}];400;Batches are not supported",
                "POST;/;application/json;{};400;The request has no query",
                "POST;/;application/json;{\"query\":1};400;The request has no query",
                "POST;/;application/json;{\"query\":\"{__typename}\",\"variables\":[]};400;variables must be a JSON"
                        + " object",
                "POST;/;application/json;{\"query\":\"{__typename}\",\"operationName\":1};400;operationName must be",
                "POST;/;text/html;{\"query\":\"{__typename}\"};415;Send the operation as application/json",
                "GET;/;application/json;;400;The request has no query",
                "GET;/?query=%7B__typename%7D&variables=x;application/json;;400;variables is not valid JSON"
            })
    void whatIsNoRequestIsRefused(String method, String path, String type, String body, int status, String message) {
        HttpResponse<String> answer = send(method, path, Map.of("Content-Type", type), body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(message).startsWith("{\"errors\":[{\"message\":");
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json; charset=utf-8");
    }

    /** JSON can name half of a surrogate pair, which is no Unicode text and has no UTF-8. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'query':'\\udc00\\ud800'}",
                "{'query':'{ __typename } # \\ud800'}",
                "{'query':'{ accountCollection(filter: {email: {eq: \"\\ud800\"}}) { edges { cursor } } }'}",
                "{'query':'{ accountCollection(filter: {email: {eq: \"\\\\ud800\"}}) { edges { cursor } } }'}",
                "{'query':'query($e: String!) { accountCollection(filter: {email: {eq: $e}}) { edges { cursor } } }',"
                        + "'variables':{'e':'\\udfff'}}",
                "{'query':'query A { __typename }','operationName':'\\ud83d'}"
            })
    void textThatIsNotUnicodeIsRefused(String body) {
        HttpResponse<String> answer = send(
                "POST",
                "/",
                Map.of("Accept", RESPONSE),
                body.replace("\"", "\\\"").replace('\'', '"'));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("\"errors\":[{\"message\":");
    }

    @Test
    void aDocumentMayBeTheWholeBody() {
        assertThat(send("POST", "/", Map.of("Content-Type", "application/graphql"), "{ __typename }")
                        .body())
                .isEqualTo("{\"data\":{\"__typename\":\"Query\"}}");
    }

    /** pg_graphql answers 200 whatever the errors; the newer media type has statuses. */
    @Test
    void theMediaTypeDecidesTheStatusOfErrors() {
        var json = BLOG.ask("{ nope }").status(200);
        assertThat(json.answer().body())
                .isEqualTo("{\"data\":null,\"errors\":[{\"message\":\"Unknown field \\\"nope\\\" on type Query\"}]}");
        var response = BLOG.ask("{ nope }")
                .header("Accept", RESPONSE + ", application/json;q=0.9")
                .status(400);
        assertThat(response.answer().body())
                .isEqualTo("{\"errors\":[{\"message\":\"Unknown field \\\"nope\\\" on type Query\"}]}");
        assertThat(response.answer().headers().firstValue("Content-Type")).hasValue(RESPONSE + "; charset=utf-8");
        BLOG.ask("{ __typename }").header("Accept", RESPONSE).status(200);
        var failed = BLOG.ask("{ accountCollection(filter: {token: {eq: \"x\"}}) { edges { cursor } } }")
                .header("Accept", RESPONSE)
                .status(200);
        assertThat(failed.answer().body()).startsWith("{\"data\":null,\"errors\":[{\"message\":\"invalid input syntax");
    }

    @Test
    void aProjectMaySwitchTheApiOff() {
        var off = BLOG.with(new GraphqlSpec(false, true, 15, 30, false));
        off.ask("{ __typename }").status(404);
    }
}
