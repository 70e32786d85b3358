package svc.database.shared.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/**
 * A function in an index runs in whichever session maintains the table, with the rights of the table's owner: also in a
 * superuser's, where session_user is no project's login.
 */
class MaintenanceTest {
    /** DDL that an attacker tries there; $N is the neighbour. */
    private static final List<String> COMMANDS = List.of(
            "GRANT SELECT ON $S.bait TO $N_anon",
            "GRANT USAGE ON TYPE $S.mood TO $N_anon",
            "ALTER DEFAULT PRIVILEGES IN SCHEMA $S GRANT SELECT ON TABLES TO $N_anon",
            "CREATE TABLE $S.made ()",
            "DROP TABLE $S.gone");

    /** Volatile code runs behind an immutable function, and notes what became of each command. */
    private static final String TRAP = """
            CREATE TABLE bait (a int); CREATE TABLE gone (); CREATE TYPE mood AS ENUM ('low'); CREATE TABLE outcome (state text);
            CREATE FUNCTION act() RETURNS void LANGUAGE plpgsql AS $f$
            DECLARE command text;
            BEGIN
                FOREACH command IN ARRAY ARRAY[%s] LOOP
                    BEGIN
                        EXECUTE command;
                        INSERT INTO $S.outcome VALUES ('00000 ' || command);
                    EXCEPTION WHEN OTHERS THEN
                        INSERT INTO $S.outcome VALUES (SQLSTATE || ' ' || command);
                    END;
                END LOOP;
            END $f$;
            CREATE FUNCTION slow(a int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $f$
            BEGIN
                IF session_user !~ '^proj_' THEN PERFORM $S.act(); END IF;
                RETURN a;
            END $f$;
            CREATE INDEX ON bait (slow(a));
            INSERT INTO bait VALUES (1);""";

    @Test
    void aTenantsFunctionRunsNoDdlInAnAnalyzeOfASuperuser() throws Exception {
        Tenant attacker = HardenedServer.newTenant();
        lay(attacker, HardenedServer.newTenant());
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(superuser, attacker.fill("ANALYZE $S.bait"));
        }
        assertAllRefused(attacker);
    }

    @Test
    void norInAWorkerOfAutovacuum() throws Exception {
        Tenant attacker = HardenedServer.newTenant();
        try (Connection superuser = HardenedServer.superuser();
                Connection owner = attacker.owner()) {
            lay(attacker, HardenedServer.newTenant());
            Sql.run(owner, """
                    ALTER TABLE bait SET (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0);
                    INSERT INTO bait SELECT g FROM generate_series(2, 50) g""");
            Sql.run(superuser, "ALTER SYSTEM SET autovacuum_naptime = '1s'");
            try {
                Sql.run(superuser, "SELECT pg_reload_conf()");
                for (int i = 0;
                        i < 600
                                && Sql.column(owner, "SELECT state FROM outcome")
                                        .isEmpty();
                        i++) {
                    Thread.sleep(100);
                }
            } finally {
                Sql.run(superuser, "ALTER SYSTEM RESET autovacuum_naptime");
                Sql.run(superuser, "SELECT pg_reload_conf()");
            }
        }
        assertAllRefused(attacker);
    }

    @Test
    void anAdministratorBecomesTheOwnerBySessionAuthorization() throws Exception {
        Tenant tenant = HardenedServer.newTenant();
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.state(superuser, tenant.fill("SET ROLE $S_owner; CREATE TABLE $S.made ()")))
                    .isEqualTo("42501");
            Sql.run(superuser, tenant.fill("RESET ROLE; SET SESSION AUTHORIZATION $S_owner; CREATE TABLE $S.made ()"));
        }
    }

    private static void lay(Tenant attacker, Tenant neighbour) throws Exception {
        String commands =
                String.join(", ", COMMANDS.stream().map(c -> "'" + c + "'").toList());
        try (Connection owner = attacker.owner()) {
            Sql.run(owner, attacker.fill(TRAP.formatted(commands).replace("$N", neighbour.schema())));
        }
    }

    private static void assertAllRefused(Tenant attacker) throws Exception {
        try (Connection owner = attacker.owner()) {
            assertThat(Sql.column(owner, "SELECT DISTINCT state FROM outcome"))
                    .hasSize(COMMANDS.size())
                    .allSatisfy(state -> assertThat(state).startsWith("42501 "));
        }
    }
}
