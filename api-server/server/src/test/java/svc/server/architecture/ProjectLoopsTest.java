package svc.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import svc.database.architecture.OwnLoops;
import svc.database.loop.ProjectLoop;

/** Promise: background work of the API server on projects' databases is run by the runner, and each loop has a hostile test. */
@AnalyzeClasses(
        packages = "svc",
        importOptions = {ImportOption.DoNotIncludeTests.class, BoundariesTest.WithoutFixtures.class})
class ProjectLoopsTest {
    private static final OwnLoops OWN_LOOPS = new OwnLoops(Set.of(
            "svc.postgres.flush.TenantTransactions",
            "svc.postgres.script.OwnerSessions",
            "svc.postgres.script.OwnerSession",
            "svc.postgres.jdbc.CatalogDatabase",
            "svc.postgres.jdbc.ExtensionDatabase"));

    /** Classes that repeat work by themselves, and why none of it waits for a project's locks. */
    private static final Map<String, String> OTHERS = Map.of(
            "svc.management.postgres.PostgresEndpoint", "a thread for each client; the timer ends those that are idle",
            "svc.postgres.listen.SchemaNotifications", "a thread for each database, which listens and runs no SQL",
            "svc.postgres.script.BackendEnd", "a thread for the end of one backend, which only its own place waits for",
            "svc.postgres.script.OwnerSessions", "the clock of scripts: it ends sessions",
            "svc.postgres.script.ScriptClock", "the clock of one script: it ends its session",
            "svc.realtime.RealtimeService", "what it repeats reads memory and Redis");

    /** Each loop, with the test that holds its locks and makes its SQL fail. */
    private static final Map<String, String> TESTS = Map.of(
            "svc.realtime.MessagesSweep", "realtime/src/test/java/svc/realtime/MessagesSweepTest.java",
            "svc.storage.SweepSchedule", "storage/src/test/java/svc/storage/SweepScheduleTest.java",
            "svc.storage.SweepSchedule$Removal", "storage/src/test/java/svc/storage/SweepScheduleTest.java",
            "svc.storage.WebhookSchedule", "storage/src/test/java/svc/storage/HostileLoopsTest.java",
            "svc.storage.bucket.DeclaredBuckets", "storage/src/test/java/svc/storage/HostileLoopsTest.java");

    @ArchTest
    static void noClassLoopsOverDatabasesByItself(JavaClasses classes) {
        assertThat(OWN_LOOPS.in(classes))
                .as("make it a ProjectLoop and give it to the ProjectRunner, or say here why it waits for no project")
                .isEqualTo(OTHERS.keySet());
    }

    @ArchTest
    static void eachLoopHasAHostileTest(JavaClasses classes) throws IOException {
        assertThat(classes.stream()
                        .filter(type -> type.isAssignableTo(ProjectLoop.class) && !type.isInterface())
                        .map(JavaClass::getName))
                .containsExactlyInAnyOrderElementsOf(TESTS.keySet());
        for (Map.Entry<String, String> test : TESTS.entrySet()) {
            String driven =
                    test.getKey().substring(test.getKey().lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
            assertThat(Files.readString(Path.of("..", test.getValue())))
                    .contains("new " + driven + "(", "LOCK TABLE", "ProjectRunner");
        }
    }
}
