package svc.operator.project.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.operator.observe.Observation.Failed;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/** Trouble with a database is a condition with a reason; when it is over the project becomes Ready by itself. */
class DatabaseTroubleTest {
    private TestingOperator operator;

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void aDatabaseThatDoesNotExistYet() {
        String prepared = TestingPostgres.database();
        operator = TestingOperator.on(TestingPostgres.server(), prepared + "_later")
                .start();
        operator.create("shop");

        Project project = operator.await("shop", database("DatabaseMissing"));

        assertThat(project.getStatus().ref()).isNotNull();
        assertThat(project.getStatus().anonKey()).isNull();
        TestingPostgres.rename(prepared, prepared + "_later");
        operator.ready("shop");
    }

    @Test
    void aWrongPassword(@TempDir Path folder) throws IOException {
        Path password = Files.writeString(folder.resolve("password"), "wrong\n");
        operator = TestingOperator.prepared()
                .with("svc.databases.main.password-file", password.toString())
                .start();
        operator.create("shop");

        operator.await("shop", database("AuthenticationFailed"));

        Files.writeString(password, TestingPostgres.server().operatorPassword() + "\n");
        operator.ready("shop");
        operator.awaitEvent("shop", "AuthenticationFailed");
    }

    @Test
    void aFullDisk() {
        operator = TestingOperator.prepared().start();
        operator.sql("""
                CREATE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'No space left on device: a value' USING ERRCODE = 'disk_full'; END $$;
                CREATE TRIGGER full_disk BEFORE INSERT ON svc_platform.project
                EXECUTE FUNCTION public.full_disk()""");
        operator.create("shop");

        Project project = operator.await("shop", database("DiskFull"));

        assertThat(condition(project, ProjectCondition.DATABASE_READY).message())
                .contains("53100")
                .doesNotContain("a value");
        operator.sql("DROP TRIGGER full_disk ON svc_platform.project");
        operator.ready("shop");
    }

    @Test
    void troubleIsReportedOnceHoweverOftenItIsTried() {
        String prepared = TestingPostgres.database();
        operator = TestingOperator.on(TestingPostgres.server(), prepared).start();
        operator.create("shop");
        operator.ready("shop");
        TestingPostgres.rename(prepared, prepared + "_away");
        operator.await("shop", database("DatabaseMissing"));
        // The next try may not have heard of that yet, and says it again.
        triedAgain(2);
        Project failed = operator.get("shop");

        triedAgain(3);

        assertThat(operator.get("shop").getMetadata().getResourceVersion())
                .isEqualTo(failed.getMetadata().getResourceVersion());
        assertThat(operator.events("shop")).containsOnlyOnce("DatabaseMissing");
        assertThat(failed.getStatus().anonKey()).as("a key stays right").startsWith("svc_anon_");
        TestingPostgres.rename(prepared + "_away", prepared);
        operator.ready("shop");
        operator.awaitEvent("shop", "Recovered");
    }

    private void triedAgain(int times) {
        long tries = failures();
        Awaitility.await().atMost(TestingOperator.LIMIT).until(() -> failures() >= tries + times);
    }

    private long failures() {
        return operator.observations().stream().filter(Failed.class::isInstance).count();
    }

    private static Predicate<Project> database(String reason) {
        return has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, reason);
    }
}
