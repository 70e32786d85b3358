package svc.platform.tenancy;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Not ready before the projects are known: a pod that does not know them would answer 404 to their users. */
@Readiness
@ApplicationScoped
class WatchReadiness implements HealthCheck {
    private final ProjectWatch watch;

    WatchReadiness(ProjectWatch watch) {
        this.watch = watch;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("projects").status(watch.synced()).build();
    }
}
