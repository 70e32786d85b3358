package svc.operator.project.database.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import svc.database.key.MasterKey;
import svc.database.key.MasterKeys;
import svc.database.name.ProjectNames;
import svc.database.platform.PlatformSchema;
import svc.database.platform.ProjectRegistry;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.project.database.DatabaseDirectory;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.PostgresProjectProvisioner;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: a database that cannot do it gives a reason and a message without the server's text, and recovery needs nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailuresAreReasonsTest {
    private final TestingDatabases databases = TestingDatabases.create();

    private ProjectProvisioner on(DatabaseDirectory directory) {
        return new PostgresProjectProvisioner(databases.registry(), directory, TestingDatabases.keys());
    }

    private static DatabaseFailure failureOf(ProjectProvisioner projects, ProvisionRequest request) {
        return catchThrowableOfType(DatabaseFailure.class, () -> projects.provision(request));
    }

    private void recovers(ProvisionRequest request) {
        Provisioned recovered = (Provisioned) databases.projects().provision(request);
        assertThat(recovered.change()).isEqualTo(Change.CREATED);
    }

    @Test
    void aMissingDatabase() {
        ProvisionRequest request = TestingDatabases.request("missing", databases);
        DataSource absent = databases.server().dataSource("no_such_database");
        DatabaseFailure failure = failureOf(on(name -> Optional.of(absent)), request);
        assertThat(failure.reason()).isEqualTo(FailureReason.DATABASE_MISSING);
        assertThat(failure.getMessage())
                .isEqualTo(
                        "The database " + databases.sharedName() + " does not exist on its server (SQLSTATE 3D000).");
        recovers(request);
    }

    @Test
    void aDatabaseThatIsNoLongerConfigured() {
        DatabaseFailure failure =
                failureOf(on(name -> Optional.empty()), TestingDatabases.request("unconfigured", databases));
        assertThat(failure.reason()).isEqualTo(FailureReason.DATABASE_MISSING);
        assertThat(failure.retryable()).isFalse();
    }

    @Test
    void aWrongPassword() {
        ProvisionRequest request = TestingDatabases.request("password", databases);
        DataSource wrong =
                databases.server().dataSource(databases.sharedName(), EmbeddedPostgres.OPERATOR, "not-the-password");
        DatabaseFailure failure = failureOf(on(name -> Optional.of(wrong)), request);
        assertThat(failure.reason()).isEqualTo(FailureReason.AUTHENTICATION_FAILED);
        assertThat(failure.getMessage()).doesNotContain("not-the-password");
        recovers(request);
    }

    @Test
    void aServerThatIsDownAndComesBack() {
        EmbeddedPostgres.Settings settings = EmbeddedPostgres.Settings.forTests();
        ProvisionRequest request;
        TestingDatabases own;
        EmbeddedPostgres.Settings kept =
                new EmbeddedPostgres.Settings(settings.folder(), 0, false, false, settings.parameters());
        int port;
        try (EmbeddedPostgres server = EmbeddedPostgres.start(kept)) {
            port = server.port();
            own = TestingDatabases.on(server);
            request = TestingDatabases.request("down", own);
        }
        DatabaseFailure failure = failureOf(own.projects(), request);
        assertThat(failure.reason()).isEqualTo(FailureReason.DATABASE_UNREACHABLE);
        assertThat(failure.retryable()).isTrue();
        EmbeddedPostgres.Settings samePort =
                new EmbeddedPostgres.Settings(settings.folder(), port, false, true, settings.parameters());
        try (EmbeddedPostgres again = EmbeddedPostgres.start(samePort)) {
            assertThat(again.port()).isEqualTo(port);
            // Each connection of the pool that died is found out by one try, as it would be by the operator's retries.
            assertThat(eventually(own.projects(), request)).isInstanceOf(Provisioned.class);
        }
    }

    @Test
    void rightsThatAreMissing() throws SQLException {
        databases.asOperator("CREATE ROLE weak_" + databases.sharedName() + " LOGIN PASSWORD 'weak'");
        DataSource weak =
                databases.server().dataSource(databases.sharedName(), "weak_" + databases.sharedName(), "weak");
        DatabaseFailure failure = failureOf(on(name -> Optional.of(weak)), TestingDatabases.request("weak", databases));
        assertThat(failure.reason()).isEqualTo(FailureReason.INSUFFICIENT_PRIVILEGE);
    }

    @Test
    void aStepThatFailsIsNamedWithoutTheServersText() {
        ProvisionRequest request = TestingDatabases.request("in-the-way", databases);
        databases.asOperator("CREATE ROLE " + schemaOf(request) + "_owner; CREATE SCHEMA " + schemaOf(request)
                + "_auth;" + "CREATE TABLE " + schemaOf(request) + "_auth.users_pkey ()");
        DatabaseFailure failure = failureOf(databases.projects(), request);
        assertThat(failure.getMessage())
                .contains("at \"create table auth.users\"")
                .doesNotContain("users_pkey");
        databases.asOperator("DROP TABLE " + schemaOf(request) + "_auth.users_pkey");
        recovers(request);
    }

    @Test
    void aMasterKeyThatIsGone() {
        ProvisionRequest request = TestingDatabases.request("keyless", databases);
        databases.projects().provision(request);
        ProjectProvisioner rotated = new PostgresProjectProvisioner(
                new ProjectRegistry(databases.server().dataSource(databases.platformName()), new SecureRandom()),
                databases.directory(),
                MasterKeys.of(List.of(MasterKey.of(2, new byte[40]))));
        assertThat(failureOf(rotated, request).reason()).isEqualTo(FailureReason.MASTER_KEY_MISSING);
    }

    @Test
    void aPlatformDatabaseThatIsMissing() {
        ProjectRegistry registry =
                new ProjectRegistry(databases.server().dataSource("no_such_database"), new SecureRandom());
        ProjectProvisioner projects =
                new PostgresProjectProvisioner(registry, databases.directory(), TestingDatabases.keys());
        DatabaseFailure failure = failureOf(projects, TestingDatabases.request("platform", databases));
        assertThat(failure.reason()).isEqualTo(FailureReason.DATABASE_MISSING);
        assertThat(failure.getMessage()).startsWith("The database of the platform does not exist");
        assertThat(PlatformSchema.migrate(databases.server().dataSource(databases.platformName())))
                .isZero();
    }

    private static ProvisionResult eventually(ProjectProvisioner projects, ProvisionRequest request) {
        for (int attempt = 0; attempt < 10; attempt++) {
            try {
                return projects.provision(request);
            } catch (DatabaseFailure failure) {
                assertThat(failure.reason()).isEqualTo(FailureReason.DATABASE_UNREACHABLE);
            }
        }
        return projects.provision(request);
    }

    private static String schemaOf(ProvisionRequest request) {
        return ProjectNames.shared(request.projectId()).schemaName();
    }
}
