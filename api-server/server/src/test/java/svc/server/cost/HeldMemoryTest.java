package svc.server.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusMock;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import svc.management.postgres.PostgresEndpoint;
import svc.management.query.SqlQuota;
import svc.platform.loop.LoopWatch;
import svc.platform.memory.MemoryBudget;
import svc.platform.tenancy.TenantDirectory;
import svc.server.cost.Callers.Caller;
import svc.server.testing.TestingPlatform;

/**
 * Promise: what callers without a right have the server keep is counted, or small. However many they are, the budget's
 * accounts stay within their shares, the heap holds what the accounts say and a constant for each connection, another project
 * is served, and everything is returned at the end.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
@TestProfile(MeasuredProject.RealServices.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HeldMemoryTest {
    private static final int CALLERS = 50;
    private static final int TIMES = 4;

    /** Caches of classes and statements, pools of buffers, and other work of the process. */
    private static final long OTHER_BYTES = 5_000_000;

    /** Answers exist already when they are charged: those under way may exceed the share, of 6 MB and a connection each. */
    private static final long OVERDRAFT = 32_000_000;

    private static final int MAX_MEASUREMENTS = 5;

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    MemoryBudget memory;

    @Inject
    MeterRegistry metrics;

    @Inject
    PostgresEndpoint endpoint;

    @Inject
    LoopWatch loops;

    private MeasuredProject project;
    private MeasuredProject neighbour;

    @BeforeEach
    void prepare() {
        QuarkusMock.installMockForType(() -> Integer.MAX_VALUE, SqlQuota.class);
        if (project == null) {
            project = MeasuredProject.create(client, tenants);
            neighbour = MeasuredProject.create(client, tenants);
        }
    }

    @TestFactory
    Stream<DynamicTest> strangers() {
        return callers().strangers().stream().map(this::test);
    }

    @TestFactory
    Stream<DynamicTest> callersWithTheAnonKey() {
        return callers().withTheAnonKey().stream().map(this::test);
    }

    private Callers callers() {
        return new Callers(project.host(), project.anonKey(), endpoint.port());
    }

    private DynamicTest test(Caller caller) {
        return DynamicTest.dynamicTest(caller.name(), () -> hold(caller));
    }

    private void hold(Caller caller) throws Exception {
        // Classes are loaded, and caches filled.
        close(open(caller, 0, 2));
        HeldMemory before = HeldMemory.of(memory.bytes());
        List<AutoCloseable> calls = open(caller, 2, CALLERS);
        try {
            assertBounded(caller, before, CALLERS);
            calls.addAll(open(caller, CALLERS, TIMES * CALLERS));
            assertBounded(caller, before, TIMES * CALLERS);
        } finally {
            close(calls);
        }
        // The collection of the heap, which measures, holds the loops as well.
        assertThat(loops.takeLong())
                .filteredOn(task -> !task.what().contains("no request"))
                .isEmpty();
    }

    private static List<AutoCloseable> open(Caller caller, int from, int to) {
        List<AutoCloseable> calls = new ArrayList<>();
        for (int i = from; i < to; i++) {
            calls.add(caller.open().apply(i));
        }
        return calls;
    }

    private void close(List<AutoCloseable> calls) throws Exception {
        for (AutoCloseable call : calls) {
            call.close();
        }
        await().untilAsserted(() -> {
            assertThat(memory.bytes().held()).as("counted behind the end").isZero();
            assertThat(metrics.get("svc.connections").gauge().value())
                    .as("open connections")
                    .isLessThan(CALLERS / 2.0);
        });
    }

    private void assertBounded(Caller caller, HeldMemory before, int count) {
        if (caller.counted()) {
            await().until(() -> memory.bytes().held() > 0);
        }
        assertServed();
        long most = count * caller.each() + caller.cached() + OTHER_BYTES;
        HeldMemory now = HeldMemory.of(memory.bytes());
        for (int i = 1; i < MAX_MEASUREMENTS && now.uncountedSince(before) > most; i++) {
            now = HeldMemory.of(memory.bytes());
        }
        assertThat(now.uncountedSince(before))
                .as("bytes that %s callers hold and no account has: %s before, then %s", count, before, now)
                .isLessThan(most);
        assertThat(now.counted()).isLessThanOrEqualTo(memory.bytes().total());
        assertThat(memory.ofProject(project.ref()).held())
                .as("the project's share")
                .isLessThanOrEqualTo(memory.bytes().largest() + OVERDRAFT);
    }

    private void assertServed() {
        try (HttpWire http = new HttpWire()) {
            Call call = Call.of("GET", neighbour.host(), "/rest/v1/list").with("apikey: " + neighbour.anonKey());
            await().untilAsserted(() ->
                    assertThat(http.send(call.bytes())).as("a neighbour's call").isEqualTo(200));
        }
    }
}
