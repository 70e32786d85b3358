package svc.graphql.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.GraphqlSpec;
import svc.graphql.GraphqlFixture;

/**
 * Whatever a document says, the answer is 200 with data or with an error that is the client's: never a fault of the server,
 * and never a statement that PostgreSQL cannot read.
 */
class DocumentFuzzTest {
    private static final int DOCUMENTS = 20_000;
    private static final int CALLERS = 8;
    private static final long SEED = 20_261_123;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** What PostgreSQL says of a statement that we wrote wrongly. */
    private static final Pattern UNREADABLE =
            Pattern.compile("syntax error at(?!.* of jsonpath input)|does not exist|could not determine|"
                    + "must appear in the GROUP BY|operator is not unique|missing FROM-clause|is ambiguous|cannot cast|"
                    + "bind message|of type .* but expression|subquery must return");

    /** Data that was changed meanwhile must not matter: some of the documents write. */
    @Test
    void everyDocumentHasAnAnswer() throws Exception {
        ask(GraphqlFixture.serve(GraphqlFixture.BLOG), false);
    }

    @Test
    void everyDocumentWithExtensionsHasAnAnswer() throws Exception {
        ask(GraphqlFixture.serve(GraphqlFixture.BLOG).with(new GraphqlSpec(true, true, 15, 30, true)), true);
    }

    private static void ask(GraphqlFixture blog, boolean extended) throws Exception {
        List<Future<List<String>>> running = new ArrayList<>();
        int answered = 0;
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            for (int caller = 0; caller < CALLERS; caller++) {
                long seed = SEED + caller;
                running.add(callers.submit(() -> run(blog, new RandomDocuments(seed, extended), DOCUMENTS / CALLERS)));
            }
            for (Future<List<String>> one : running) {
                answered += one.get().size();
            }
        }
        assertThat(answered).as("documents with data").isGreaterThan(DOCUMENTS / 20);
    }

    /** The documents that had data. */
    private static List<String> run(GraphqlFixture blog, RandomDocuments documents, int count) throws Exception {
        List<String> good = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String document = documents.next();
            String body = JSON.createObjectNode()
                    .put("query", document)
                    .put("operationName", document.startsWith("query A") ? "A" : null)
                    .toString();
            HttpResponse<String> answer = GraphqlFixture.SERVICE.request(
                    blog.tenant(), "POST", "/", Map.of("Content-Type", "application/json"), body);
            assertThat(answer.statusCode())
                    .as("%s%n%s", document, answer.body())
                    .isEqualTo(200);
            JsonNode read = JSON.readTree(answer.body());
            if (read.path("data").isObject()) {
                good.add(document);
            } else {
                String message = read.at("/errors/0/message").asText();
                assertThat(message).as(document).isNotEmpty();
                assertThat(UNREADABLE.matcher(message).find())
                        .as("%s%n%s", document, message)
                        .isFalse();
            }
        }
        return good;
    }
}
