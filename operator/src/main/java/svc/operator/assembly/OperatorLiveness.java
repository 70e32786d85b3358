package svc.operator.assembly;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Alive as long as it answers. Says nothing of the database on purpose: restarting an operator mends no database, and
 * would take away what tells of it.
 */
@Liveness
@ApplicationScoped
public class OperatorLiveness implements HealthCheck {
    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.up("operator process");
    }
}
