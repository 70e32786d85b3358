package svc.server.testing.function;

import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test whose deployments are rolled out by a {@link TestingFunctionOperator}. */
public abstract class TestWithFunctionOperator {
    @Inject
    protected KubernetesClient kubernetes;

    private TestingFunctionOperator operator;

    @BeforeEach
    protected void startOperator() {
        operator = new TestingFunctionOperator(kubernetes);
    }

    @AfterEach
    protected void stopOperator() {
        operator.close();
    }
}
