package svc.operator.project.dedicated;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.project.database.DatabaseMode;
import svc.crds.project.database.DatabaseSpec;
import svc.crds.project.database.DedicatedSpec;
import svc.crds.reference.LocalReference;
import svc.database.key.Incarnation;
import svc.database.key.LoginSecret;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/** Projects of mode Dedicated, as kubectl makes them and as the data plane logs in to them. */
record DedicatedProject(TestingOperator operator, EmbeddedPostgres server) {
    /** Names the Secret of its own name. */
    Project create(String name, UnaryOperator<ProjectSpec.Builder> spec) {
        var database = new DatabaseSpec(
                DatabaseMode.DEDICATED, null, new DedicatedSpec(new LocalReference(name + "-database"), null));
        return operator.create(name, builder -> spec.apply(builder.database(database)));
    }

    Project create(String name) {
        return create(name, UnaryOperator.identity());
    }

    /** With the label by which a change is seen at once. */
    void secret(String name, Map<String, String> data) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(operator.namespace())
                .withName(name + "-database")
                .addToLabels("svc.platform/purpose", "database-connection")
                .endMetadata()
                .withStringData(data)
                .build();
        var at = operator.client().resource(secret);
        if (at.get() == null) {
            at.create();
        } else {
            at.update();
        }
    }

    /** A session of one of the project's logins, by the password that every plane derives for itself. */
    static Connection login(EmbeddedPostgres server, Project project, DatabaseRole role) throws SQLException {
        var status = project.getStatus();
        UUID id = UUID.fromString(status.projectId());
        Purpose purpose = Purpose.ofLogin(role).orElseThrow();
        var scope = new ProjectKeyScope(
                id,
                Incarnation.of(Base64.getUrlDecoder().decode(status.incarnation())),
                status.keys().database().version());
        String password = LoginSecret.of(
                        TestingPostgres.masterKeys().newest().root(purpose).leaf(scope))
                .password();
        return server.connect(
                status.database().databaseName(),
                ProjectNames.dedicated(id).role(role).name(),
                password);
    }

    Connection login(Project project, DatabaseRole role) throws SQLException {
        return login(server, project, role);
    }

    void run(Project project, DatabaseRole role, String sql) throws SQLException {
        try (Connection connection = login(project, role);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
