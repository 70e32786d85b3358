package svc.operator.project.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.has;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.operator.kubernetes.Annotations;
import svc.operator.project.ProjectFinalizer;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/** Promise: a deletion that cannot reach the database waits and reports it; it is retried, or forced by an admin. */
class DeletionWhileTheDatabaseIsAwayTest {
    private TestingOperator operator;
    private String database;
    private String schema;

    @BeforeEach
    void aReadyProjectWhoseDatabaseGoesAway() {
        database = TestingPostgres.database();
        operator = TestingOperator.on(TestingPostgres.server(), database).start();
        operator.create("shop", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        schema = operator.ready("shop").getStatus().schema();
        TestingPostgres.rename(database, database + "_away");
        operator.at("shop").delete();
        operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "DeletionBlocked"));
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void itStaysAndSaysWhy() {
        // The first attempt may have borrowed a connection that the rename cut, and says so.
        var project = operator.await("shop", DeletionWhileTheDatabaseIsAwayTest::missesItsDatabase);

        assertThat(project.getMetadata().getFinalizers()).containsExactly(ProjectFinalizer.NAME);
        operator.awaitEvent("shop", "DeletionBlocked");
    }

    private static boolean missesItsDatabase(Project project) {
        return TestingOperator.condition(project, ProjectCondition.DATABASE_READY)
                .message()
                .contains("DatabaseMissing");
    }

    @Test
    void itGoesOnByItself() {
        TestingPostgres.rename(database + "_away", database);

        operator.awaitGone("shop");

        assertThat(operator.query("SELECT count(*) FROM pg_namespace WHERE nspname LIKE '" + schema + "%'"))
                .isEqualTo("0");
    }

    @Test
    void thePolicyMayStillBeChanged() {
        operator.edit("shop", spec -> spec.deletionPolicy(DeletionPolicy.RETAIN));
        TestingPostgres.rename(database + "_away", database);

        operator.awaitGone("shop");

        assertThat(operator.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'"))
                .isNotNull();
    }

    @Test
    void forcedItLetsGoWithoutTouchingData() {
        operator.annotate("shop", Annotations.FORCE_DELETE, "true");

        operator.awaitGone("shop");

        operator.awaitEvent("shop", "DeletionForced");
        TestingPostgres.rename(database + "_away", database);
        assertThat(operator.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'"))
                .isNotNull();
    }
}
