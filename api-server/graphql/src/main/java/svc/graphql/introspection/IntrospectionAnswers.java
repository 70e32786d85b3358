package svc.graphql.introspection;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import svc.graphql.cache.SharedCache;
import svc.graphql.document.Operation;
import svc.graphql.document.ValueWeight;
import svc.graphql.plan.OperationPlan;
import svc.graphql.plan.RootPlan;
import svc.graphql.request.GraphqlRequest;
import svc.graphql.request.RequestMemory;
import svc.graphql.schema.GraphqlSchema;

/**
 * Answers introspection and caches the answers: tools ask every schema the same question. The types of a schema are derived
 * for an answer and not kept.
 */
public final class IntrospectionAnswers {
    private static final long MAX_BYTES = 16L * 1024 * 1024;
    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final int OVERHEAD = 500;
    private static final int BYTES_PER_NODE = 60;

    /** A tree takes a multiple of its characters. */
    private static final int NODES = 8;

    /** Of a schema's own estimate: the types that are derived from it. */
    private static final int TYPES = 2;

    /** Each takes up to a second of a processor and the memory of its types. */
    private static final int MAX_RUNNING = 2;

    /** A longer question is rare, and answered anew. */
    private static final int MAX_KEY_BYTES = 64 * 1024;

    /** @param variables those that the operation declares */
    private record Key(
            String ref,
            GraphqlSchema schema,
            String query,
            Optional<String> operation,
            Map<String, JsonNode> variables) {
        private long bytes() {
            long characters = query.length() + operation.map(String::length).orElse(0);
            for (Map.Entry<String, JsonNode> one : variables.entrySet()) {
                characters += BYTES_PER_NODE + one.getKey().length() + NODES * ValueWeight.of(one.getValue());
            }
            return OVERHEAD + 2 * characters;
        }
    }

    private final Executor blocking;
    private final Semaphore running = new Semaphore(MAX_RUNNING);
    private final SharedCache<Key, List<byte[]>> answers = new SharedCache<>(
            MAX_BYTES,
            Key::ref,
            (key, answer) -> (int) Math.min(
                    Integer.MAX_VALUE,
                    key.bytes() + answer.stream().mapToLong(one -> one.length).sum()),
            IDLE);

    /** @param blocking writes the answers */
    public IntrospectionAnswers(Executor blocking) {
        this.blocking = blocking;
    }

    /**
     * The values of the introspection fields of a plan, in order, as JSON text.
     *
     * @param memory holds the types and the answer while they are made
     */
    public CompletableFuture<List<byte[]>> of(
            GraphqlSchema schema,
            Operation operation,
            GraphqlRequest request,
            OperationPlan plan,
            RequestMemory memory) {
        var key = new Key(memory.ref(), schema, request.query(), request.operationName(), operation.variables());
        Optional<List<byte[]>> known = answers.getIfPresent(key);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known.get());
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    List<byte[]> answer = write(schema, operation, plan, memory);
                    if (key.bytes() <= MAX_KEY_BYTES) {
                        answers.put(key, answer);
                    }
                    return answer;
                },
                blocking);
    }

    private List<byte[]> write(GraphqlSchema schema, Operation operation, OperationPlan plan, RequestMemory memory) {
        running.acquireUninterruptibly();
        try {
            memory.hold((long) TYPES * schema.estimatedBytes());
            Map<String, TypeDef> types = SchemaTypes.of(schema);
            List<byte[]> answers = new ArrayList<>();
            for (RootPlan root : plan.roots()) {
                if (root instanceof RootPlan.Introspection one) {
                    answers.add(IntrospectionWriter.write(types, operation.collector(), one.field(), memory));
                }
            }
            return List.copyOf(answers);
        } finally {
            running.release();
        }
    }
}
