package svc.operator.project.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.function.TestingFunctions.FIRST;

import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.operator.function.TestingFunctions;
import svc.operator.observe.Observation.StateObserved;
import svc.operator.testing.OperatorAccount;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.UnreliableApi;

/**
 * What many Projects cost the Kubernetes API, leases and watches aside: at most five requests each until they are Ready, and
 * none while nothing changes, however often they are compared with their database.
 */
class RequestsOfManyProjectsTest {
    private static final int MAX_REQUESTS = 5;
    private static final List<String> NAMES =
            IntStream.range(0, 30).mapToObj(number -> "shop-" + number).toList();

    private final UnreliableApi api = new UnreliableApi();
    private final TestingOperator operator = TestingOperator.prepared();

    @AfterEach
    void stop() {
        operator.close();
        api.close();
    }

    @Test
    void fewUntilReadyAndNoneAtRest() {
        operator.with("svc.operator.leader-election.enabled", "true")
                .with("svc.operator.leader-election.lease-name", operator.namespace())
                .with("svc.operator.leader-election.lease-namespace", OperatorAccount.NAMESPACE)
                .start(api);
        int before = api.requests();

        NAMES.forEach(name -> operator.create(name, spec -> spec.keysSecret(name + "-keys")));
        NAMES.forEach(operator::ready);
        // The second reconciliation may have a stale cache and write the status again.
        awaitLooks(3);

        assertThat(api.requests() - before).isLessThanOrEqualTo(MAX_REQUESTS * NAMES.size());

        var functions = new TestingFunctions(operator);
        functions.create("hello", NAMES.getFirst(), "hello", FIRST);
        functions.served("hello");
        awaitLooks(3);
        before = api.requests();

        awaitLooks(3);

        assertThat(api.requests()).isEqualTo(before);
    }

    /** Until each Project was compared with its database so many times more. */
    private void awaitLooks(int looks) {
        List<Long> before = NAMES.stream().map(this::looks).toList();
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .until(() -> IntStream.range(0, NAMES.size())
                        .allMatch(number -> looks(NAMES.get(number)) >= before.get(number) + looks));
    }

    private long looks(String name) {
        String project = operator.namespace() + "/" + name;
        return operator.observations().stream()
                .filter(seen -> seen instanceof StateObserved(var which, var state) && which.equals(project))
                .count();
    }
}
