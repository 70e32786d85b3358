package svc.operator.project.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.operator.testing.TestingOperator;

/** What a deletion leaves behind is what the policy said at that moment. */
class DeletionPoliciesTest {
    private TestingOperator operator;

    @BeforeEach
    void start() {
        operator = TestingOperator.prepared().start();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void retainIsTheDefaultAndClosesTheLogins() {
        operator.create("shop");
        String schema = operator.ready("shop").getStatus().schema();

        operator.at("shop").delete();
        operator.awaitGone("shop");

        assertThat(operator.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'"))
                .isNotNull();
        assertThat(operator.query("SELECT count(*) FROM pg_roles WHERE rolcanlogin AND rolname LIKE '" + schema + "%'"))
                .isEqualTo("0");
        operator.awaitEvent("shop", "Retained");
    }

    @Test
    void deleteDropsEverythingAndItsKeysAreDead() {
        operator.create("shop", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        Project before = operator.ready("shop");
        String schema = before.getStatus().schema();

        operator.at("shop").delete();
        operator.awaitGone("shop");

        assertThat(operator.query("SELECT count(*) FROM pg_namespace WHERE nspname LIKE '" + schema + "%'"))
                .isEqualTo("0");
        assertThat(operator.query("SELECT count(*) FROM pg_roles WHERE rolname LIKE '" + schema + "%'"))
                .isEqualTo("0");
        operator.awaitEvent("shop", "Deleted");
        operator.create("shop");
        assertThat(operator.ready("shop").getStatus().anonKey())
                .isNotEqualTo(before.getStatus().anonKey());
    }

    @Test
    void aPausedProjectsDeletionWaits() {
        operator.create("shop", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        operator.ready("shop");
        operator.edit("shop", spec -> spec.paused(true));

        operator.at("shop").delete();
        operator.awaitEvent("shop", "DeletionBlocked");

        operator.edit("shop", spec -> spec.paused(false));
        operator.awaitGone("shop");
    }
}
