package svc.database.shared.statements;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.shared.HardenedServer;
import svc.database.shared.RealtimePublication;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** The list of published tables that each project keeps, and the worker that makes the publication follow it. */
class PublicationStatementTest {
    private Tenant tenant;
    private Connection owner;

    @BeforeEach
    void logIn() throws Exception {
        tenant = HardenedServer.newTenant();
        owner = tenant.owner();
        Sql.run(owner, tenant.fill("CREATE TABLE $S.a (id int PRIMARY KEY); CREATE TABLE $S.b (id int PRIMARY KEY)"));
    }

    @AfterEach
    void leaveNothing() throws Exception {
        owner.close();
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(superuser, tenant.fill("DROP SCHEMA $S CASCADE"));
            assertThat(Sql.column(
                            superuser,
                            tenant.fill("SELECT table_oid FROM svc_guard.realtime_publication"
                                    + " WHERE schema_name = '$S' AND table_oid <> 0")))
                    .as("a dropped table leaves the list, whoever drops it")
                    .isEmpty();
        }
    }

    private String publish(String action, String tables) {
        return Sql.state(owner, "CALL svc_statements.publish('" + action + "', 'supabase_realtime', " + tables + ")");
    }

    private List<String> listed() throws Exception {
        return Sql.column(
                owner, "SELECT tablename FROM pg_publication_tables WHERE pubname = 'supabase_realtime' ORDER BY 1");
    }

    private List<String> published() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            return Sql.column(
                    superuser,
                    tenant.fill("SELECT tablename FROM pg_publication_tables"
                            + " WHERE pubname = 'svc_realtime' AND schemaname = '$S' ORDER BY 1"));
        }
    }

    private static RealtimePublication.Applied apply() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            return RealtimePublication.apply(superuser);
        }
    }

    @Test
    void theListIsWhatTheUserSeesAtOnceAndThePublicationFollows() throws Exception {
        assertThat(publish("ADD", "'{a,b}'")).isEqualTo("00000");
        assertThat(listed()).containsExactly("a", "b");
        assertThat(Sql.column(owner, "SELECT DISTINCT pubname FROM pg_publication_tables ORDER BY 1"))
                .containsExactly("supabase_realtime", "svc_realtime");
        assertThat(published()).isEmpty();
        apply();
        assertThat(published()).containsExactly("a", "b");
        assertThat(publish("ADD", "'{a}'")).isEqualTo("42710");
        assertThat(publish("DROP", "'{a}'")).isEqualTo("00000");
        assertThat(publish("DROP", "'{a}'")).isEqualTo("42704");
        assertThat(publish("ADD", "'{nowhere}'")).isEqualTo("42P01");
        apply();
        assertThat(published()).containsExactly("b");
        assertThat(publish("SET", "'{a}'")).isEqualTo("00000");
        apply();
        assertThat(published()).containsExactly("a");
        assertThat(publish("CLEAR", "NULL")).isEqualTo("00000");
        apply();
        assertThat(published()).isEmpty();
    }

    @Test
    void allTablesMeansThoseOfTheProjectThatAreThereAndThatCome() throws Exception {
        Sql.run(owner, tenant.fill("CREATE UNLOGGED TABLE $S.u (id int); CREATE VIEW $S.v AS SELECT 1"));
        assertThat(publish("ALL", "NULL")).isEqualTo("00000");
        Sql.run(owner, tenant.fill("CREATE TABLE $S.c (id int PRIMARY KEY)"));
        assertThat(listed()).containsExactly("a", "b", "c");
        assertThat(Sql.value(owner, "SELECT puballtables::text FROM pg_publication LIMIT 1"))
                .isEqualTo("true");
        apply();
        assertThat(published()).containsExactly("a", "b", "c");
        assertThat(publish("ADD", "'{u}'")).isEqualTo("22023");
        assertThat(publish("ADD", "'{v}'")).isEqualTo("22023");
    }

    @Test
    void aTableThatBecomesUnloggedKeepsNoOthersFromBeingPublished() throws Exception {
        Sql.run(
                owner,
                "CALL svc_statements.publish('ADD', 'supabase_realtime', '{a,b}');"
                        + tenant.fill("ALTER TABLE $S.a SET UNLOGGED"));
        Tenant other = HardenedServer.newTenant();
        try (Connection neighbour = other.owner()) {
            Sql.run(neighbour, other.fill("CREATE TABLE $S.mine (id int PRIMARY KEY)"));
            Sql.run(neighbour, "CALL svc_statements.publish('ADD', 'supabase_realtime', '{mine}')");
            assertThat(apply().refused()).isEmpty();
            try (Connection superuser = HardenedServer.superuser()) {
                assertThat(Sql.column(
                                superuser,
                                other.fill("SELECT tablename FROM pg_publication_tables"
                                        + " WHERE pubname = 'svc_realtime' AND schemaname = '$S'")))
                        .containsExactly("mine");
                assertThat(published()).containsExactly("b");
                assertThat(listed()).containsExactly("b");
                Sql.run(owner, tenant.fill("ALTER TABLE $S.a SET LOGGED"));
                apply();
                assertThat(published()).containsExactly("a", "b");
                Sql.run(superuser, other.fill("DROP SCHEMA $S CASCADE"));
            }
        }
    }

    @Test
    void oneTableThatPostgresqlRefusesKeepsNoOthersFromBeingPublished() throws Exception {
        publish("ADD", "'{a,b}'");
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(superuser, tenant.fill("""
                    CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
                        IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() c WHERE c.object_identity LIKE '%$S.a %') THEN
                            RAISE EXCEPTION 'not this one'; END IF; END $$;
                    CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('ALTER PUBLICATION')
                        EXECUTE FUNCTION public.refuse()"""));
            try {
                assertThat(apply().refused()).singleElement().asString().contains("not this one");
                assertThat(published()).containsExactly("b");
            } finally {
                Sql.run(superuser, "DROP EVENT TRIGGER refuse; DROP FUNCTION public.refuse()");
            }
        }
        apply();
        assertThat(published()).containsExactly("a", "b");
    }

    @Test
    void aDroppedTableIsGoneFromListAndPublication() throws Exception {
        publish("ADD", "'{a,b}'");
        apply();
        Sql.run(owner, tenant.fill("DROP TABLE $S.a"));
        assertThat(listed()).containsExactly("b");
        apply();
        assertThat(published()).containsExactly("b");
    }

    @Test
    void oneTenantsOpenTransactionKeepsNoOtherWaiting() throws Exception {
        Tenant other = HardenedServer.newTenant();
        try (Connection blocking = other.owner()) {
            Sql.run(blocking, other.fill("CREATE TABLE $S.held (id int PRIMARY KEY)"));
            Sql.run(blocking, "CALL svc_statements.publish('ADD', 'supabase_realtime', '{held}')");
            blocking.setAutoCommit(false);
            Sql.run(
                    blocking,
                    other.fill("LOCK TABLE $S.held IN ACCESS EXCLUSIVE MODE;"
                            + " CREATE TABLE $S.later (id int PRIMARY KEY);"
                            + " CALL svc_statements.publish('ADD', 'supabase_realtime', '{later}')"));
            // Would fail if it had to wait for the other tenant.
            Sql.run(owner, "SET statement_timeout = '20s'");
            assertThat(publish("ADD", "'{a}'")).isEqualTo("00000");
            RealtimePublication.Applied applied = apply();
            assertThat(published()).containsExactly("a");
            assertThat(applied.waiting())
                    .as("the table that is locked is left for the next time")
                    .isEqualTo(1);
            blocking.commit();
            assertThat(apply().waiting()).isZero();
            assertThat(apply().changed()).isZero();
            Sql.run(blocking, "CALL svc_statements.publish('CLEAR', 'supabase_realtime', NULL)");
            blocking.commit();
        }
    }

    @Test
    void aTenantCanNameNoTableButItsOwn() throws Exception {
        Tenant neighbour = HardenedServer.B;
        assertThat(publish("ADD", "'{secrets}'")).isEqualTo("42P01");
        assertThat(publish("ADD", "'{" + neighbour.schema() + ".secrets}'")).isEqualTo("42P01");
        assertThat(publish("nothing", "NULL")).isEqualTo("22023");
        for (String statement : List.of(
                "INSERT INTO svc_guard.realtime_publication VALUES ('" + neighbour.schema() + "', 0)",
                "ALTER PUBLICATION svc_realtime ADD TABLE $S.a",
                "DROP PUBLICATION svc_realtime",
                "SELECT * FROM svc_guard.published_table")) {
            assertThat(Sql.state(owner, tenant.fill(statement))).as(statement).isEqualTo("42501");
        }
    }
}
