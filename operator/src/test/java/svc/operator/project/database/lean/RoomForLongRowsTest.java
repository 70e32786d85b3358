package svc.operator.project.database.lean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/**
 * Promise: a lean table has no TOAST table and refuses rows that would need one, and a service that is first used gives it
 * one by ALTER TABLE alone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoomForLongRowsTest {
    private static final String LONG_ROW =
            "INSERT INTO S_auth.users (id, raw_user_meta_data) SELECT gen_random_uuid(), jsonb_build_object('a',"
                    + " (SELECT string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 400)))";

    private final TestingDatabases databases = TestingDatabases.create();
    private ProvisionRequest request;
    private ProjectRecord project;

    @BeforeEach
    void provision() {
        request = TestingDatabases.request("lean", databases);
        project = ((Provisioned) databases.projects().provision(request)).project();
    }

    private String sql(String text) {
        return text.replace("S_", project.names().schemaName() + "_");
    }

    private void asSystem(String text) throws SQLException {
        try (Connection system = databases.login(project, DatabaseRole.SYSTEM)) {
            TestingDatabases.execute(system, sql(text));
        }
    }

    private String asked(String question) throws SQLException {
        try (Connection operator = databases.server().connect(databases.sharedName())) {
            return String.join(",", TestingDatabases.query(operator, sql(question)));
        }
    }

    @Test
    void aProjectHasNoToastTableAndAsManyIndexesAsPrimaryKeys() throws SQLException {
        String tables = " FROM pg_class c WHERE c.relnamespace::regnamespace::text LIKE 'S_%'";
        assertThat(asked("SELECT count(*)" + tables + " AND c.reltoastrelid <> 0"))
                .isEqualTo("0");
        assertThat(asked("SELECT string_agg(c.relname, ' ' ORDER BY c.relname)" + tables + " AND c.relkind = 'i'"))
                .isEqualTo("buckets_pkey objects_pkey users_pkey");
    }

    @Test
    void theTypesStorageMakesRoomAndTouchesNoRow() throws SQLException {
        asSystem("INSERT INTO S_auth.users (id, email) VALUES (gen_random_uuid(), 'a@b.c')");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> asSystem(LONG_ROW))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("54000"));
        String row = "SELECT xmin || '@' || ctid || '@' || pg_relation_filenode('S_auth.users') FROM S_auth.users";
        String before = asked(row);

        databases.asOperator(sql("ALTER TABLE S_auth.users ALTER raw_user_meta_data SET STORAGE DEFAULT,"
                + " ALTER encrypted_password SET STORAGE DEFAULT"));

        assertThat(asked(row)).isEqualTo(before);
        assertThat(asked("SELECT reltoastrelid <> 0 FROM pg_class WHERE oid = 'S_auth.users'::regclass"))
                .isEqualTo("t");
        asSystem(LONG_ROW);
        assertThat(asked("SELECT count(*) FROM S_auth.users")).isEqualTo("2");
        assertThat(((Provisioned) databases.projects().provision(request)).steps())
                .as("storage is nobody's drift")
                .isEmpty();
    }

    @Test
    void onlyTheServicesWriteRowsThatAreNotCompleteYet() {
        for (String insert : new String[] {
            "INSERT INTO S_auth.users (id) VALUES (gen_random_uuid())",
            "INSERT INTO S_storage.objects (id) VALUES (gen_random_uuid())",
            "INSERT INTO S_realtime.messages (topic) VALUES ('t')"
        }) {
            for (DatabaseRole role : new DatabaseRole[] {DatabaseRole.OWNER, DatabaseRole.SERVICE}) {
                assertThatExceptionOfType(SQLException.class)
                        .as(role + ": " + insert)
                        .isThrownBy(() -> {
                            try (Connection login = databases.login(project, role)) {
                                TestingDatabases.execute(login, sql(insert));
                            }
                        })
                        .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
            }
        }
    }
}
