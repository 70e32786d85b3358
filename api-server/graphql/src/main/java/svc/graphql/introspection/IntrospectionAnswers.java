package svc.graphql.introspection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import svc.graphql.document.Operation;
import svc.graphql.introspection.AnswerCache.Question;
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
    /** Each takes up to a second of a processor and the memory of its types. */
    private static final int MAX_RUNNING = 2;

    /** Of a schema's own estimate: the types that are derived from it. */
    private static final int TYPES = 2;

    private final Executor blocking;
    private final Semaphore running = new Semaphore(MAX_RUNNING);
    private final AnswerCache answers = new AnswerCache();

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
        var question =
                new Question(memory.ref(), schema, request.query(), request.operationName(), operation.variables());
        Optional<List<byte[]>> known = answers.getIfPresent(question);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known.get());
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    List<byte[]> answer = write(schema, operation, plan, memory);
                    answers.put(question, answer);
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
