package svc.management.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;
import svc.server.testing.function.FunctionCalls;
import svc.server.testing.function.TestWithFunctionOperator;
import svc.testing.Http;

/** Tools for Supabase's Management API can create, change, upload and read functions. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class SupabaseShapesTest extends TestWithFunctionOperator {
    private static final String BOUNDARY = "----formdata-0123456789";

    private static Http.Answer send(FunctionCalls calls, String method, String path, Map<String, ?> body) {
        return calls.api().send(method, calls.path(path), FunctionCalls.json(body));
    }

    static Http.Answer form(FunctionCalls calls, String query, String metadata, Map<String, String> files) {
        var text = new StringBuilder();
        if (metadata != null) {
            text.append(part("name=\"metadata\"", metadata));
        }
        files.forEach((path, content) ->
                text.append(part("name=\"file\"; filename=\"" + path + "\"\r\ncontent-type: text/plain", content)));
        text.append("--").append(BOUNDARY).append("--\r\n");
        return calls.api()
                .with("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .send("POST", calls.path("/deploy" + query), text.toString());
    }

    private static String part(String head, String content) {
        return "--" + BOUNDARY + "\r\ncontent-disposition: form-data; " + head + "\r\n\r\n" + content + "\r\n";
    }

    @Test
    void aFunctionIsMadeOnceAndChanged() {
        FunctionCalls calls = FunctionCalls.ofNewProject("written");
        var body = Map.of("slug", "hello", "name", "hello", "body", FunctionCalls.handler("1"), "verify_jwt", false);

        Http.Answer made = send(calls, "POST", "", body);

        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        assertThat(made.json().get("slug").asText()).isEqualTo("hello");
        assertThat(made.json().get("verify_jwt").asBoolean()).isFalse();
        assertThat(send(calls, "POST", "", body).code()).isEqualTo("function_exists");
        JsonNode changed = send(calls, "PATCH", "/hello", Map.of("body", FunctionCalls.handler("2")))
                .json();
        assertThat(changed.get("version").asLong()).isEqualTo(2);
        assertThat(changed.get("verify_jwt").asBoolean()).isFalse();
        JsonNode closed =
                send(calls, "PATCH", "/hello", Map.of("verify_jwt", true)).json();
        assertThat(closed.get("verify_jwt").asBoolean()).isTrue();
        assertThat(closed.get("version").asLong()).isEqualTo(2);
    }

    @Test
    void whatCannotBeMadeOrChangedIsReportedWithItsPlace() {
        FunctionCalls calls = FunctionCalls.ofNewProject("unwritten");

        for (Map<String, String> body : new Map[] {
            Map.of("body", "1"),
            Map.of("slug", "a"),
            Map.of("slug", "a", "name", "b", "body", "1"),
            Map.of("slug", "a", "source", "1")
        }) {
            assertThat(send(calls, "POST", "", body).code()).as(body.toString()).isEqualTo("invalid_body");
        }
        assertThat(send(calls, "POST", "", Map.of("slug", "deploy", "body", "1"))
                        .code())
                .isEqualTo("function_name_invalid");
        assertThat(send(calls, "PATCH", "/nobody", Map.of("body", FunctionCalls.handler("1")))
                        .code())
                .isEqualTo("function_not_found");
        assertThat(send(calls, "PATCH", "/nobody", Map.of()).code()).isEqualTo("invalid_body");
        assertThat(send(calls, "PATCH", "/nobody", Map.of("name", "other")).code())
                .isEqualTo("invalid_body");
    }

    @Test
    void aFormIsDeployedAndReadBack() {
        FunctionCalls calls = FunctionCalls.ofNewProject("form");
        String source = "import { text } from '../_shared/text.ts'; export default () => new Response(text);";
        Map<String, String> files = new LinkedHashMap<>();
        files.put("supabase/functions/sent/main.ts", source);
        files.put("supabase/functions/_shared/text.ts", "export const text = 'ünï';");

        Http.Answer sent = form(
                calls,
                "?slug=sent",
                "{\"name\":\"sent\",\"entrypoint_path\":\"supabase/functions/sent/main.ts\",\"verify_jwt\":false,"
                        // As Supabase's command line sends what is not there.
                        + "\"import_map_path\":\"\",\"static_patterns\":[]}",
                files);

        assertThat(sent.status()).as(sent.toString()).isEqualTo(201);
        assertThat(sent.json().get("verify_jwt").asBoolean()).isFalse();
        JsonNode one = calls.get("sent");
        assertThat(one.get("entrypoint_path").asText())
                .startsWith("file:///tmp/user_fn_")
                .endsWith("/source/main.ts");
        assertThat(one.get("source").asText()).isEqualTo(source);
        assertThat(one.get("files").get("_shared/text.ts").asText()).contains("ünï");
        Http.Answer body = calls.api().get(calls.path("/sent/body"));
        assertThat(body.status()).as(body.toString()).isEqualTo(200);
        assertThat(body.header("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).matches("multipart/form-data; ?boundary=.+"));
        assertThat(body.text())
                .contains(source, "ünï", "filename=\"main.ts\"", "filename=\"_shared/text.ts\"")
                .contains("\"entrypoint_path\":\"main.ts\"");
        assertThat(calls.api().get(calls.path("/nobody/body")).code()).isEqualTo("function_not_found");
    }

    @Test
    void aFormThatIsNoneIsRefused() {
        FunctionCalls calls = FunctionCalls.ofNewProject("noform");
        Map<String, String> index = Map.of("index.ts", FunctionCalls.handler("1"));

        assertThat(form(calls, "?slug=a&bundleOnly=perhaps", null, index).code())
                .isEqualTo("invalid_parameter");
        for (Http.Answer answer : new Http.Answer[] {
            form(calls, "", null, index),
            form(calls, "?slug=a", "{\"entrypoint_path\":\"other.ts\"}", index),
            form(calls, "?slug=a", "{\"static_patterns\":[\"*\"]}", index),
            form(calls, "?slug=a", "no json", index),
            form(calls, "?slug=a", null, Map.of()),
            calls.api()
                    .with("Content-Type", "multipart/form-data")
                    .send("POST", calls.path("/deploy?slug=a"), "no boundary"),
            calls.api()
                    .with("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                    .send("POST", calls.path("/deploy?slug=a"), part("name=\"eszip\"", "x") + "--" + BOUNDARY + "--")
        }) {
            assertThat(answer.code()).as(answer.toString()).isEqualTo("invalid_body");
        }
        assertThat(form(calls, "?slug=a", null, Map.of("index.ts", "1", "../../etc/passwd", ""))
                        .code())
                .isEqualTo("function_path_invalid");
        assertThat(calls.api().get(calls.path("")).json()).isEmpty();
    }
}
