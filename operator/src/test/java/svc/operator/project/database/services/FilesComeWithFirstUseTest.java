package svc.operator.project.database.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.database.project.companion.CompanionSchema;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: the tables of Storage are completed at its first use, and what the owner may do stays what it was. */
class FilesComeWithFirstUseTest {
    private static final TestingDatabases DATABASES = TestingDatabases.create();

    private ProvisionRequest request;
    private ProjectRecord project;

    @BeforeEach
    void provision() {
        request = TestingDatabases.request("files", DATABASES);
        project = ((Provisioned) DATABASES.projects().provision(request)).project();
    }

    private String sql(String text) {
        String s = project.names().schemaName();
        return text.replaceAll("\\bS_", s + "_").replaceAll("\\bS\\b", s);
    }

    private void as(DatabaseRole role, String text) throws SQLException {
        try (Connection login = DATABASES.login(project, role)) {
            TestingDatabases.execute(login, sql(text));
        }
    }

    private List<String> complete() {
        return DATABASES.serviceTables().complete(project.projectId(), CompanionSchema.STORAGE);
    }

    private List<String> reconcile() {
        return ((Provisioned) DATABASES.projects().provision(request)).steps();
    }

    @Test
    void theSecondTimeAndTheReconcileFindNothingToDo() throws SQLException {
        as(DatabaseRole.OWNER, "INSERT INTO S_storage.buckets (id, name, public) VALUES ('b', 'b', true)");
        assertThat(complete()).isNotEmpty();
        assertThat(complete()).isEmpty();
        assertThat(reconcile()).isEmpty();
        as(DatabaseRole.SYSTEM, "INSERT INTO S_storage.objects (bucket_id, name) VALUES ('b', 'f')");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> as(DatabaseRole.OWNER, "DELETE FROM S_storage.buckets"))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("23503"));
    }

    @Test
    void damageIsRepaired() {
        complete();
        DATABASES.asOperator(sql("DROP TRIGGER svc_protect_delete ON S_storage.objects;"
                + "DROP INDEX S_storage.bucketid_objname; REVOKE INSERT ON S_storage.objects FROM S_anon"));
        assertThat(reconcile()).hasSize(4);
        assertThat(reconcile()).isEmpty();
        DATABASES.asOperator(sql("ALTER TABLE S_storage.objects DISABLE TRIGGER svc_protect_delete"));
        assertThat(reconcile()).isNotEmpty();
        assertThat(reconcile()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO S_storage.objects (bucket_id, name) VALUES ('b', 'f')",
                "UPDATE S_storage.objects SET version = 'x'",
                "DELETE FROM S_storage.objects",
                "TRUNCATE S_storage.objects",
                "SELECT FROM S_storage.resumable_uploads",
                "DELETE FROM S_storage.resumable_uploads",
                "ALTER TABLE S_storage.resumable_uploads DISABLE TRIGGER ALL",
                "CREATE INDEX ON S_storage.resumable_uploads (caller)",
                "SELECT FROM S_storage.s3_multipart_uploads",
                "DELETE FROM S_storage.s3_multipart_uploads_parts",
                "DROP TRIGGER svc_protect_delete ON S_storage.objects",
                "DROP TRIGGER svc_protect_content ON S_storage.objects",
                "ALTER TABLE S_storage.objects DISABLE TRIGGER svc_protect_delete",
                "CREATE OR REPLACE FUNCTION svc_functions.storage_protect_delete() RETURNS trigger LANGUAGE plpgsql"
                        + " AS 'BEGIN RETURN NULL; END'",
            })
    void theOwnerCannot(String statement) {
        complete();
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> as(DatabaseRole.OWNER, statement))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
    }

    /** A file of another user, and one of the caller's own; policies let everyone change rows, as hostile as can be. */
    private void files() throws SQLException {
        complete();
        DATABASES.asOperator(sql("CREATE POLICY p ON S_storage.objects USING (true) WITH CHECK (true)"));
        as(
                DatabaseRole.SYSTEM,
                "INSERT INTO S_storage.buckets (id, name) VALUES ('b', 'b');"
                        + "INSERT INTO S_storage.objects (bucket_id, name, version, metadata) VALUES"
                        + " ('b', 'other', 'v1', '{\"size\": 1}'), ('b', 'own', 'v2', '{\"size\": 2}')");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE S_storage.objects SET version = 'v1' WHERE name = 'own'",
                "UPDATE S_storage.objects SET version = 'v3' WHERE name = 'own'",
                "UPDATE S_storage.objects SET version = NULL WHERE name = 'own'",
                "UPDATE S_storage.objects SET metadata = '{\"size\": 0}' WHERE name = 'own'",
                "UPDATE S_storage.objects SET metadata = NULL WHERE name = 'own'",
                "INSERT INTO S_storage.objects (bucket_id, name, version) VALUES ('b', 'new', 'v3')",
                "INSERT INTO S_storage.objects (bucket_id, name, version) VALUES ('b', 'own', 'v1')"
                        + " ON CONFLICT (bucket_id, name) DO UPDATE SET version = excluded.version",
            })
    void noCallerWritesWhichBytesAFileHas(String statement) throws SQLException {
        files();
        for (String caller : new String[] {"SET ROLE S_authenticated;", "SET ROLE S_anon;"}) {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> as(DatabaseRole.API, caller + statement))
                    .satisfies(refused -> assertThat(refused.getSQLState()).isIn("42501", "23505"));
        }
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> as(DatabaseRole.SERVICE, statement))
                .satisfies(refused -> assertThat(refused.getSQLState()).isIn("42501", "23505"));
    }

    @Test
    void callersWriteTheRestOfARow() throws SQLException {
        files();
        for (String statement : new String[] {
            "INSERT INTO S_storage.objects (bucket_id, name, metadata) VALUES ('b', 'new', '{\"size\": 5}')",
            "UPDATE S_storage.objects SET name = 'moved', metadata = metadata || '{\"mimetype\": \"a/b\"}' WHERE name = 'own'"
        }) {
            as(DatabaseRole.API, "SET ROLE S_authenticated;" + statement);
        }
    }

    @Test
    void noTwoFilesHaveTheSameBytes() throws SQLException {
        files();
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(
                        () -> as(DatabaseRole.SYSTEM, "UPDATE S_storage.objects SET version = 'v1' WHERE name = 'own'"))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("23505"));
    }
}
