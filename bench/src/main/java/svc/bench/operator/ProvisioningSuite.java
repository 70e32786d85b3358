package svc.bench.operator;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;

/**
 * What a project costs its database: time to lay one out, time to find that nothing has drifted, and bytes on disk; with
 * few and with many projects there already.
 */
public final class ProvisioningSuite implements Suite {
    private static final int WARM_UP = 200;
    private static final int FEW = 10;
    private static final int MANY = 2_000;
    private static final int SAMPLES = 60;

    @Override
    public String name() {
        return "provisioning";
    }

    @Override
    public List<Figure> run() throws Exception {
        try (var operator = OperatorUnderTest.prepare()) {
            ProjectProvisioner projects = operator.assembly().services().database();
            var figures = new ArrayList<Figure>();
            warmUp(projects);
            measure(projects, FEW);
            figures.add(Figure.atMost(
                    "provisioning SQL of one project, %d there".formatted(FEW),
                    measure(projects, SAMPLES).median(),
                    "ms",
                    15));
            long bytesWithFew = bytes(operator);
            measure(projects, MANY - SAMPLES - FEW);
            long bytesWithMany = bytes(operator);
            figures.add(Figure.atMost(
                    "provisioning SQL of one project, %d there".formatted(MANY),
                    measure(projects, SAMPLES).median(),
                    "ms",
                    15));
            figures.add(Figure.atMost(
                    "drift check of one project, %d there".formatted(MANY),
                    measureDriftCheck(projects).median(),
                    "ms",
                    15));
            figures.add(Figure.atMost(
                    "disk per idle project",
                    (bytesWithMany - bytesWithFew) / 1024.0 / (MANY - SAMPLES - FEW),
                    "KB",
                    80));
            return figures;
        }
    }

    /** An operator that has just started is not what is measured: its code runs hot first, on projects that go again. */
    private static void warmUp(ProjectProvisioner projects) {
        for (int i = 0; i < WARM_UP; i++) {
            ProvisionRequest request = request();
            provision(projects, request);
            projects.delete(request.projectId(), request.holder());
        }
    }

    private static Samples measure(ProjectProvisioner projects, int count) {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < count; i++) {
            measured.add(provision(projects, request()));
        }
        return Samples.of(measured);
    }

    private static Samples measureDriftCheck(ProjectProvisioner projects) {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < SAMPLES; i++) {
            ProvisionRequest request = request();
            provision(projects, request);
            measured.add(provision(projects, request));
        }
        return Samples.of(measured);
    }

    private static Duration provision(ProjectProvisioner projects, ProvisionRequest request) {
        long begin = System.nanoTime();
        ProvisionResult result = projects.provision(request);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        if (!(result instanceof ProvisionResult.Provisioned)) {
            throw new IllegalStateException("a new project was not provisioned: " + result);
        }
        return took;
    }

    private static ProvisionRequest request() {
        UUID id = UUID.randomUUID();
        String ref = "r" + id.toString().replace("-", "").substring(0, 7);
        return ProvisionRequest.of(id, ref, new Holder("bench", ref), new Placement.Shared(List.of("main")));
    }

    /** Tables, indexes and catalogs of all databases; not the WAL, which is reused. */
    private static long bytes(OperatorUnderTest operator) throws SQLException {
        try (var connection = operator.postgres().connect(operator.database());
                var statement = connection.createStatement()) {
            statement.execute("CHECKPOINT");
            try (var rows = statement.executeQuery(
                    "SELECT pg_database_size(current_database()) + pg_tablespace_size('pg_global')")) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
