package svc.server.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusMock;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import svc.management.postgres.PostgresEndpoint;
import svc.management.query.SqlQuota;
import svc.platform.projectlog.SecretMask;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;

/**
 * The promise of {@link CostIsLinearTest} for what is no request: frames of a realtime socket, messages of the PostgreSQL
 * endpoint, and lines of logs.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
@TestProfile(MeasuredProject.RealServices.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CostOfMessagesTest {
    private static final int FRAME_BYTES = 120_000;
    private static final int MESSAGE_BYTES = 8_000;
    private static final int LINE_BYTES = 60_000;

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PostgresEndpoint endpoint;

    private final Growth inAThread = new Growth(line -> {
        try {
            Thread.ofPlatform()
                    .start(() -> SecretMask.of(new String(line, StandardCharsets.UTF_8)))
                    .join();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    });
    private MeasuredProject project;

    @BeforeEach
    void prepare() {
        QuarkusMock.installMockForType(() -> Integer.MAX_VALUE, SqlQuota.class);
        if (project == null) {
            project = MeasuredProject.create(client, tenants);
        }
    }

    @TestFactory
    Stream<DynamicTest> realtimeFrames() {
        var wire = new RealtimeWire(project.host(), project.anonKey());
        var overSockets = new Growth(frame -> {
            wire.send(frame);
            return true;
        });
        return RealtimeFrames.all().entrySet().stream()
                .map(frame -> test(
                        "realtime frame " + frame.getKey(),
                        () -> overSockets.problem(
                                frame.getKey(),
                                n -> frame.getValue().apply(n).getBytes(StandardCharsets.UTF_8),
                                FRAME_BYTES)));
    }

    @TestFactory
    Stream<DynamicTest> postgresMessages() {
        var wire = new PostgresWire(endpoint.port(), "postgres." + project.ref(), TestingPlatform.ADMIN);
        var strangers = new Growth(message -> {
            wire.first(message);
            return true;
        });
        var clients = new Growth(message -> {
            wire.further(message);
            return true;
        });
        return Stream.concat(
                wire.firstMessages().entrySet().stream()
                        .map(message -> test(
                                "PostgreSQL endpoint, stranger: " + message.getKey(),
                                () -> strangers.problem(message.getKey(), message.getValue(), MESSAGE_BYTES))),
                wire.furtherMessages().entrySet().stream()
                        .map(message -> test(
                                "PostgreSQL endpoint: " + message.getKey(),
                                () -> clients.problem(message.getKey(), message.getValue(), MESSAGE_BYTES))));
    }

    /** Lines come from functions, which print what callers send. */
    @TestFactory
    Stream<DynamicTest> linesOfLogs() {
        return Stream.of("_", "eyJ", "eyJaaaaaa.", "svc_aa_", "Bearer a ", "://a:", "?token=", "&code=a", "=@")
                .map(unit -> test(
                        "log line of " + unit,
                        () -> inAThread.problem(
                                "a line of " + unit,
                                n -> Shape.repeat(unit, n).getBytes(StandardCharsets.UTF_8),
                                LINE_BYTES)));
    }

    private static DynamicTest test(String name, Supplier<Optional<String>> problem) {
        return DynamicTest.dynamicTest(
                name, () -> assertThat(problem.get()).as(name).isEmpty());
    }
}
