package svc.graphql.introspection;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import svc.graphql.document.Operation;
import svc.graphql.plan.OperationPlan;
import svc.graphql.plan.RootPlan;
import svc.graphql.request.GraphqlRequest;
import svc.graphql.schema.GraphqlSchema;

/**
 * Answers introspection and caches the answers: tools ask every schema the same question. The types of a schema are derived
 * for an answer and not kept.
 */
public final class IntrospectionAnswers {
    private static final long MAX_BYTES = 16L * 1024 * 1024;
    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final int OVERHEAD = 500;

    /** Each takes up to a second of a processor and the memory of its types. */
    private static final int MAX_RUNNING = 2;

    private record Key(
            GraphqlSchema schema, String query, Optional<String> operation, Map<String, JsonNode> variables) {}

    private final Executor blocking;
    private final Semaphore running = new Semaphore(MAX_RUNNING);
    private final Cache<Key, List<byte[]>> answers = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((Key key, List<byte[]> answer) -> OVERHEAD
                    + 2 * key.query().length()
                    + answer.stream().mapToInt(one -> one.length).sum())
            .expireAfterAccess(IDLE)
            .executor(Runnable::run)
            .build();

    /** @param blocking writes the answers */
    public IntrospectionAnswers(Executor blocking) {
        this.blocking = blocking;
    }

    /** The values of the introspection fields of a plan, in order, as JSON text. */
    public CompletableFuture<List<byte[]>> of(
            GraphqlSchema schema, Operation operation, GraphqlRequest request, OperationPlan plan) {
        var key = new Key(schema, request.query(), request.operationName(), request.variables());
        List<byte[]> known = answers.getIfPresent(key);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    List<byte[]> answer = write(schema, operation, plan);
                    answers.put(key, answer);
                    return answer;
                },
                blocking);
    }

    private List<byte[]> write(GraphqlSchema schema, Operation operation, OperationPlan plan) {
        running.acquireUninterruptibly();
        try {
            Map<String, TypeDef> types = SchemaTypes.of(schema);
            List<byte[]> answers = new ArrayList<>();
            for (RootPlan root : plan.roots()) {
                if (root instanceof RootPlan.Introspection one) {
                    answers.add(IntrospectionWriter.write(types, operation.fields(), one.field()));
                }
            }
            return List.copyOf(answers);
        } finally {
            running.release();
        }
    }
}
