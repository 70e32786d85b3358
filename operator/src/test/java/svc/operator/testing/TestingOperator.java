package svc.operator.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.javaoperatorsdk.operator.Operator;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkiverse.operatorsdk.runtime.api.ConfigurableReconciler;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionStatus;
import svc.crds.condition.Conditions;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.operator.assembly.Monitoring;
import svc.operator.assembly.OperatorAssembly;
import svc.operator.config.PlainOperatorConfig;
import svc.operator.function.EdgeFunctionReconciler;
import svc.operator.observe.Observation;
import svc.operator.observe.Observer;
import svc.operator.project.ProjectReconciler;
import svc.operator.secret.FunctionSecretReconciler;

/**
 * An operator as it runs in production, on a real API and a real database, that watches only this test's namespaces and
 * has intervals of fractions of a second instead of minutes.
 */
public final class TestingOperator implements AutoCloseable {
    /** Generous: what is awaited comes within tens of milliseconds on an idle machine. */
    public static final Duration LIMIT = Duration.ofSeconds(120);

    static {
        // Threads of an operator that ends meanwhile may fail: the SDK's timer does when the end cancels a task that is
        // about to be scheduled.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }

    private static final int CONFLICT = 409;
    private static final int ATTEMPTS = 100;

    private final KubernetesClient client = TestingApi.client();
    private final EmbeddedPostgres server;
    private final String namespace;
    private final MovableClock clock = new MovableClock();
    private final List<Observation> observations = new ArrayList<>();
    private final Map<String, String> config = new HashMap<>();
    private Config account;
    private KubernetesClient own;
    private OperatorAssembly assembly;
    private Operator operator;

    private TestingOperator(EmbeddedPostgres server, String database) {
        this.server = server;
        this.namespace = TestingApi.namespace();
        config.put("svc.master-keys.1.value", TestingPostgres.masterKeyText());
        config.put("svc.databases.main.jdbc-url", server.jdbcUrl(database));
        config.put("svc.databases.main.password", server.operatorPassword());
        config.put("svc.operator.drift-interval", "1s");
        config.put("svc.operator.deletion-retry-interval", "0.3s");
        // Projects' servers of the tests are on this machine, where the platform's are too.
        config.put("svc.project-servers.networks", "127.0.0.0/8,::1");
        config.put("svc.operator.retry.initial", "0.2s");
        config.put("svc.operator.retry.max", "1s");
        config.put("svc.operator.rate-limit.limit", "1000");
        config.put("svc.operator.watch-namespaces", namespace);
    }

    /** Not started, on a prepared database of its own. */
    public static TestingOperator prepared() {
        return new TestingOperator(TestingPostgres.server(), TestingPostgres.database());
    }

    private TestingOperator(TestingOperator first, String namespace) {
        this.server = first.server;
        this.namespace = namespace;
        config.putAll(first.config);
        config.put("svc.operator.watch-namespaces", namespace);
    }

    /** Not started: another pod of the same Deployment. */
    public TestingOperator replica() {
        return new TestingOperator(this, namespace);
    }

    /** Not started: another operator on the same database, for a namespace of its own. */
    public TestingOperator neighbour() {
        return new TestingOperator(this, TestingApi.namespace());
    }

    /** Not started, on any database, which need not be there. */
    public static TestingOperator on(EmbeddedPostgres server, String database) {
        return new TestingOperator(server, database);
    }

    public TestingOperator with(String key, String value) {
        config.put(key, value);
        return this;
    }

    /** With the rights of that account, instead of the operator's in all namespaces. */
    public TestingOperator as(Config other) {
        account = other;
        return this;
    }

    public TestingOperator alsoWatching(String other) {
        return with("svc.operator.watch-namespaces", namespace + "," + other);
    }

    /** Starts a new operator, as a new pod would. */
    public TestingOperator start() {
        return start(ProcessFault.lives());
    }

    /** Starts a new operator whose requests meet that fault of its process or of the API. */
    public TestingOperator start(Interceptor fault) {
        Monitoring monitoring = assemble(fault);
        operator = assembly.plainOperator(monitoring.sdkMetrics());
        operator.start();
        return this;
    }

    /** Starts a new operator with another reconciler of functions, around that of production. */
    public TestingOperator startWith(UnaryOperator<ConfigurableReconciler<EdgeFunction>> around) {
        Monitoring monitoring = assemble(ProcessFault.lives());
        operator = assembly.operator(
                List.of(
                        new ProjectReconciler(assembly.services()),
                        around.apply(new EdgeFunctionReconciler(assembly.functionServices())),
                        new FunctionSecretReconciler(assembly.functionServices())),
                monitoring.sdkMetrics(),
                () -> {});
        operator.start();
        return this;
    }

    private Monitoring assemble(Interceptor fault) {
        Config rights = account == null ? TestingApi.cluster().operatorConfig() : account;
        own = TestingCluster.connect(rights, fault);
        var monitoring = Monitoring.of(new SimpleMeterRegistry());
        Observer recorder = this::observed;
        assembly =
                new OperatorAssembly(PlainOperatorConfig.of(config), own, clock, recorder.and(monitoring.observer()));
        return monitoring;
    }

    /** As a process does that serves: with the work in the background, such as the watch on the server. */
    public TestingOperator withBackgroundWork() {
        assembly.prepareDatabases();
        return this;
    }

    /** Whether it was started, and has not stopped itself either. */
    public boolean isRunning() {
        return operator != null && operator.getRuntimeInfo().isStarted();
    }

    /** Stops its reconcilers alone. What they use is closed by {@link #stop}. */
    public void stopReconciling() {
        operator.stop();
    }

    /** Stops it; the API, the database and this object stay, for another start. */
    public void stop() {
        if (operator != null) {
            try {
                operator.stop();
            } catch (ProcessFault.Dead killed) {
                // A process that was killed says no goodbye.
            }
            assembly.close();
            own.close();
            operator = null;
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** Of an admin. */
    public KubernetesClient client() {
        return client;
    }

    public String namespace() {
        return namespace;
    }

    public MovableClock clock() {
        return clock;
    }

    public Connection connect() throws SQLException {
        String url = config.get("svc.databases.main.jdbc-url");
        return server.connect(url.substring(url.lastIndexOf('/') + 1));
    }

    public void sql(String statement) {
        try (var connection = connect();
                var executed = connection.createStatement()) {
            executed.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException("while running " + statement, e);
        }
    }

    /** The first column of the first row; null when there is none. */
    public String query(String statement) {
        try (var connection = connect();
                var executed = connection.createStatement();
                var rows = executed.executeQuery(statement)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException("while running " + statement, e);
        }
    }

    public Project create(String name, UnaryOperator<ProjectSpec.Builder> spec) {
        return create(namespace, name, spec);
    }

    public Project create(String inNamespace, String name, UnaryOperator<ProjectSpec.Builder> spec) {
        var project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace(inNamespace)
                .withName(name)
                .build());
        project.setSpec(spec.apply(ProjectSpec.named(name).toBuilder()).build());
        return client.resource(project).create();
    }

    public Project create(String name) {
        return create(name, UnaryOperator.identity());
    }

    public Project edit(String name, UnaryOperator<ProjectSpec.Builder> change) {
        return retried(() -> at(name).edit(project -> {
            project.setSpec(change.apply(project.getSpec().toBuilder()).build());
            return project;
        }));
    }

    public void annotate(String name, String annotation, String value) {
        retried(() -> at(name).edit(project -> {
            Map<String, String> annotations = new HashMap<>();
            if (project.getMetadata().getAnnotations() != null) {
                annotations.putAll(project.getMetadata().getAnnotations());
            }
            annotations.put(annotation, value);
            project.getMetadata().setAnnotations(annotations);
            return project;
        }));
    }

    /** Again while the operator is faster: what was read was written meanwhile. */
    public static <T> T retried(Supplier<T> write) {
        for (int attempt = 1; ; attempt++) {
            try {
                return write.get();
            } catch (KubernetesClientException e) {
                if (e.getCode() != CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    public Resource<Project> at(String name) {
        return client.resources(Project.class).inNamespace(namespace).withName(name);
    }

    public Project get(String name) {
        return at(name).get();
    }

    public Project ready(String name) {
        return await(name, Project::isReady);
    }

    public Project await(String name, Predicate<Project> condition) {
        return await(namespace, name, condition);
    }

    public Project await(String inNamespace, String name, Predicate<Project> condition) {
        return Awaitility.await(name)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsMatching(TestingOperator::hadNoAnswer)
                .until(
                        () -> client.resources(Project.class)
                                .inNamespace(inNamespace)
                                .withName(name)
                                .get(),
                        project -> project != null && condition.test(project));
    }

    /** A connection that the API accepted while it stopped breaks, or stays silent until its timeout: no fault of an operator. */
    private static boolean hadNoAnswer(Throwable thrown) {
        return thrown instanceof KubernetesClientException failure && failure.getCode() == 0;
    }

    public void awaitGone(String name) {
        Awaitility.await(name + " is gone")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(get(name)).isNull());
    }

    public void awaitEvent(String name, String reason) {
        Awaitility.await(reason + " of " + name)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(events(name)).contains(reason));
    }

    /** The reasons of a project's Events, oldest first. */
    public List<String> events(String name) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> name.equals(event.getInvolvedObject().getName()))
                .sorted(Comparator.comparing(
                        event -> Long.valueOf(event.getMetadata().getResourceVersion())))
                .map(Event::getReason)
                .toList();
    }

    /** The observations since the start of the test. */
    public List<Observation> observations() {
        synchronized (observations) {
            return List.copyOf(observations);
        }
    }

    public static Predicate<Project> has(String type, ConditionStatus status, String reason) {
        return project -> condition(project, type) != null
                && condition(project, type).status() == status
                && condition(project, type).reason().equals(reason);
    }

    public static Condition condition(Project project, String type) {
        return project.getStatus() == null
                ? null
                : Conditions.in(project.getStatus().conditions(), type).orElse(null);
    }

    private void observed(Observation observation) {
        synchronized (observations) {
            observations.add(observation);
        }
    }
}
