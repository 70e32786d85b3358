package svc.management.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import svc.management.introspection.TestingReads;

/**
 * Each rule over a real database: what is found has a name that begins with the rule's letters and {@code bad}; what is like
 * it and as it should be begins with {@code good}.
 */
class AdvisorsTest {
    private static final TestingReads PROJECT = new TestingReads("lints001");
    private static final TestingReads NEIGHBOUR = new TestingReads("lints002");

    /** What no project of a shared database can have; {@link RulesOfOtherDatabasesTest} has them. */
    private static final Set<LintRule> ELSEWHERE = EnumSet.of(
            LintRule.EXTENSION_IN_PUBLIC,
            LintRule.EXTENSION_VERSIONS_OUTDATED,
            LintRule.FOREIGN_TABLE_IN_API,
            LintRule.TABLE_BLOAT,
            LintRule.FKEY_TO_AUTH_UNIQUE,
            LintRule.PUBLIC_BUCKET_ALLOWS_LISTING);

    private static List<Lint> security;
    private static List<Lint> performance;

    @BeforeAll
    static void makeObjects() {
        String schema = PROJECT.owner().names().schemaName();
        PROJECT.run("""
                CREATE TABLE bad_open (id int PRIMARY KEY, api_key text);
                CREATE TABLE good_closed (id int PRIMARY KEY, api_key text);
                ALTER TABLE good_closed ENABLE ROW LEVEL SECURITY;
                CREATE POLICY good_read ON good_closed FOR SELECT TO $S_authenticated USING (id = 1);
                CREATE TABLE bad_policy_off (id int PRIMARY KEY);
                CREATE POLICY p ON bad_policy_off USING (id = 1);
                CREATE TABLE bad_no_policy (id int PRIMARY KEY);
                ALTER TABLE bad_no_policy ENABLE ROW LEVEL SECURITY;
                CREATE VIEW bad_view AS SELECT id FROM good_closed;
                CREATE VIEW good_view WITH (security_invoker = true) AS SELECT id FROM good_closed;
                CREATE VIEW bad_users AS SELECT id, email FROM $S_auth.users;
                CREATE VIEW good_users WITH (security_invoker) AS SELECT id FROM $S_auth.users;
                CREATE MATERIALIZED VIEW bad_stored AS SELECT 1 AS n;
                CREATE MATERIALIZED VIEW good_stored AS SELECT 1 AS n;
                REVOKE ALL ON good_stored FROM $S_anon, $S_authenticated;
                CREATE FUNCTION bad_path() RETURNS int LANGUAGE sql AS 'SELECT 1';
                CREATE FUNCTION good_path() RETURNS int LANGUAGE sql SET search_path = '' AS 'SELECT 1';
                CREATE FUNCTION bad_definer() RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path = '' AS 'SELECT 1';
                CREATE FUNCTION good_definer() RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path = '' AS 'SELECT 1';
                REVOKE ALL ON FUNCTION good_definer() FROM PUBLIC, $S_anon, $S_authenticated;
                CREATE FUNCTION good_trigger() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ''
                    AS 'BEGIN RETURN new; END';
                CREATE TABLE bad_rules (id int PRIMARY KEY, owner uuid);
                ALTER TABLE bad_rules ENABLE ROW LEVEL SECURITY;
                CREATE POLICY anyone ON bad_rules FOR UPDATE TO $S_anon USING (true);
                CREATE POLICY meta ON bad_rules FOR DELETE TO $S_authenticated
                    USING (((svc_auth.jwt() -> 'user_metadata') ->> 'admin') = 'yes');
                CREATE POLICY slow ON bad_rules FOR SELECT TO $S_authenticated USING (svc_auth.uid() = owner);
                CREATE POLICY twice ON bad_rules FOR SELECT TO $S_authenticated USING (id = 1);
                CREATE TABLE good_rules (id int PRIMARY KEY, owner uuid);
                ALTER TABLE good_rules ENABLE ROW LEVEL SECURITY;
                CREATE POLICY open ON good_rules FOR SELECT USING (true);
                CREATE POLICY fast ON good_rules FOR UPDATE TO $S_authenticated USING ((SELECT svc_auth.uid()) = owner);
                CREATE POLICY mine ON good_rules FOR DELETE TO $S_authenticated
                    USING (((SELECT svc_auth.jwt()) -> 'app_metadata' ->> 'admin') = 'yes');
                CREATE TABLE bad_reg (id int PRIMARY KEY, f regproc);
                CREATE TABLE good_reg (id int PRIMARY KEY, f regclass);
                CREATE TABLE bad_keyless (id int);
                CREATE TABLE bad_reference (id int PRIMARY KEY, target int REFERENCES good_closed);
                CREATE TABLE good_reference (id int PRIMARY KEY, target int REFERENCES good_closed, x int);
                CREATE INDEX ON good_reference (target, x);
                CREATE TABLE bad_double (id int PRIMARY KEY, x int);
                CREATE INDEX one ON bad_double (x) WHERE x > 1;
                CREATE INDEX two ON bad_double (x) WHERE x > 1;
                CREATE TABLE good_double (id int PRIMARY KEY, x int);
                CREATE INDEX ON good_double (x);
                CREATE INDEX ON good_double (x DESC);
                CREATE TABLE good_used (id int PRIMARY KEY, x int);
                CREATE INDEX good_used_x ON good_used (x);
                SET enable_seqscan = off;
                SELECT * FROM good_used WHERE x = 1;
                """.replace("$S", schema));
        NEIGHBOUR.run("CREATE TABLE neighbours_secret (password text);"
                + "CREATE FUNCTION neighbours_function() RETURNS int LANGUAGE sql AS 'SELECT 1'");
        var advisors = new Advisors(PROJECT.introspection());
        security = advisors.security(PROJECT.tenant());
        performance = advisors.performance(PROJECT.tenant());
    }

    @AfterAll
    static void close() {
        PROJECT.close();
        NEIGHBOUR.close();
    }

    private static List<Lint> all() {
        return Stream.concat(security.stream(), performance.stream()).toList();
    }

    private static Set<String> found(LintRule rule) {
        return all().stream()
                .filter(lint -> lint.name().equals(rule.wire()))
                .map(lint -> lint.metadata().get("name").toString())
                .collect(Collectors.toSet());
    }

    /** Objects of a kind that are like what a rule finds, and are as they should be. */
    private static Set<String> fine(LintRule rule) {
        return switch (rule) {
            case RLS_DISABLED_IN_PUBLIC, SENSITIVE_COLUMNS_EXPOSED, POLICY_EXISTS_RLS_DISABLED, RLS_ENABLED_NO_POLICY ->
                Set.of("good_closed");
            case UNUSED_INDEX -> Set.of("good_used");
            case NO_PRIMARY_KEY, UNINDEXED_FOREIGN_KEYS -> Set.of("good_reference");
            default ->
                Set.of(
                        "good_closed",
                        "good_view",
                        "good_users",
                        "good_stored",
                        "good_definer",
                        "good_trigger",
                        "good_rules",
                        "good_reg",
                        "good_double",
                        "good_path");
        };
    }

    @ParameterizedTest
    @EnumSource
    void findsWhatIsBadAndNotWhatIsGood(LintRule rule) {
        if (ELSEWHERE.contains(rule)) {
            assertThat(found(rule)).isEmpty();
            return;
        }
        assertThat(found(rule)).as(rule.wire()).anyMatch(name -> name.startsWith("bad_"));
        assertThat(found(rule)).as(rule.wire()).doesNotContainAnyElementsOf(fine(rule));
    }

    @Test
    void eachAdvisorHasTheRulesOfItsCategory() {
        assertThat(security).allMatch(lint -> lint.categories().equals(List.of("SECURITY")));
        assertThat(performance).allMatch(lint -> lint.categories().equals(List.of("PERFORMANCE")));
        assertThat(security.getFirst().level()).isEqualTo("ERROR");
    }

    @Test
    void aFindingHasItsOwnKeyAndSaysWhatToDo() {
        assertThat(all()).extracting(Lint::cacheKey).doesNotHaveDuplicates();
        assertThat(all()).allSatisfy(lint -> {
            assertThat(lint.remediation()).isNotBlank();
            assertThat(lint.metadata()).containsKeys("schema", "name", "type");
        });
        Lint open = all().stream()
                .filter(lint -> lint.cacheKey().equals("rls_disabled_in_public_public_bad_open"))
                .findFirst()
                .orElseThrow();
        assertThat(open.detail()).contains("public.bad_open");
        assertThat(open.metadata()).containsEntry("schema", "public").containsEntry("type", "table");
    }

    @Test
    void nothingOfANeighbourAndNoNameOfTheDatabase() {
        assertThat(all().toString()).doesNotContain("neighbours").doesNotContain("proj_");
    }

    /** Owners write expressions of any length. */
    @Test
    void aLongExpressionIsReadOnce() {
        assertThat(PerformanceLints.callsForEachRow("( SELECT " + "a + ".repeat(50_000) + "auth.uid())"))
                .isFalse();
        assertThat(PerformanceLints.callsForEachRow("( SELECT (".repeat(50_000) + "auth.uid()"))
                .isTrue();
    }

    @Test
    void aFunctionInASubselectOverATableIsStillEvaluatedForEachRow() {
        assertThat(PerformanceLints.callsForEachRow("(( SELECT auth.uid() AS uid) = owner)"))
                .isFalse();
        assertThat(PerformanceLints.callsForEachRow("((( SELECT auth.jwt() AS jwt) ->> 'a'::text) = b)"))
                .isFalse();
        assertThat(PerformanceLints.callsForEachRow("(( SELECT (auth.jwt() ->> 'a'::text)) = b)"))
                .isFalse();
        assertThat(PerformanceLints.callsForEachRow("(auth.uid() = owner)")).isTrue();
        assertThat(PerformanceLints.callsForEachRow(
                        "(EXISTS ( SELECT 1 FROM members m WHERE (m.user_id = auth.uid())))"))
                .isTrue();
        assertThat(PerformanceLints.callsForEachRow("(current_setting('a'::text, true) = b)"))
                .isTrue();
    }
}
