package svc.operator.assembly;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.UUID;
import svc.database.platform.Holder;
import svc.operator.project.ProjectServices;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.RemoveResult;

/** The packaged operator's own services, but that a project fails as its name says. */
@Dependent
public class FailingProjects {
    static final String DATABASE = "database-";
    static final String API = "api-";
    static final String BUG = "bug";
    static final String SECRET = "password=hunter2";

    @Produces
    @Singleton
    @Alternative
    @Priority(1)
    ProjectServices services(OperatorAssembly assembly) {
        ProjectServices own = assembly.services();
        return new ProjectServices(
                new Failing(own.database()),
                own.adopted(),
                own.dedicated(),
                own.locations(),
                own.masterKeys(),
                own.sidecars(),
                own.dataUrl(),
                own.tuning(),
                own.trigger(),
                own.client(),
                own.clock(),
                own.observer());
    }

    private record Failing(ProjectProvisioner own) implements ProjectProvisioner {
        @Override
        public ProvisionResult provision(ProvisionRequest request) {
            String name = request.holder().name();
            if (name.startsWith(DATABASE)) {
                var reason = FailureReason.valueOf(
                        name.substring(DATABASE.length()).replace('-', '_').toUpperCase(java.util.Locale.ROOT));
                throw DatabaseFailure.of(reason, "main", "correct it");
            }
            if (name.startsWith(API)) {
                int code = Integer.parseInt(name.substring(API.length()));
                throw new KubernetesClientException(
                        SECRET, code, new StatusBuilder().withCode(code).build());
            }
            if (name.startsWith(BUG)) {
                throw new IllegalStateException(SECRET, new ArithmeticException(SECRET));
            }
            return own.provision(request);
        }

        @Override
        public RemoveResult retain(UUID projectId, Holder holder) {
            return own.retain(projectId, holder);
        }

        @Override
        public RemoveResult delete(UUID projectId, Holder holder) {
            return own.delete(projectId, holder);
        }
    }
}
