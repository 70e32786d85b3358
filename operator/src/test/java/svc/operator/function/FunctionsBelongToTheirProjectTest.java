package svc.operator.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static svc.operator.function.TestingFunctions.FIRST;
import static svc.operator.function.TestingFunctions.because;
import static svc.operator.testing.TestingOperator.condition;
import static svc.operator.testing.TestingOperator.has;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.function.EdgeFunction;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.service.FunctionsSpec;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;

/** A function gets the keys of its own project and of no other, and only while the project is to be served. */
class FunctionsBelongToTheirProjectTest {
    private static String elsewhere;
    private static TestingOperator operator;
    private static TestingFunctions functions;

    private final String shop = TestingApi.name("shop");
    private final String hello = TestingApi.name("hello");

    @BeforeAll
    static void start() {
        elsewhere = TestingApi.namespace();
        operator = TestingOperator.prepared().alsoWatching(elsewhere).start();
        functions = new TestingFunctions(operator);
    }

    @AfterAll
    static void stop() {
        operator.close();
    }

    /** Otherwise the operator would go on reconciling them. */
    @AfterEach
    void deleteAll() {
        for (Class<? extends HasMetadata> kind : List.of(EdgeFunction.class, Project.class)) {
            var all = operator.client().resources(kind).inNamespace(operator.namespace());
            all.list()
                    .getItems()
                    .forEach(
                            found -> all.withName(found.getMetadata().getName()).delete());
        }
    }

    @Test
    void aProjectOfAnotherNamespaceIsNotFound() {
        operator.create(elsewhere, shop, UnaryOperator.identity());
        operator.await(elsewhere, shop, project -> project.isReady());
        functions.create("thief", shop, "thief", FIRST);
        functions.await("thief", because("ProjectNotFound"));
        assertThat(functions.environment("thief")).isEmpty();
    }

    @Test
    void aProjectThatLostItsClaimTakesItsFunctionsKeys() {
        operator.create(shop);
        ProjectIdentity identity = ProjectIdentity.of(operator.ready(shop));
        // Another resource with the same ref and id: it is in conflict, and so gives nothing.
        operator.create(
                "thief",
                spec -> spec.ref(identity.ref()).projectId(identity.projectId().toString()));
        functions.create("thief-fn", "thief", "hello", FIRST);
        functions.await("thief-fn", because("ProjectNotReady"));
        assertThat(functions.environment("thief-fn")).isEmpty();
    }

    @Test
    void whatTheManagementApiMadeGoesWithTheDataAndStaysWithIt() {
        for (DeletionPolicy policy : DeletionPolicy.values()) {
            String name = policy.name().toLowerCase(java.util.Locale.ROOT);
            operator.create(name, spec -> spec.deletionPolicy(policy));
            String ref = ProjectIdentity.of(operator.ready(name)).ref();
            functions.madeByApi(name + "-fn", name, ref);
            functions.create(name + "-applied", name, "applied", FIRST);
            functions.running(name + "-fn", FIRST);

            operator.at(name).delete();
            operator.awaitGone(name);

            functions.await(name + "-applied", because("ProjectNotFound"));
            assertThat(functions.exist(name + "-fn")).as(name).containsOnly(policy == DeletionPolicy.RETAIN);
        }
        functions.await("retain-fn", because("ProjectNotFound"));
        operator.create("retain");
        functions.running("retain-fn", FIRST);
    }

    @Test
    void deletedTogetherWithItsProjectItIsTakenDown() {
        operator.create(shop, spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        operator.ready(shop);
        functions.create(hello, shop, "hello", FIRST);
        functions.running(hello, FIRST);
        operator.at(shop).delete();
        functions.await(hello, because("ProjectNotFound"));
        await().atMost(TestingOperator.LIMIT)
                .until(() -> functions.environment(hello).isEmpty()
                        && operator.client()
                                        .apps()
                                        .deployments()
                                        .inNamespace(operator.namespace())
                                        .withName("fn-" + hello)
                                        .get()
                                == null);
    }

    @Test
    void theOlderOfTwoOfOneNameServes() {
        operator.create(shop);
        operator.ready(shop);
        functions.create("zz-first", shop, "hello", FIRST);
        functions.running("zz-first", FIRST);
        functions.await("zz-first", because("RollingOut"));
        functions.create("aa-second", shop, "hello", FIRST);
        functions.await("aa-second", because("NameConflict"));
        assertThat(functions.environment("aa-second")).isEmpty();
        functions.delete("zz-first");
        functions.running("aa-second", FIRST);
    }

    @Test
    void disabledFunctionsRunNoProcess() {
        operator.create(shop);
        operator.ready(shop);
        functions.create(hello, shop, "hello", FIRST);
        functions.running(hello, FIRST);
        functions.started(hello);
        functions.await(hello, EdgeFunction::isReady);
        operator.edit(shop, spec -> spec.functions(new FunctionsSpec(false, null, null, null, null)));
        functions.deployment(hello, found -> found.getSpec().getReplicas() == 0);
        functions.await(hello, because("FunctionsDisabled"));
        operator.edit(shop, spec -> spec.functions(new FunctionsSpec(true, null, null, null, null)));
        functions.await(hello, EdgeFunction::isReady);
    }

    @Test
    void functionsOfASuspendedProjectRunNoProcess() {
        operator.create(shop);
        operator.create("beside");
        operator.ready(shop);
        operator.ready("beside");
        functions.create(hello, shop, "hello", FIRST);
        functions.create("neighbour", "beside", "hello", FIRST);
        for (String name : List.of(hello, "neighbour")) {
            functions.running(name, FIRST);
            functions.started(name);
            functions.await(name, EdgeFunction::isReady);
        }

        operator.edit(shop, spec -> spec.suspend(true));

        functions.deployment(hello, found -> found.getSpec().getReplicas() == 0);
        functions.await(hello, because("ProjectSuspended"));
        operator.await(shop, has(ProjectCondition.SUSPENDED, ConditionStatus.TRUE, "Suspended"));
        operator.awaitEvent(shop, "Suspended");
        functions.await("neighbour", EdgeFunction::isReady);

        operator.edit(shop, spec -> spec.suspend(false));
        functions.await(hello, EdgeFunction::isReady);
        operator.await(shop, project -> condition(project, ProjectCondition.SUSPENDED) == null);
        operator.awaitEvent(shop, "Restored");
    }

    @Test
    void aProjectHasNoMoreThanItMay() {
        operator.create(shop, spec -> spec.functions(new FunctionsSpec(true, 1, null, null, null)));
        operator.ready(shop);
        functions.create("one", shop, "one", FIRST);
        functions.running("one", FIRST);
        functions.await("one", because("RollingOut"));
        functions.create("two", shop, "two", FIRST);
        functions.await("two", because("TooManyFunctions"));
    }

    @Test
    void aPausedProjectsFunctionsAreNotTouched() {
        operator.create(shop);
        operator.ready(shop);
        functions.create(hello, shop, "hello", FIRST);
        functions.running(hello, FIRST);
        functions.started(hello);
        functions.await(hello, EdgeFunction::isReady);
        operator.edit(shop, spec -> spec.paused(true));
        functions.await(
                hello,
                function -> TestingFunctions.condition(function, "Available").isTrue()
                        && function.getStatus().conditions().stream()
                                .anyMatch(condition -> condition.type().equals("ReconciliationPaused")));
        functions.edit(hello, spec -> TestingFunctions.withHash(spec, TestingFunctions.SECOND));
        functions.create("late", shop, "late", FIRST);
        functions.await("late", function -> function.getStatus() != null);
        functions.running(hello, FIRST);
        operator.edit(shop, spec -> spec.paused(false));
        functions.running(hello, TestingFunctions.SECOND);
        functions.running("late", FIRST);
    }

    @Test
    void anObjectOfAnotherOwnerIsLeftAlone() {
        operator.create(shop);
        operator.ready(shop);
        operator.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(operator.namespace())
                        .withName("fn-taken-env")
                        .endMetadata()
                        .withData(Map.of("only", "Y29weQ=="))
                        .build())
                .create();
        functions.create("taken", shop, "taken", FIRST);
        functions.await("taken", because("ObjectNotOwned"));
        assertThat(functions.environment("taken")).containsOnly(Map.entry("only", "copy"));
    }
}
