package svc.operator.project.database.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: a full disk is a reason, and room on it is all that recovery needs. The disk is a real one, of 32 MB. */
class DiskFullTest {
    @Test
    void aFullDiskIsAReasonAndRecovers() throws Exception {
        EmbeddedPostgres.Settings settings = EmbeddedPostgres.Settings.forTests();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(settings)) {
            Path disk = Files.createTempDirectory("svc-small-disk-");
            Object user = Files.getAttribute(settings.folder().resolve("data"), "unix:uid");
            assumeTrue(
                    run(
                            "mount",
                            "-t",
                            "tmpfs",
                            "-o",
                            "size=32m,mode=0700,uid=" + user,
                            "svc-small-disk",
                            disk.toString()),
                    "only who may mount can make a disk to fill");
            try {
                fillAndRecover(server, disk);
            } finally {
                server.close();
                run("umount", disk.toString());
                Files.delete(disk);
            }
        }
    }

    private static void fillAndRecover(EmbeddedPostgres server, Path disk) throws Exception {
        TestingDatabases databases = TestingDatabases.on(server);
        try (Connection connection = server.connect("postgres")) {
            TestingDatabases.execute(connection, "CREATE TABLESPACE small LOCATION '" + disk + "'");
            TestingDatabases.execute(connection, "ALTER DATABASE " + databases.sharedName() + " SET TABLESPACE small");
        }
        Path filler = disk.resolve("filler");
        fill(filler);
        ProvisionRequest request = TestingDatabases.request("disk", databases);
        DatabaseFailure failure = catchThrowableOfType(
                DatabaseFailure.class, () -> databases.projects().provision(request));
        assertThat(failure.reason()).isEqualTo(FailureReason.DISK_FULL);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.getMessage()).contains("has no disk space left").contains("SQLSTATE 53100");

        Files.delete(filler);
        assertThat(databases.projects().provision(request)).isInstanceOf(Provisioned.class);
        assertThat(((Provisioned) databases.projects().provision(request)).steps())
                .isEmpty();
    }

    private static void fill(Path file) throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(List.of(command))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
