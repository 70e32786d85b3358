package svc.platform.config;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** What the operator gives a realtime sidecar in its Secret; other processes have none of it. */
@ConfigMapping(prefix = "svc.sidecar")
public interface SidecarConfig {
    /** Base64 of the Project as JSON: what of its spec and status a sidecar reads. */
    Optional<String> project();

    /** {@link svc.database.key.ProjectLeaves} of the project. */
    Optional<String> leaves();
}
