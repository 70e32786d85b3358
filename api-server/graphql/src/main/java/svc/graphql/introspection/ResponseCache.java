package svc.graphql.introspection;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.graphql.cache.SharedCache;
import svc.graphql.document.ValueWeight;
import svc.graphql.schema.GraphqlSchema;

/**
 * Answers to introspection, by project. A key holds its schema, so those of older versions go as soon as a newer one is
 * answered.
 */
final class ResponseCache {
    private static final long MAX_BYTES = 16L * 1024 * 1024;
    private static final Duration IDLE = Duration.ofMinutes(10);

    /** A longer question is rare, and its answer is made again. */
    private static final int MAX_KEY_BYTES = 64 * 1024;

    private static final int OVERHEAD = 500;
    private static final int BYTES_PER_VARIABLE = 120;

    /** A tree takes a multiple of its characters. */
    private static final int BYTES_PER_CHARACTER = 16;

    private final SharedCache<Question, List<byte[]>> answers =
            new SharedCache<>(MAX_BYTES, Question::ref, ResponseCache::weight, IDLE);

    /**
     * A question to a schema.
     *
     * @param ref the project
     * @param variables those that the operation declares
     */
    record Question(
            String ref,
            GraphqlSchema schema,
            String query,
            Optional<String> operation,
            Map<String, JsonNode> variables) {
        /** Estimated heap, without the schema. */
        long bytes() {
            long bytes = OVERHEAD
                    + 2L * query.length()
                    + 2L * operation.map(String::length).orElse(0);
            for (Map.Entry<String, JsonNode> one : variables.entrySet()) {
                bytes += BYTES_PER_VARIABLE + 2L * one.getKey().length();
                bytes += BYTES_PER_CHARACTER * ValueWeight.of(one.getValue());
            }
            return bytes;
        }
    }

    Optional<List<byte[]>> getIfPresent(Question question) {
        return answers.getIfPresent(question);
    }

    void put(Question question, List<byte[]> answer) {
        String version = question.schema().project().version();
        answers.removeIf(other -> other.ref().equals(question.ref())
                && !other.schema().project().version().equals(version));
        if (question.bytes() <= MAX_KEY_BYTES) {
            answers.put(question, answer);
        }
    }

    private static int weight(Question question, List<byte[]> answer) {
        long bytes =
                question.bytes() + answer.stream().mapToLong(one -> one.length).sum();
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }
}
