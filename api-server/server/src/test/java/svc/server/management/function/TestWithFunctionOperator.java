package svc.server.management.function;

import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test whose deployments are rolled out by a {@link TestingFunctionOperator}. */
abstract class TestWithFunctionOperator {
    @Inject
    KubernetesClient kubernetes;

    private TestingFunctionOperator operator;

    @BeforeEach
    void startOperator() {
        operator = new TestingFunctionOperator(kubernetes);
    }

    @AfterEach
    void stopOperator() {
        operator.close();
    }
}
