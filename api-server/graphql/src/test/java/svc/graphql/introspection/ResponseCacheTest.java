package svc.graphql.introspection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import svc.catalog.ProjectSchema;
import svc.graphql.introspection.ResponseCache.Question;
import svc.graphql.schema.GraphqlSchema;

/** What is kept of introspection is bounded by all that it holds: variables, and schemas of older versions. */
class ResponseCacheTest {
    private static final List<byte[]> ANSWER = List.of(new byte[100]);

    private static GraphqlSchema schema(String version) {
        var project =
                new ProjectSchema(version, List.of("public"), Map.of(), null, null, List.of(), Map.of(), Map.of());
        return new GraphqlSchema(project, Map.of(), Map.of(), Map.of(), Set.of(), null);
    }

    private static Question question(String ref, GraphqlSchema schema, Map<String, JsonNode> variables) {
        return new Question(ref, schema, "{ __schema { description } }", Optional.empty(), variables);
    }

    @Test
    void anAnswerIsKeptUntilANewerVersionIsAnswered() {
        var cache = new ResponseCache();
        Question old = question("a", schema("1"), Map.of());
        Question ofOther = question("b", schema("1"), Map.of());
        cache.put(old, ANSWER);
        cache.put(ofOther, ANSWER);
        assertThat(cache.getIfPresent(old)).isPresent();
        Question current = question("a", schema("2"), Map.of());
        cache.put(current, ANSWER);
        assertThat(cache.getIfPresent(old)).isEmpty();
        assertThat(cache.getIfPresent(current)).isPresent();
        assertThat(cache.getIfPresent(ofOther)).isPresent();
    }

    @Test
    void largeVariablesAreNotKept() {
        var cache = new ResponseCache();
        GraphqlSchema schema = schema("1");
        Question small = question("a", schema, Map.of("name", new TextNode("Account")));
        Question large = question("a", schema, Map.of("name", new TextNode("x".repeat(100_000))));
        cache.put(small, ANSWER);
        cache.put(large, ANSWER);
        assertThat(cache.getIfPresent(small)).isPresent();
        assertThat(cache.getIfPresent(large)).isEmpty();
        assertThat(large.bytes()).isGreaterThan(100_000);
    }

    @Test
    void aProjectDoesNotDriveOutTheAnswersOfOthers() {
        var cache = new ResponseCache();
        Question quiet = question("quiet", schema("1"), Map.of());
        cache.put(quiet, ANSWER);
        GraphqlSchema loud = schema("1");
        for (int i = 0; i < 40; i++) {
            cache.put(question("loud", loud, Map.of("n", new TextNode("n" + i))), List.of(new byte[1_000_000]));
        }
        assertThat(cache.getIfPresent(quiet)).isPresent();
    }
}
