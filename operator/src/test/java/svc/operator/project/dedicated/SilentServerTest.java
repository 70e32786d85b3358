package svc.operator.project.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.testing.TestingOperator.condition;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

/** Promise: servers that accept connections and do not respond delay only each other. */
class SilentServerTest {
    @Test
    void otherProjectsAreMadeMeanwhile() throws IOException {
        // The kernel accepts the connections; no process responds.
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                TestingOperator operator = TestingOperator.prepared()
                        .with("svc.operator.concurrency", "2")
                        .start()) {
            var projects = new DedicatedProject(operator, TestingPostgres.server());
            for (String name : List.of("silent", "mute")) {
                projects.secret(
                        name,
                        Map.of(
                                "host", "127.0.0.1",
                                "port", Integer.toString(silent.getLocalPort()),
                                "dbname", "x",
                                "user", "x",
                                "password", "x"));
                projects.create(name);
            }

            operator.create("shop");
            operator.ready("shop");

            assertThat(List.of(operator.get("silent"), operator.get("mute")))
                    .as("both together would have taken all that the operator has")
                    .anyMatch(project -> !judged(project));
        }
    }

    private static boolean judged(Project project) {
        return condition(project, ProjectCondition.DATABASE_READY) != null
                && condition(project, ProjectCondition.DATABASE_READY).isFalse();
    }
}
