package svc.embedded.kubernetes.log;

import java.util.Optional;

/** Whoever runs pods and knows what they said. */
public interface PodLogSource {
    /** Knows of no pod. */
    PodLogSource NONE = (namespace, pod) -> Optional.empty();

    Optional<PodLog> find(String namespace, String pod);
}
