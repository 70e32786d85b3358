package svc.graphql.introspection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import svc.graphql.document.Operation;
import svc.graphql.introspection.ResponseCache.Question;
import svc.graphql.plan.OperationPlan;
import svc.graphql.plan.RootPlan;
import svc.graphql.request.GraphqlRequest;
import svc.graphql.request.InvalidRequest;
import svc.graphql.request.RequestMemory;
import svc.graphql.schema.GraphqlSchema;
import svc.platform.budget.Budget;
import svc.platform.budget.Lifetime;
import svc.platform.budget.Limit;
import svc.platform.budget.Outcome;
import svc.platform.budget.Permit;

/**
 * Answers introspection and caches the answers: tools ask every schema the same question. The types of a schema are derived
 * for an answer and not kept. Few are written at once, by turns of the projects; one that waits holds no thread.
 */
public final class IntrospectionResponses {
    /** Each takes up to a second of a processor and the memory of its types. */
    private static final int MAX_RUNNING = 2;

    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    /** Of a schema's own estimate: the types that are derived from it. */
    private static final int TYPES = 2;

    private final Executor blocking;
    private final Budget running = new Budget("introspections", MAX_RUNNING);
    private final ResponseCache answers = new ResponseCache();

    /** @param blocking writes the answers */
    public IntrospectionResponses(Executor blocking) {
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
        return turn(memory.ref())
                .thenApplyAsync(
                        turn -> {
                            try (turn) {
                                List<byte[]> answer = write(schema, operation, plan, memory);
                                answers.put(question, answer);
                                return answer;
                            }
                        },
                        blocking);
    }

    private CompletableFuture<Permit> turn(String project) {
        var turn = new CompletableFuture<Permit>();
        running.whole().part(project, Limit.NONE).request(new Lifetime(), 1, MAX_WAIT, Runnable::run, outcome -> {
            if (outcome instanceof Outcome.Granted(Permit permit)) {
                turn.complete(permit);
            } else {
                turn.completeExceptionally(new InvalidRequest(
                        503, "The descriptions of other schemas are being written. Retry the request in a moment."));
            }
        });
        return turn;
    }

    private static List<byte[]> write(
            GraphqlSchema schema, Operation operation, OperationPlan plan, RequestMemory memory) {
        memory.hold((long) TYPES * schema.estimatedBytes());
        Map<String, TypeDef> types = SchemaTypes.of(schema);
        List<byte[]> answers = new ArrayList<>();
        for (RootPlan root : plan.roots()) {
            if (root instanceof RootPlan.Introspection one) {
                answers.add(IntrospectionWriter.write(types, operation.collector(), one.field(), memory));
            }
        }
        return List.copyOf(answers);
    }
}
