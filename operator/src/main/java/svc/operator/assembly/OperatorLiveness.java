package svc.operator.assembly;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Up as long as the process responds. Ignores the database on purpose: restarting the operator repairs no database and would
 * interrupt the status updates that report it.
 */
@Liveness
@ApplicationScoped
public class OperatorLiveness implements HealthCheck {
    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.up("operator process");
    }
}
