package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.crds.project.ProjectIdentity;
import svc.database.name.ProjectNames;
import svc.e2e.platform.Platform;
import svc.e2e.running.Program;
import svc.e2e.running.ServerDatabase;
import svc.e2e.running.SharedPlatform;

/** A cluster admin's way: a manifest makes a project, and its deletion policy decides what deleting it means. */
@ExtendWith(SharedPlatform.class)
class ManifestTest {
    private static final String SAMPLE = "config/samples/project.yaml";
    private static final int COMPANIONS_AND_SCHEMA = 4;
    private static final int ROLES = 6;

    @Test
    void theSampleBecomesReadyAndGoesAsItsDeletionPolicySays(Platform platform) throws Exception {
        var identity = ProjectIdentity.of("default", "shop", Optional.empty(), Optional.empty());
        String schema = ProjectNames.shared(identity.projectId()).schemaName();
        try (var database = ServerDatabase.of(platform)) {
            apply(platform);
            assertThat(Program.kubectl(platform, "get", "project", "shop", "-o", "jsonpath={.status.ref}"))
                    .isEqualTo(identity.ref());
            assertThat(database.schemas(schema)).hasSize(COMPANIONS_AND_SCHEMA);
            assertThat(database.roles(schema)).hasSize(ROLES);

            // The sample names no policy: the data outlives the object.
            Program.kubectl(platform, "delete", "project", "shop", "--timeout=180s");
            assertThat(database.schemas(schema)).hasSize(COMPANIONS_AND_SCHEMA);
            assertThat(database.roles(schema)).hasSize(ROLES);

            apply(platform);
            Program.kubectl(
                    platform,
                    "patch",
                    "project",
                    "shop",
                    "--type=merge",
                    "-p",
                    "{\"spec\":{\"deletionPolicy\":\"Delete\"}}");
            Program.kubectl(platform, "delete", "project", "shop", "--timeout=180s");
            assertThat(database.schemas(schema)).isEmpty();
            assertThat(database.roles(schema)).isEmpty();
        }
    }

    private static void apply(Platform platform) throws Exception {
        Program.kubectl(platform, "apply", "-f", SAMPLE);
        Program.kubectl(platform, "wait", "project/shop", "--for=condition=Ready", "--timeout=180s");
    }
}
