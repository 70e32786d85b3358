package svc.operator.project.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.ProjectCondition;
import svc.crds.project.database.DatabaseMode;
import svc.crds.project.database.DatabaseSpec;
import svc.crds.project.database.DedicatedSpec;
import svc.crds.reference.LocalReference;
import svc.operator.testing.TestingOperator;

/** A wish that this operator cannot fulfil is refused in words that say what to do, and can be deleted again. */
class WhatCannotBeServedTest {
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
    void aDatabaseOfItsOwn() {
        var existing = new DedicatedSpec(new LocalReference("its-database"), null);
        operator.create("shop", spec -> spec.database(new DatabaseSpec(DatabaseMode.DEDICATED, null, existing)));

        var project = operator.await(
                "shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "DedicatedNotAvailable"));

        assertThat(project.isFailed()).isTrue();
        assertThat(condition(project, ProjectCondition.DATABASE_READY).message())
                .contains("spec.database.mode Shared");
        operator.at("shop").delete();
        operator.awaitGone("shop");
    }

    @Test
    void aSharedDatabaseThatIsNotConfigured() {
        operator.create("shop", spec -> spec.database(new DatabaseSpec(DatabaseMode.SHARED, "elsewhere", null)));

        operator.await("shop", has(ProjectCondition.DATABASE_READY, ConditionStatus.FALSE, "DatabaseMissing"));

        assertThat(operator.query("SELECT 1 FROM pg_database WHERE datname = 'elsewhere'"))
                .isNull();
        operator.at("shop").delete();
        operator.awaitGone("shop");
    }
}
