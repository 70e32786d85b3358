package svc.database.shared.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/**
 * Rules 1, 2, 4 and 10 as hostile SQL, judged by the answer and by the effect: whatever an attack says, the neighbour and
 * what all share are the same afterwards.
 */
class AttackTest {
    private static final Tenant ATTACKER = HardenedServer.A;
    private static final Tenant NEIGHBOUR = HardenedServer.B;
    private static List<String> before;

    @BeforeAll
    static void prepare() throws Exception {
        try (Connection owner = ATTACKER.owner()) {
            Sql.run(owner, """
                    CREATE TABLE victim (a int);
                    CREATE MATERIALIZED VIEW victim_matview AS SELECT 1 AS a;
                    CREATE FUNCTION noop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
                    CREATE FUNCTION definer(command text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
                    AS 'BEGIN EXECUTE command; END'""");
        }
        before = state();
    }

    @AfterAll
    static void theNeighbourAndWhatAllShareAreUntouched() throws Exception {
        assertThat(state()).isEqualTo(before);
        assertThat(HardenedServer.harden(HardenedServer.DATABASE).changes()).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> attacksAreRefused() {
        return ATTACKER.text("attacks.txt")
                .replace("$N", NEIGHBOUR.schema())
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(" \\| ", 3))
                .map(attack -> DynamicTest.dynamicTest(attack[0] + ": " + attack[2], () -> {
                    try (Connection connection = ATTACKER.login(attack[0])) {
                        assertThat(Sql.state(connection, attack[2])).isEqualTo(attack[1]);
                    }
                }));
    }

    /** All objects, grants and roles of the database outside temporary ones, and the neighbour's rows. */
    private static List<String> state() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            return Sql.column(superuser, NEIGHBOUR.fill("""
                    SELECT format('%s %s %s %s', c.oid::regclass, c.relowner, c.relacl, c.relnatts) FROM pg_class c
                    WHERE c.relkind NOT IN ('t', 'i') AND c.relpersistence <> 't'
                    UNION ALL SELECT format('%s %s %s', p.oid::regprocedure, p.proowner, p.proacl) FROM pg_proc p
                    UNION ALL SELECT format('%s %s', n.nspname, n.nspacl) FROM pg_namespace n
                    WHERE n.nspname !~ '^pg_(toast_)?temp_'
                    UNION ALL SELECT a::text FROM pg_authid a
                    UNION ALL SELECT m::text FROM pg_auth_members m
                    UNION ALL SELECT d.defaclacl::text FROM pg_default_acl d
                    UNION ALL SELECT e.extname FROM pg_extension e
                    UNION ALL SELECT p.polname FROM pg_policy p
                    UNION ALL SELECT t.tgname FROM pg_trigger t
                    UNION ALL SELECT p.pubname FROM pg_publication p
                    UNION ALL SELECT s.slot_name FROM pg_replication_slots s
                    UNION ALL SELECT m.oid::text FROM pg_largeobject_metadata m
                    UNION ALL SELECT d.description FROM pg_description d WHERE d.objoid >= 16384
                    UNION ALL SELECT v::text FROM svc_guard.schema_version v WHERE v.schema_name = '$S'
                    UNION ALL SELECT count(*)::text || sum(hashtext(s::text)) FROM $S.secrets s
                    ORDER BY 1"""));
        }
    }
}
