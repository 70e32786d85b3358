package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.script.TestingOwner;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** An index that is built concurrently waits for transactions of others, and leaves nothing behind when it fails. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ConcurrentIndexTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "concurrently");
        assertThat(run("CREATE TABLE t (id int); INSERT INTO t VALUES (1), (1)", 30)
                        .status())
                .isEqualTo(201);
    }

    private Http.Answer run(String sql, int seconds) {
        return api.send(
                "POST",
                project.path(),
                JSON.createObjectNode()
                        .put("query", sql)
                        .put("timeout_seconds", seconds)
                        .toString());
    }

    private String indexes(String condition) {
        return project.owner()
                .ask("SELECT count(*) FROM pg_index WHERE " + condition + " AND indrelid = '" + table()
                        + "'::regclass");
    }

    private String table() {
        return project.owner().names().schemaName() + ".t";
    }

    /** A transaction of another project, with the snapshot that a concurrent build waits for. */
    private static Connection transaction(String sql) throws SQLException {
        Connection other = TestingOwner.SERVER.connect(TestingOwner.DATABASE);
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            statement.execute(sql);
        }
        return other;
    }

    /** The lock_timeout of an owner would end it after a tenth of a second. */
    @Test
    void waitsForTransactionsOfOthersForLongerThanForALock() throws Exception {
        project.owner().asOperator("ALTER ROLE " + project.owner().login() + " SET lock_timeout = '100ms'");
        try (Connection other = transaction("SELECT 1 FROM pg_class LIMIT 1");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Http.Answer> building = threads.submit(() -> run("CREATE INDEX CONCURRENTLY ON t (id)", 120));
            await().until(() -> project.owner()
                    .ask("SELECT count(*) > 0 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted"
                            + " AND a.usename = '" + project.owner().login() + "'"
                            + " AND a.query_start < clock_timestamp() - interval '1 second'")
                    .equals("t"));
            other.rollback();
            assertThat(building.get().status()).as(building.get().toString()).isEqualTo(201);
        }
        assertThat(indexes("indisvalid")).isEqualTo("1");
    }

    @Test
    void anIndexThatFailsOrTakesTooLongIsDropped() throws Exception {
        Http.Answer duplicate = run("CREATE UNIQUE INDEX CONCURRENTLY ON t (id)", 30);
        assertThat(duplicate.json().path("sqlstate").asText()).isEqualTo("23505");
        assertThat(indexes("true")).isEqualTo("0");

        try (Connection other = transaction("SELECT 1 FROM pg_class LIMIT 1")) {
            Http.Answer late = run("CREATE INDEX CONCURRENTLY named ON t (id)", 1);
            assertThat(late.code()).isEqualTo("sql_timeout");
            assertThat(late.json().path("hint").asText()).contains("was dropped");
            other.rollback();
        }
        assertThat(indexes("true")).isEqualTo("0");
    }

    @Test
    void anIndexThatCannotBeDroppedIsNamedWithTheStatementToRun() throws Exception {
        try (Connection other = transaction("SELECT 1 FROM " + table())) {
            Http.Answer late = run("CREATE INDEX CONCURRENTLY \"Named\" ON t (id)", 1);
            assertThat(late.code()).isEqualTo("sql_timeout");
            assertThat(late.json().path("hint").asText()).contains("DROP INDEX CONCURRENTLY public.\"Named\"");
            other.rollback();
        }
        assertThat(run("DROP INDEX CONCURRENTLY public.\"Named\"", 30).status()).isEqualTo(201);
        assertThat(indexes("true")).isEqualTo("0");
    }
}
