package svc.operator.project.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.operator.observe.Observation.StateObserved;
import svc.operator.testing.TestingOperator;

/** A new operator reconciles every settled project and writes nothing: not to the API, not to the database. */
class RestartTouchesNothingTest {
    private static final List<String> NAMES = List.of("one", "two", "three", "four", "five");

    /** Every row that provisioning, hardening or the registry could write carries the transaction that wrote it. */
    private static final String WRITTEN_ROWS = """
            SELECT md5(string_agg(written, ',' ORDER BY written)) FROM (
                SELECT 'namespace ' || oid || ' ' || xmin AS written FROM pg_namespace WHERE nspname !~ '^pg_'
                UNION ALL SELECT 'class ' || oid || ' ' || xmin FROM pg_class WHERE relpersistence = 'p'
                UNION ALL SELECT 'function ' || oid || ' ' || xmin FROM pg_proc
                UNION ALL SELECT 'policy ' || oid || ' ' || xmin FROM pg_policy
                UNION ALL SELECT 'default ' || oid || ' ' || xmin FROM pg_default_acl
                UNION ALL SELECT 'trigger ' || oid || ' ' || xmin FROM pg_event_trigger
                UNION ALL SELECT 'role ' || oid || ' ' || xmin FROM pg_authid
                UNION ALL SELECT 'member ' || oid || ' ' || xmin FROM pg_auth_members
                UNION ALL SELECT 'setting ' || setrole || ' ' || xmin FROM pg_db_role_setting
                UNION ALL SELECT 'project ' || project_id || ' ' || xmin FROM svc_platform.project) rows""";

    @Test
    void convergedProjectsStayUnchanged() {
        try (var operator = TestingOperator.prepared().start()) {
            NAMES.forEach(name -> operator.create(name, spec -> spec.keysSecret(name + "-keys")));
            NAMES.forEach(operator::ready);
            // The second reconciliation may have a stale cache and write the status again, after it was observed; the
            // third begins when that is done.
            awaitLooks(operator, 3);
            Map<String, String> versions = versions(operator);
            String rows = operator.query(WRITTEN_ROWS);
            operator.stop();
            long before = looks(operator, "one");

            operator.start();
            awaitLooks(operator, before + 2);

            assertThat(versions(operator)).isEqualTo(versions);
            assertThat(operator.query(WRITTEN_ROWS)).isEqualTo(rows);
            NAMES.forEach(name -> assertThat(operator.events(name)).containsExactly("Provisioned"));
        }
    }

    private static void awaitLooks(TestingOperator operator, long looks) {
        Awaitility.await()
                .atMost(TestingOperator.LIMIT)
                .until(() -> NAMES.stream().allMatch(name -> looks(operator, name) >= looks));
    }

    private static long looks(TestingOperator operator, String name) {
        String project = operator.namespace() + "/" + name;
        return operator.observations().stream()
                .filter(seen -> seen instanceof StateObserved(var which, var state) && which.equals(project))
                .count();
    }

    private static Map<String, String> versions(TestingOperator operator) {
        Map<String, String> versions =
                operator.client().resources(Project.class).inNamespace(operator.namespace()).list().getItems().stream()
                        .collect(Collectors.toMap(
                                project -> project.getMetadata().getName(),
                                project -> project.getMetadata().getResourceVersion()));
        operator.client()
                .secrets()
                .inNamespace(operator.namespace())
                .list()
                .getItems()
                .forEach(secret -> versions.put(
                        "secret " + secret.getMetadata().getName(),
                        secret.getMetadata().getResourceVersion()));
        return versions;
    }
}
