package svc.server.management.query.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.TestingPlatform;

/**
 * Attacks through the SQL endpoint by holders of a project's token and both its keys, with another tenant's secrets in
 * the same database. The attacks are in the files of this package, one file per promise.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
@TestProfile(HostileSqlTest.UnderAttack.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class HostileSqlTest {
    /**
     * A profile of its own, which restarts the application: the limits on rows and bodies are read at the start, and
     * the other tests need their real values.
     */
    public static final class UnderAttack implements QuarkusTestProfile {
        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(AttackLimits.class));
        }
    }

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PlatformDatabase platform;

    private Battlefield field;

    @BeforeEach
    void settle() {
        if (field == null) {
            field = new Battlefield(client, tenants, platform);
        }
    }

    @AttacksOf("session")
    void noSessionBecomesAnothers(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("role")
    void theRoleOfACallerIsNoWayOut(Attack attack) {
        field.endure(attack);
    }

    @AfterAll
    void leave() {
        field.close();
    }

    @AttacksOf("parser")
    void whatTheGateReadsIsWhatTheServerReads(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("neighbour")
    void aNeighboursObjectsAreOutOfReach(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("catalog")
    void whatTheCatalogTellsEndsAtTheProject(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("server")
    void whatAllShareIsClosed(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("composed")
    void namesThatAreReplacedInComposedSqlReachNothingElse(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("definition")
    void anOwnerDefinesInItsOwnSchemaOnly(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("schemas")
    void noFurtherSchemaIsAnothers(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("extensions")
    void whatExtensionsKeepIsTheProjects(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("later")
    void whatIsLeftBehindRunsWithoutTheRightsOfOthers(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("temporary")
    void temporaryTablesDeceiveNoFunctionAndDoNotStay(Attack attack) {
        field.endure(attack);
    }

    @TestFactory
    Stream<DynamicTest> aCallThatWouldNeverEndIsCut() {
        return field.endureAll(AttackFile.read("exhaustion"));
    }

    @AttacksOf("transaction")
    void nothingOfAScriptOutlivesItsRefusal(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("readonly")
    void aReadOnlyCallStaysOne(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("parameters")
    void aBodyIsReadToTheLetterAndItsValuesAreValues(Attack attack) {
        field.endure(attack);
    }

    @AttacksOf("itself")
    void whatASessionSaysOfItselfIsNotBelieved(Attack attack) {
        field.endure(attack);
    }

    @Test
    void othersAreServedWhileOneTakesAllItCan() throws Exception {
        field.checkWhatIsPending();
        new Siege(field.attacker("greedy"), field.attacker("bystander")).endure();
        field.nothingIsLeftOf(field.attacker("greedy"));
    }

    /** With every plan: the attacker's condition runs after the view's own. */
    @Test
    void noConditionSeesRowsThatAViewLeavesOut() {
        Attacker attacker = field.attacker("views");
        assertThat(attacker.sql("""
                        CREATE FUNCTION leak(x anyelement) RETURNS boolean COST 0.0000001 LANGUAGE plpgsql AS
                        $$ BEGIN INSERT INTO loot VALUES (x::text); RETURN true; END $$""").status()).isEqualTo(201);
        for (String view : field.ask("""
                SELECT string_agg(c.oid::regclass::text, ',') FROM pg_class c WHERE c.relkind = 'v'
                AND c.relnamespace IN ('svc_views'::regnamespace, 'svc_information_schema'::regnamespace)
                AND has_table_privilege('$N_owner', c.oid, 'SELECT')""").split(",")) {
            // A failing query rolls back its own loot only.
            assertThat(attacker.sql("""
                            DO $$ DECLARE planner text; BEGIN
                            FOREACH planner IN ARRAY ARRAY['enable_seqscan', 'enable_nestloop', 'enable_hashjoin'] LOOP
                                BEGIN
                                    PERFORM act('SET ' || planner || ' = off');
                                    PERFORM act('SELECT count(*) FROM %s v WHERE leak(v)');
                                EXCEPTION WHEN OTHERS THEN NULL;
                                END;
                                PERFORM act('RESET ' || planner);
                            END LOOP; END $$""".formatted(view)).status()).as(view).isIn(201, 400);
        }
        assertThat(Integer.parseInt(field.ask("SELECT count(*) FROM " + attacker.schema() + ".loot")))
                .isGreaterThan(1000);
        assertThat(field.ask("SELECT string_agg(what, ' ') FROM " + attacker.schema() + ".loot WHERE what ~ '"
                        + field.neighbour().canary() + "|" + field.neighbour().schema() + "|secret_'"))
                .isNull();
    }

    /** No object of the attackers depends on others', so they can be removed without side effects. */
    @Test
    @Order(Integer.MAX_VALUE)
    void everyAttackerIsRemovedWithoutATrace() {
        field.checkWhatIsPending();
        Attacker bystander = field.attacker("bystander");
        for (Attacker attacker : field.attackers()) {
            String schema = attacker.schema();
            if (!attacker.equals(bystander)) {
                field.remove(attacker);
            }
            assertThat(field.ask("SELECT count(*) FROM pg_namespace WHERE nspname LIKE '" + schema + "%'"))
                    .isEqualTo(attacker.equals(bystander) ? "4" : "0");
            assertThat(field.ask("SELECT count(*) FROM pg_authid WHERE rolname LIKE '" + schema + "%'"))
                    .isEqualTo(attacker.equals(bystander) ? "6" : "0");
        }
        assertThat(field.ask("SELECT count(*) FROM $N.secrets")).isEqualTo("1009");
        assertThat(field.hardenAgain()).as("what drifted of the hardening").isEmpty();
    }
}
