package svc.operator.project.dedicated.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;

/**
 * Promise: no exception of the HTTP library ends the watch of clusters. The library throws its own ones while a client closes.
 * Awaitility fails a test in which another thread ends with an exception.
 */
class FailingWatchTest {
    private static final Duration RETRY = Duration.ofMillis(10);
    private static final int ATTEMPTS = 3;

    @Test
    void theWatchStartsAgainAfterAnUnexpectedException() {
        var attempts = new AtomicInteger();
        try (KubernetesClient client = failing(attempts)) {
            var clusters = new ClusterEventSource(client, Set.of(TestingApi.namespace()), ref -> Set.of(), RETRY);
            clusters.start();
            clusters.startWatching();
            Awaitility.await("further attempts").atMost(TestingOperator.LIMIT).until(() -> attempts.get() >= ATTEMPTS);
            clusters.stop();
        }
    }

    private static KubernetesClient failing(AtomicInteger attempts) {
        return new KubernetesClientBuilder()
                .withConfig(TestingApi.cluster().adminConfig())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("closed", new Interceptor() {
                    @Override
                    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                        attempts.incrementAndGet();
                        throw new IllegalStateException("Client is closed");
                    }
                }))
                .build();
    }
}
