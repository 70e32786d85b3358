package svc.operator.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import svc.operator.observe.Observation.EventNotWritten;
import svc.operator.observe.Observer;

/**
 * Writes core/v1 Events, which {@code kubectl describe} lists below a resource. Callers write one per transition, never
 * one per loop. A failed write is only observed: the condition holds the authoritative state.
 */
public final class ResourceEvents {
    private static final String COMPONENT = "svc-operator";
    private static final int MAX_STEM_CHARS = 200;

    private final KubernetesClient client;
    private final InstantSource clock;
    private final Observer observer;

    public ResourceEvents(KubernetesClient client, InstantSource clock, Observer observer) {
        this.client = client;
        this.clock = clock;
        this.observer = observer;
    }

    /**
     * @param reason CamelCase, from the closed list in docs/operator.md
     * @param message never contains a secret or names of another namespace; cut at {@link BoundedText#MAX_EVENT_BYTES}
     */
    public void write(HasMetadata about, EventType type, String reason, String message) {
        Event event = event(about, type, reason, message, clock.instant().truncatedTo(ChronoUnit.SECONDS));
        try {
            client.v1()
                    .events()
                    .inNamespace(about.getMetadata().getNamespace())
                    .resource(event)
                    .create();
        } catch (KubernetesClientException e) {
            observer.observed(new EventNotWritten(reason, "status " + e.getCode()));
        }
    }

    private static Event event(HasMetadata about, EventType type, String reason, String message, Instant at) {
        String name = about.getMetadata().getName();
        return new EventBuilder()
                .withNewMetadata()
                .withName(stem(name) + "." + UUID.randomUUID())
                .withNamespace(about.getMetadata().getNamespace())
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(about.getApiVersion())
                .withKind(about.getKind())
                .withNamespace(about.getMetadata().getNamespace())
                .withName(name)
                .withUid(about.getMetadata().getUid())
                .withResourceVersion(about.getMetadata().getResourceVersion())
                .endInvolvedObject()
                .withType(type.text())
                .withReason(reason)
                .withMessage(BoundedText.atMost(BoundedText.MAX_EVENT_BYTES, message))
                .withFirstTimestamp(at.toString())
                .withLastTimestamp(at.toString())
                .withCount(1)
                .withReportingComponent(COMPONENT)
                .withReportingInstance(COMPONENT)
                .withNewSource()
                .withComponent(COMPONENT)
                .endSource()
                .build();
    }

    /** Truncated, because a resource's name may be as long as an Event's name. */
    private static String stem(String name) {
        return name.substring(0, Math.min(name.length(), MAX_STEM_CHARS));
    }
}
