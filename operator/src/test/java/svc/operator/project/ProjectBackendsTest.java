package svc.operator.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.crds.project.Project;
import svc.operator.project.backend.BackendResult;
import svc.operator.project.backend.ProjectBackend;
import svc.operator.project.backend.RemovalResult;
import svc.operator.project.failure.Failure;

/** Promise: the spec alone decides which backend a Project has. */
class ProjectBackendsTest {
    private static final String CLUSTER = "{mode: Dedicated, dedicated: {cluster: {storage: {size: 1Gi}}}}";
    private static final String SECRET = "{mode: Dedicated, dedicated: {connectionSecretRef: {name: shop-database}}}";

    private final ProjectBackend shared = new NamedBackend("shared");
    private final ProjectBackend dedicated = new NamedBackend("dedicated");
    private final ProjectBackend adopted = new NamedBackend("adopted");
    private final ProjectBackends backends = new ProjectBackends(shared, dedicated, adopted);

    @Test
    void sharedWithoutADatabaseInTheSpec() {
        assertThat(backends.of(project("{}", "{}"))).isSameAs(shared);
    }

    @Test
    void sharedWithANamedDatabase() {
        assertThat(backends.of(project("{mode: Shared, shared: main}", "{}"))).isSameAs(shared);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {CLUSTER + "|{}", SECRET + "|{}", CLUSTER + "|{anonRole: anon}"})
    void dedicatedUnlessAnExistingDatabaseHasTheRoles(String database, String rest) {
        assertThat(backends.of(project(database, rest))).isSameAs(dedicated);
    }

    @Test
    void adoptedWithAnExistingDatabaseAndItsRole() {
        assertThat(backends.of(project(SECRET, "{anonRole: anon}"))).isSameAs(adopted);
    }

    private static Project project(String database, String rest) {
        return Serialization.unmarshal("""
                apiVersion: svc.platform/v1alpha1
                kind: Project
                metadata: {name: shop, namespace: team}
                spec: {name: shop, database: %s, rest: %s}
                """.formatted(database, rest), Project.class);
    }

    /** A backend that can only be recognised. */
    private record NamedBackend(String name) implements ProjectBackend {
        @Override
        public Optional<Failure> refusal(Project project) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public BackendResult reconcile(Project project) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public RemovalResult retain(Project project) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public RemovalResult delete(Project project) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public boolean isOnExternalServer() {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public boolean needsClusterEvents(Project project) {
            throw new UnsupportedOperationException(name);
        }
    }
}
