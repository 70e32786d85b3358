package svc.management.health;

import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.crds.project.ProjectSpec;
import svc.management.project.ProjectState;

/**
 * The health of one service.
 *
 * @param error why it is not healthy; omitted otherwise
 */
@Schema(name = "ServiceHealthResponse")
public record ServiceHealth(String name, boolean healthy, Status status, String error) {
    /** As in Supabase's Management API. */
    @Schema(name = "ServiceHealthStatus")
    public enum Status {
        COMING_UP,
        ACTIVE_HEALTHY,
        UNHEALTHY
    }

    /**
     * Judges a service by what is known of its project. Pure.
     *
     * @param database why the database does not answer; empty if it does
     */
    static ServiceHealth of(ProjectService service, ProjectSpec spec, ProjectState state, Optional<String> database) {
        return switch (state) {
            case COMING_UP, RESTORING -> not(service, Status.COMING_UP, "The project is being prepared.");
            case INACTIVE, PAUSING -> not(service, Status.UNHEALTHY, "The project is paused.");
            case GOING_DOWN -> not(service, Status.UNHEALTHY, "The project is being deleted.");
            case INIT_FAILED ->
                not(service, Status.UNHEALTHY, "The project could not be prepared: see its conditions.");
            case ACTIVE_HEALTHY, ACTIVE_UNHEALTHY, UNKNOWN -> {
                if (!service.isEnabled(spec)) {
                    yield not(service, Status.UNHEALTHY, "The service is disabled for the project.");
                }
                yield database.map(why -> not(service, Status.UNHEALTHY, why))
                        .orElseGet(() -> new ServiceHealth(service.wire(), true, Status.ACTIVE_HEALTHY, null));
            }
        };
    }

    private static ServiceHealth not(ProjectService service, Status status, String why) {
        return new ServiceHealth(service.wire(), false, status, why);
    }
}
