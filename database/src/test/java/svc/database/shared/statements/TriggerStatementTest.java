package svc.database.shared.statements;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** Triggers and keys of a tenant on auth.users: its own it may take away and switch, the platform's it may not. */
class TriggerStatementTest {
    private static final String USERS =
            "SELECT tgname || ' ' || tgenabled::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
                    + " WHERE c.relname = 'users' AND NOT tgisinternal ORDER BY 1";

    private Tenant tenant;
    private Connection owner;

    @BeforeEach
    void logIn() throws Exception {
        tenant = HardenedServer.newTenant();
        owner = tenant.owner();
        Sql.run(owner, tenant.fill("""
                CREATE TABLE $S.profiles (id uuid PRIMARY KEY REFERENCES $S_auth.users (id) ON DELETE CASCADE, name text);
                CREATE FUNCTION $S.handle_new_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
                    'BEGIN INSERT INTO $S.profiles VALUES (NEW.id, NEW.email); RETURN NEW; END';
                CREATE TRIGGER on_created AFTER INSERT ON $S_auth.users FOR EACH ROW EXECUTE FUNCTION $S.handle_new_user();
                CREATE OR REPLACE TRIGGER on_created AFTER INSERT ON $S_auth.users
                    FOR EACH ROW EXECUTE FUNCTION $S.handle_new_user()"""));
    }

    @AfterEach
    void logOut() throws Exception {
        owner.close();
    }

    private void signUp(String email) throws Exception {
        try (Connection system = tenant.login("system")) {
            Sql.run(system, tenant.fill("INSERT INTO $S_auth.users (email) VALUES ('" + email + "')"));
        }
    }

    private List<String> profiles() throws Exception {
        return Sql.column(owner, tenant.fill("SELECT name FROM $S.profiles ORDER BY 1"));
    }

    @Test
    void anOwnTriggerIsSwitchedRenamedAndDropped() throws Exception {
        signUp("a");
        Sql.run(owner, "CALL svc_statements.switch_trigger('users', 'on_created', false)");
        assertThat(Sql.column(owner, USERS)).containsExactly("on_created D");
        signUp("b");
        Sql.run(owner, "CALL svc_statements.switch_trigger('users', 'on_created', true)");
        signUp("c");
        assertThat(profiles()).containsExactly("a", "c");
        Sql.run(owner, "CALL svc_statements.comment_on('trigger', 'users', 'on_created', 'why')");
        Sql.run(owner, "CALL svc_statements.rename_trigger('users', 'on_created', 'renamed')");
        assertThat(Sql.column(owner, USERS)).containsExactly("renamed O");
        Sql.run(owner, "CALL svc_statements.drop_trigger('users', 'renamed', false)");
        assertThat(Sql.column(owner, USERS)).isEmpty();
        assertThat(Sql.state(owner, "CALL svc_statements.drop_trigger('users', 'renamed', false)"))
                .isEqualTo("42704");
        assertThat(Sql.state(owner, "CALL svc_statements.drop_trigger('users', 'renamed', true)"))
                .isEqualTo("00000");
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.column(superuser, "SELECT backend FROM svc_guard.exempt_command"))
                    .isEmpty();
        }
    }

    @Test
    void aUserThatGoesTakesItsRowsAlong() throws Exception {
        signUp("a");
        try (Connection system = tenant.login("system")) {
            Sql.run(system, tenant.fill("DELETE FROM $S_auth.users"));
        }
        assertThat(profiles()).isEmpty();
    }

    @Test
    void thePlatformsTriggersStay() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(superuser, tenant.fill("""
                    CREATE FUNCTION $S_auth.of_platform() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
                    CREATE TRIGGER svc_keep AFTER INSERT ON $S_auth.users FOR EACH ROW EXECUTE FUNCTION $S_auth.of_platform();
                    CREATE TRIGGER plain AFTER INSERT ON $S_auth.users FOR EACH ROW EXECUTE FUNCTION $S_auth.of_platform()"""));
        }
        List<String> before = Sql.column(owner, USERS);
        for (String statement : List.of(
                "CALL svc_statements.drop_trigger('users', 'svc_keep', true)",
                "CALL svc_statements.switch_trigger('users', 'svc_keep', false)",
                "CALL svc_statements.rename_trigger('users', 'on_created', 'svc_mine')",
                "CALL svc_statements.comment_on('trigger', 'users', 'svc_keep', 'x')",
                "CREATE OR REPLACE TRIGGER svc_keep AFTER INSERT ON $S_auth.users FOR EACH ROW"
                        + " EXECUTE FUNCTION $S.handle_new_user()",
                "CREATE TRIGGER svc_new AFTER INSERT ON $S_auth.users FOR EACH ROW EXECUTE FUNCTION $S.handle_new_user()",
                "ALTER TABLE $S_auth.users DISABLE TRIGGER ALL",
                "DROP TRIGGER on_created ON $S_auth.users")) {
            assertThat(Sql.state(owner, tenant.fill(statement))).as(statement).isEqualTo("42501");
        }
        for (String statement : List.of(
                "CALL svc_statements.drop_trigger('users', 'plain', false)",
                "CALL svc_statements.switch_trigger('users', 'plain', false)",
                "CALL svc_statements.switch_trigger('users', 'RI_ConstraintTrigger_a_1', false)",
                "CALL svc_statements.comment_on('trigger', 'users', 'plain', 'x')")) {
            assertThat(Sql.state(owner, statement)).as(statement).isEqualTo("42704");
        }
        assertThat(Sql.column(owner, USERS)).isEqualTo(before);
    }
}
