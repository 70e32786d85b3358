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
                "DROP TRIGGER svc_protect_delete ON S_storage.objects",
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
}
