package svc.standalone;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import svc.crds.CrdCatalog;
import svc.platform.retry.RetryPolicy;

/**
 * Puts the kinds and the namespace of projects into the Kubernetes API of this machine. A busy machine may take longer for an
 * answer than the client waits: each call is repeated, since applying is idempotent.
 */
final class KindInstallation {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;
    private static final Duration FIRST_DELAY = Duration.ofMillis(200);
    private static final Duration MAX_DELAY = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Config access;
    private final Progress progress;

    KindInstallation(Config access, Progress progress) {
        this.access = access;
        this.progress = progress;
    }

    /** @throws IOException when the API refuses a kind, or does not answer for minutes */
    void apply() throws IOException {
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(access).build()) {
            for (var kind : CrdCatalog.load().all()) {
                apply(client, kind);
            }
            apply(
                    client,
                    new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(LocalServers.NAMESPACE)
                            .endMetadata()
                            .build());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while installing the kinds", e);
        } catch (KubernetesClientException e) {
            throw new IOException("the Kubernetes API of this machine does not take the kinds: " + e.getMessage(), e);
        }
    }

    private void apply(KubernetesClient client, HasMetadata resource) throws InterruptedException {
        RetryPolicy.untilSuccess()
                .withExponentialBackoff(FIRST_DELAY, MAX_DELAY)
                .withTimeout(LIMIT)
                .retryOn(failure -> mayPass(failure, resource))
                .call(() -> client.resource(resource).forceConflicts().serverSideApply());
    }

    /** Whether there was no answer in time, or one of a server that is overloaded. */
    private boolean mayPass(Throwable failure, HasMetadata resource) {
        boolean passes = failure instanceof KubernetesClientException refused
                && (refused.getCode() <= 0
                        || refused.getCode() == TOO_MANY_REQUESTS
                        || refused.getCode() >= SERVER_ERROR);
        if (passes) {
            progress.note(
                    "the Kubernetes API did not take " + resource.getMetadata().getName() + " in time; trying again");
        }
        return passes;
    }
}
