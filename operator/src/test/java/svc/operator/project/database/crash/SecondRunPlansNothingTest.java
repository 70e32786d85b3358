package svc.operator.project.database.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import svc.database.project.companion.Companion;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

class SecondRunPlansNothingTest {
    private final TestingDatabases databases = TestingDatabases.create();

    @Test
    void aSecondRunPlansNothing() {
        ProjectProvisioner projects = databases.projects();
        ProvisionRequest request = TestingDatabases.request("twice", databases);
        Provisioned first = (Provisioned) projects.provision(request);
        assertThat(first.change()).isEqualTo(Change.CREATED);
        Provisioned second = (Provisioned) projects.provision(request);
        assertThat(second.steps()).isEmpty();
        assertThat(second.change()).isEqualTo(Change.NONE);
        assertThat(second.project().incarnation()).isEqualTo(first.project().incarnation());
        assertThat(second.project().companionVersion())
                .isEqualTo(Companion.current().version());
    }
}
