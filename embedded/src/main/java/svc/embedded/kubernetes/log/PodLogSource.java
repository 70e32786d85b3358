package svc.embedded.kubernetes.log;

import java.util.Optional;

/** Where the logs of pods come from: the pod runner. */
public interface PodLogSource {
    /** Has no logs. */
    PodLogSource NONE = (namespace, pod) -> Optional.empty();

    Optional<PodLog> find(String namespace, String pod);
}
