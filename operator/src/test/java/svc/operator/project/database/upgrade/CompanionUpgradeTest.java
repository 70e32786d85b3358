package svc.operator.project.database.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.database.project.companion.Column;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionFunction;
import svc.database.project.companion.CompanionSchema;
import svc.database.project.companion.CompanionTable;
import svc.database.project.companion.Privilege;
import svc.operator.project.database.BatchStepRunner;
import svc.operator.project.database.PostgresProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: a newer companion reaches projects whose tenants have built on the old one, and no row is touched. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompanionUpgradeTest {
    private final TestingDatabases databases = TestingDatabases.create();

    /** The current version with columns on every table, a new table and a new function. */
    private static Companion next() {
        Companion now = Companion.current();
        List<CompanionTable> tables = new ArrayList<>();
        for (CompanionTable table : now.tables()) {
            tables.add(table.with(Column.of("added_text", "text").withDefault("'none'::text"))
                    .with(Column.of("added_flag", "boolean").notNull().withDefault("false")));
        }
        tables.add(CompanionTable.of(
                        CompanionSchema.AUTH,
                        "identities",
                        true,
                        Column.of("id", "uuid").notNull())
                .granting(EnumSet.of(Privilege.SELECT), DatabaseRole.SYSTEM));
        List<CompanionFunction> functions = new ArrayList<>(now.functions());
        functions.add(CompanionFunction.ofSession(
                CompanionSchema.STORAGE,
                "added_function",
                "text",
                "NULLIF(current_setting('storage.added'::text, true), ''::text)"));
        return new Companion(now.version() + 1, tables, functions);
    }

    @Test
    void tenantsViewsPoliciesKeysAndTriggersSurviveAndDoNotRun() throws Exception {
        ProvisionRequest request = TestingDatabases.request("upgraded", databases);
        ProjectRecord project = ((Provisioned) databases.projects().provision(request)).project();
        String s = project.names().schemaName();
        try (Connection owner = databases.login(project, DatabaseRole.OWNER)) {
            TestingDatabases.execute(owner, """
                    CREATE TABLE witness (what text);
                    CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
                        'BEGIN INSERT INTO witness VALUES (TG_OP); RETURN NEW; END';
                    CREATE TABLE profiles (id uuid REFERENCES S_auth.users (id) ON DELETE CASCADE);
                    CREATE VIEW people AS SELECT * FROM S_auth.users;
                    CREATE VIEW files AS SELECT o.name, b.public FROM S_storage.objects o JOIN S_storage.buckets b
                        ON b.id = o.bucket_id;
                    CREATE TRIGGER witness AFTER INSERT OR UPDATE OR DELETE ON S_auth.users
                        FOR EACH ROW EXECUTE FUNCTION witness();
                    INSERT INTO S_storage.buckets (id, name) VALUES ('b', 'b');
                    """.replace("S_", s + "_"));
        }
        try (Connection system = databases.login(project, DatabaseRole.SYSTEM)) {
            TestingDatabases.execute(
                    system,
                    "INSERT INTO " + s + "_auth.users (id, email) VALUES"
                            + " ('00000000-0000-0000-0000-000000000001', 'a@b.c')");
        }
        databases.asOperator(
                "CREATE POLICY mine ON " + s + "_storage.objects FOR SELECT TO " + s + "_anon USING (bucket_id = 'b')");
        List<String> rowsBefore = versionsOfRows(s);

        PostgresProjectProvisioner newer = databases.projects(next(), new BatchStepRunner());
        Provisioned upgraded = (Provisioned) newer.provision(request);

        assertThat(upgraded.change()).isEqualTo(Change.UPGRADED);
        assertThat(((Provisioned) newer.provision(request)).steps()).isEmpty();
        assertThat(((Provisioned) newer.provision(request)).project().companionVersion())
                .isEqualTo(next().version());
        assertThat(versionsOfRows(s)).isEqualTo(rowsBefore);
        try (Connection owner = databases.login(project, DatabaseRole.OWNER)) {
            assertThat(TestingDatabases.query(owner, "SELECT what FROM witness"))
                    .containsExactly("INSERT");
            assertThat(TestingDatabases.query(owner, "SELECT email FROM people"))
                    .containsExactly("a@b.c");
            assertThat(TestingDatabases.query(owner, "SELECT added_text FROM " + s + "_auth.users"))
                    .containsExactly("none");
        }
    }

    /** Where each row's version lies and which transaction wrote it, and which file holds the table: a rewrite changes all. */
    private List<String> versionsOfRows(String schema) throws Exception {
        try (Connection connection = databases.server().connect(databases.sharedName())) {
            List<String> all = new ArrayList<>();
            for (String table : List.of("_auth.users", "_storage.buckets", "_storage.objects")) {
                String name = schema + table;
                all.addAll(TestingDatabases.query(connection, "SELECT xmin || '@' || ctid FROM " + name));
                all.addAll(TestingDatabases.query(connection, "SELECT pg_relation_filenode('" + name + "')"));
            }
            return all;
        }
    }
}
