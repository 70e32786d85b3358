package svc.server.management.query.attack;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import svc.database.key.ChannelName;
import svc.database.key.LoginSecret;
import svc.database.key.MasterKey;
import svc.database.key.Purpose;
import svc.database.platform.PlatformSchema;
import svc.database.shared.HardeningSettings;
import svc.database.shared.SharedDatabaseHardening;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.script.TestingOwner;
import svc.server.testing.TestingProject;
import svc.testing.TestingKeys;

/**
 * Whom the attacks are after: a project full of secrets in the same database, and the platform's own tables there.
 *
 * @param canary what each secret contains and nothing else does
 */
record Neighbour(TestingProject project, String canary) {
    /** Makes the project, and the data plane able to serve the database. */
    static Neighbour settle(KubernetesClient client, TenantDirectory tenants) {
        PlatformSchema.migrate(TestingOwner.SERVER.dataSource(TestingOwner.DATABASE));
        String canary = "canary" + UUID.randomUUID().toString().replace("-", "");
        try (Connection superuser = TestingOwner.SERVER.connect(TestingOwner.DATABASE);
                Statement statement = superuser.createStatement()) {
            new SharedDatabaseHardening().apply(superuser, settings());
            statement.execute("INSERT INTO svc_platform.organisation (id, name) VALUES ('" + canary + "', 'x')");
        } catch (SQLException e) {
            throw new IllegalStateException("while settling the platform's tables", e);
        }
        TestingProject project = TestingProject.create(client, tenants, "neighbour");
        String schema = project.owner().names().schemaName();
        try (Connection owner = TestingOwner.SERVER.connect(
                        TestingOwner.DATABASE,
                        project.owner().login(),
                        project.owner().password());
                Statement statement = owner.createStatement()) {
            statement.execute(AttackFile.resource("neighbour.sql").replace("$C", canary));
        } catch (SQLException e) {
            throw new IllegalStateException("while settling the neighbour", e);
        }
        project.owner()
                .asOperator("INSERT INTO " + schema + "_auth.users (id, email) VALUES (gen_random_uuid(), '" + canary
                        + "@example.org')");
        return new Neighbour(project, canary);
    }

    String schema() {
        return project.owner().names().schemaName();
    }

    /** The secrets that the api-server derives from the master key of all tests. */
    static HardeningSettings settings() {
        MasterKey master = TestingKeys.master();
        return HardeningSettings.of(
                ChannelName.of(master.root(Purpose.CHANNEL).platformLeaf(1)),
                Map.of(
                        "svc_catalog", verifier(master, Purpose.LOGIN_CATALOG),
                        "svc_replication", verifier(master, Purpose.LOGIN_REPLICATION),
                        "svc_platform", verifier(master, Purpose.LOGIN_PLATFORM),
                        "svc_extensions", verifier(master, Purpose.LOGIN_EXTENSIONS)));
    }

    private static String verifier(MasterKey master, Purpose purpose) {
        return LoginSecret.of(master.root(purpose).platformLeaf(1)).scramVerifier();
    }
}
