package svc.bench.operator;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.database.DatabaseSpec;

/** How long it takes from a failure to the condition that names it, one failure at a time. */
final class FleetFailures {
    private static final String NAMESPACE = "default";
    private static final int SAMPLES = 20;
    private static final int REMOVED = 5;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int TARGET_MILLIS = 1_000;

    private final FleetCluster cluster;

    FleetFailures(FleetCluster cluster) {
        this.cluster = cluster;
    }

    List<Figure> measure() throws IOException, InterruptedException {
        return List.of(
                figure("a connection Secret that does not exist", missingSecret()),
                figure("a connection Secret that is removed", removedSecret()),
                figure("a value of spec.auth that does not exist", missingValue()),
                figure("a Project applied while PostgreSQL is down", databaseDown()));
    }

    private static Figure figure(String failure, Samples samples) {
        return Figure.atMost("condition after " + failure + ", mean", samples.mean(), "ms", TARGET_MILLIS);
    }

    private Samples missingSecret() throws IOException, InterruptedException {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < SAMPLES; i++) {
            String name = "no-secret-" + i;
            measured.add(untilReason(
                    name, "ConnectionSecretMissing", () -> create(name, spec -> spec.database(dedicated(name)))));
        }
        return Samples.of(measured);
    }

    private Samples removedSecret() throws IOException, InterruptedException {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < REMOVED; i++) {
            String name = "lost-secret-" + i;
            Secret secret = cluster.admin()
                    .resource(connection(name, cluster.postgres().createDatabase("lost")))
                    .create();
            create(name, spec -> spec.database(dedicated(name)));
            await(name, Project::isReady);
            measured.add(untilReason(
                    name,
                    "ConnectionSecretMissing",
                    () -> cluster.admin().resource(secret).delete()));
        }
        return Samples.of(measured);
    }

    private Samples missingValue() throws IOException, InterruptedException {
        var measured = new ArrayList<Duration>();
        for (int i = 0; i < SAMPLES; i++) {
            String name = "no-value-" + i;
            measured.add(untilReason(
                    name,
                    "VerifyKeyMissing",
                    () -> create(
                            name,
                            spec -> spec.auth(Serialization.unmarshal(
                                    "jwt: {verifyKeys: [{name: old, type: HS256, secretKeyRef: {name: none, key: k}}]}",
                                    AuthSpec.class)))));
        }
        return Samples.of(measured);
    }

    /** Leaves PostgreSQL running. */
    private Samples databaseDown() throws IOException, InterruptedException {
        int port = cluster.postgres().port();
        cluster.postgres().close();
        var measured = new ArrayList<Duration>();
        try {
            for (int i = 0; i < SAMPLES; i++) {
                String name = "no-server-" + i;
                measured.add(untilReason(name, "DatabaseUnreachable", () -> create(name, spec -> spec)));
            }
        } finally {
            cluster.startPostgres(port);
        }
        for (int i = 0; i < SAMPLES; i++) {
            await("no-server-" + i, Project::isReady);
        }
        return Samples.of(measured);
    }

    private Duration untilReason(String name, String reason, Runnable failure)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        failure.run();
        await(
                name,
                project -> project.getStatus() != null
                        && Conditions.in(project.getStatus().conditions(), "Ready")
                                .filter(ready ->
                                        !ready.isTrue() && ready.reason().equals(reason))
                                .isPresent());
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private void await(String name, Predicate<Project> condition) throws IOException, InterruptedException {
        Resource<Project> project =
                cluster.admin().resources(Project.class).inNamespace(NAMESPACE).withName(name);
        long begin = System.nanoTime();
        while (!condition.test(project.get())) {
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new IOException("not within " + LIMIT + ": " + project.get());
            }
            Thread.sleep(2);
        }
    }

    private void create(String name, UnaryOperator<ProjectSpec.Builder> spec) {
        var project = new Project();
        project.setMetadata(
                new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build());
        project.setSpec(spec.apply(ProjectSpec.named(name).toBuilder()).build());
        cluster.admin().resource(project).create();
    }

    private static DatabaseSpec dedicated(String secret) {
        return Serialization.unmarshal(
                "mode: Dedicated\ndedicated: {connectionSecretRef: {name: " + secret + "}}", DatabaseSpec.class);
    }

    /** Watched by its label. */
    private Secret connection(String name, String database) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .withLabels(Map.of("svc.platform/purpose", "database-connection"))
                .endMetadata()
                .withStringData(Map.of(
                        "host",
                        "127.0.0.1",
                        "port",
                        String.valueOf(cluster.postgres().port()),
                        "dbname",
                        database,
                        "user",
                        "svc_operator",
                        "password",
                        cluster.postgres().operatorPassword(),
                        "sslmode",
                        "disable"))
                .build();
    }
}
