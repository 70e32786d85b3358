package svc.database.shared.statements;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** Policies on the companions' tables through the platform's functions, by tenants with and without good will. */
class PolicyStatementTest {
    private static final Tenant NEIGHBOUR = HardenedServer.B;

    private Tenant tenant;
    private Connection owner;
    private List<String> before;

    @BeforeEach
    void logIn() throws Exception {
        tenant = HardenedServer.newTenant();
        owner = tenant.owner();
        before = others();
    }

    @AfterEach
    void whatIsNotTheTenantsIsUntouched() throws Exception {
        owner.close();
        assertThat(others()).isEqualTo(before);
    }

    /** Roles, and all policies, functions and relations outside of the tenant's own schemas, with their privileges. */
    private List<String> others() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            return Sql.column(superuser, tenant.fill("""
                    SELECT a::text FROM pg_authid a
                    UNION ALL SELECT m::text FROM pg_auth_members m
                    UNION ALL SELECT concat_ws(' ', p.polrelid::regclass, p.polname, p.polroles,
                        pg_get_expr(p.polqual, p.polrelid)) FROM pg_policy p
                        WHERE p.polrelid::regclass::text !~ '^$S'
                    UNION ALL SELECT concat_ws(' ', c.oid::regclass, c.relowner, c.relacl) FROM pg_class c
                        WHERE c.oid::regclass::text !~ '^$S' AND c.relkind IN ('r', 'v') AND c.relname NOT LIKE 'pg_toast%'
                    UNION ALL SELECT concat_ws(' ', c.oid::regclass, c.relowner, c.relacl, c.relrowsecurity) FROM pg_class c
                        WHERE c.oid::regclass::text ~ '^$S_' AND c.relkind = 'r'
                    UNION ALL SELECT concat_ws(' ', p.oid::regprocedure, p.proowner, p.proacl) FROM pg_proc p
                        WHERE p.oid::regprocedure::text !~ '^$S'
                    ORDER BY 1"""));
        }
    }

    private String write(String verb, String relation, String name, String roles, String using, String check) {
        return Sql.state(
                owner,
                tenant.fill("CALL svc_statements.write_policy('" + verb + "', '" + relation + "', '" + name
                        + "', NULL, NULL, " + roles + ", " + text(using) + ", " + text(check) + ")"));
    }

    private String using(String condition) {
        return write("CREATE", "objects", "p", "NULL", condition, null);
    }

    private static String text(String text) {
        return text == null ? "NULL" : "$condition$" + text + "$condition$";
    }

    private List<String> policies() throws Exception {
        return Sql.column(
                owner,
                "SELECT concat_ws(' ', policyname, cmd, roles, qual, with_check) FROM pg_policies"
                        + " WHERE schemaname LIKE '%\\_storage' ORDER BY 1");
    }

    @Test
    void aPolicyDecidesWhoSeesWhatAndCanBeAlteredRenamedAndDropped() throws Exception {
        Sql.run(owner, tenant.fill("CREATE TABLE $S.allowed (bucket text); INSERT INTO $S.allowed VALUES ('b1')"));
        try (Connection system = tenant.login("system")) {
            Sql.run(
                    system,
                    tenant.fill("INSERT INTO $S_storage.objects (bucket_id, name) VALUES ('b1', 'x'), ('b2', 'y')"));
        }
        assertThat(write(
                        "CREATE",
                        "objects",
                        "own \"x\"",
                        "'{$S_anon,$S_authenticated}'",
                        tenant.fill("EXISTS (SELECT 1 FROM allowed a WHERE a.bucket = objects.bucket_id) -- why"),
                        null))
                .isEqualTo("00000");
        try (Connection api = tenant.login("api")) {
            Sql.run(api, tenant.fill("SET ROLE $S_anon"));
            assertThat(Sql.column(api, tenant.fill("SELECT name FROM $S_storage.objects")))
                    .containsExactly("x");
        }
        assertThat(Sql.state(owner, "CALL svc_statements.rename_policy('objects', 'own \"x\"', 'mine')"))
                .isEqualTo("00000");
        assertThat(write("ALTER", "objects", "mine", "'{public}'", tenant.fill("$S_storage.objects.name = 'y'"), null))
                .isEqualTo("00000");
        assertThat(policies()).containsExactly("mine ALL {public} (name = 'y'::text)");
        assertThat(Sql.state(owner, "CALL svc_statements.comment_on('policy', 'objects', 'mine', 'it''s')"))
                .isEqualTo("00000");
        assertThat(Sql.value(owner, "SELECT obj_description(oid, 'pg_policy') FROM pg_policy WHERE polname = 'mine'"))
                .isEqualTo("it's");
        assertThat(using("true")).isEqualTo("00000");
        assertThat(using("true")).as("a second of the name").isEqualTo("42710");
        for (String policy : List.of("mine", "p")) {
            assertThat(Sql.state(owner, "CALL svc_statements.drop_policy('objects', '" + policy + "', false)"))
                    .isEqualTo("00000");
        }
        assertThat(policies()).isEmpty();
        assertThat(Sql.state(owner, "CALL svc_statements.drop_policy('objects', 'mine', true)"))
                .isEqualTo("00000");
        assertThat(Sql.state(owner, "CALL svc_statements.drop_policy('objects', 'mine', false)"))
                .isEqualTo("42704");
        assertThat(Sql.column(owner, tenant.fill("SELECT relname FROM pg_class WHERE relname LIKE 'svc\\_%'")))
                .as("what the reading of the conditions leaves behind")
                .isEmpty();
    }

    @Test
    void commandKindRolesAndCheckArrive() throws Exception {
        Sql.run(
                owner,
                tenant.fill("CALL svc_statements.write_policy('CREATE', 'objects', 'w', 'RESTRICTIVE', 'INSERT',"
                        + " '{$S_authenticated}', NULL, 'bucket_id = ''a'' AND (SELECT true)')"));
        assertThat(Sql.value(
                        owner,
                        "SELECT permissive || ' ' || cmd || ' ' || with_check FROM pg_policies"
                                + " WHERE policyname = 'w'"))
                .isEqualTo("RESTRICTIVE INSERT ((bucket_id = 'a'::text) AND ( SELECT true))");
        assertThat(using("CASE WHEN name = 'a' THEN true ELSE name LIKE 'b%' END"))
                .isEqualTo("00000");
        Sql.run(
                owner,
                "CALL svc_statements.write_policy('CREATE', 'messages', 'm', NULL, NULL, NULL, 'topic = ''a''', NULL)");
        Sql.run(owner, "CALL svc_statements.write_policy('CREATE', 'buckets', 'b', NULL, NULL, NULL, 'true', 'false')");
    }

    static final String[] NOT_ONE_EXPRESSION = {
        "true); CREATE ROLE svc_intruder SUPERUSER; --",
        "true); ALTER ROLE $S_owner SUPERUSER; SELECT (true",
        "true) TO $N_anon USING (true",
        "true) WITH CHECK (true",
        "true) WITH CHECK (true); DROP TABLE $N.secrets; --",
        "true /*",
        "'",
        "$$",
        "\"",
        "true) UNION SELECT FROM $S_storage.objects WHERE (true",
        "true) GROUP BY (name",
        "true) ORDER BY (name",
        "true) FOR UPDATE OF objects; --",
        "",
        "true, true",
        "count(*) > 0",
        "name",
        "nowhere = 1",
        "EXISTS (SELECT FROM $N.secrets)",
        "$N.secret_function()",
        "E'\\'); CREATE ROLE svc_intruder SUPERUSER; --' = ''); --",
    };

    @ParameterizedTest
    @FieldSource("NOT_ONE_EXPRESSION")
    void whatIsNotOneConditionMakesNoPolicy(String condition) throws Exception {
        for (String strings : List.of("on", "off")) {
            Sql.run(owner, "SET standard_conforming_strings = " + strings);
            using(tenant.fill(condition).replace("$N", NEIGHBOUR.schema()));
            write("CREATE", "objects", "q", "NULL", null, tenant.fill(condition).replace("$N", NEIGHBOUR.schema()));
        }
        Sql.run(owner, "SET standard_conforming_strings = on");
        for (String policy : policies()) {
            assertThat(policy)
                    .as("a condition that the tenant's view could hold")
                    .matches("(p|q) ALL \\{public\\}.*");
        }
        assertThat(policies().size()).isLessThanOrEqualTo(1);
    }

    /** Views of the tenant's own making in the place of ours: the server writes them, so they stay one condition or none. */
    static final String[] VIEWS = {
        "SELECT 1 AS a",
        "SELECT FROM $S_storage.objects WHERE true UNION SELECT FROM $S_storage.objects WHERE false",
        "SELECT FROM $S_storage.objects WHERE name = '; DROP TABLE $N.secrets; --' GROUP BY name HAVING true",
        "SELECT FROM $S_storage.objects WHERE name = ');' ORDER BY name LIMIT 1",
        "SELECT FROM $S_storage.objects WHERE true FOR UPDATE",
        "SELECT name FROM $S_storage.objects WHERE true",
        "SELECT FROM $S_storage.objects x WHERE true",
        "SELECT FROM $S_storage.objects, $S_storage.buckets WHERE true",
        "WITH w AS (SELECT 1) SELECT FROM $S_storage.objects WHERE EXISTS (SELECT FROM w)",
    };

    @ParameterizedTest
    @FieldSource("VIEWS")
    void aViewThatIsNoConditionMakesNoPolicy(String view) throws Exception {
        Sql.run(owner, tenant.fill("CREATE VIEW $S.svc_policy_using AS " + view).replace("$N", NEIGHBOUR.schema()));
        assertThat(Sql.state(
                        owner,
                        "SELECT svc_statements.apply_policy('CREATE', 'objects', 'p', NULL, NULL, NULL, true, false)"))
                .isEqualTo("42601");
        assertThat(policies()).isEmpty();
    }

    static final String[] CODE_IN_CONSTANTS = {
        "'(x)'::$S.pair IS NULL",
        "'{x}'::$S.careful[] IS NULL",
        "'{\"(x)\"}'::$S.pair[] IS NULL",
        "$S.takes('(x)')",
        "EXISTS (SELECT 1 FROM $S.t WHERE $S.takes('(x)'))",
        "'(x)'::$S.t IS NULL",
        "'[x,y]'::$S.span IS NULL",
        "CASE WHEN true THEN true ELSE '(x)'::$S.pair IS NULL END",
        "(SELECT a IS NULL FROM JSON_TABLE('[1]'::jsonb, '$[*]' COLUMNS (a $S.pair PATH '$' DEFAULT '(x)' ON EMPTY)) j)",
    };

    @ParameterizedTest
    @FieldSource("CODE_IN_CONSTANTS")
    void noCodeOfTheTenantRunsWithTheRightsOfThePlatform(String condition) throws Exception {
        Sql.run(owner, tenant.fill("""
                CREATE TABLE $S.trace (who text);
                CREATE FUNCTION $S.note() RETURNS boolean LANGUAGE plpgsql AS
                    'BEGIN INSERT INTO $S.trace VALUES (current_user); RETURN true; END';
                CREATE DOMAIN $S.careful AS text CHECK ($S.note());
                CREATE TYPE $S.pair AS (a $S.careful);
                CREATE TYPE $S.span AS RANGE (subtype = $S.careful, subtype_opclass = text_ops);
                CREATE TABLE $S.t (a $S.careful);
                CREATE FUNCTION $S.takes(p $S.pair) RETURNS boolean LANGUAGE sql AS 'SELECT true'"""));
        String state = using(tenant.fill(condition));
        assertThat(Sql.column(owner, tenant.fill("SELECT DISTINCT who FROM $S.trace")))
                .isSubsetOf(tenant.schema() + "_owner");
        assertThat(state).as("types with code are named").isEqualTo("0A000");
        assertThat(policies()).isEmpty();
    }

    @Test
    void enumsAndTypesOfExtensionsMayBeNamed() throws Exception {
        Sql.run(owner, tenant.fill("CREATE TYPE $S.mood AS ENUM ('sad', 'ok')"));
        assertThat(using(tenant.fill("'ok'::$S.mood = ANY ('{ok,sad}'::$S.mood[]) AND 'a'::citext = name"
                        + " AND 'x.y'::extensions.ltree IS NOT NULL")))
                .isEqualTo("00000");
    }

    @Test
    void aTenantsOperatorsAreStoredAndNeverRunByThePlatform() throws Exception {
        Sql.run(owner, tenant.fill("""
                CREATE TABLE $S.trace (who text);
                CREATE FUNCTION $S.eq(text, text) RETURNS boolean LANGUAGE plpgsql AS
                    'BEGIN INSERT INTO $S.trace VALUES (current_user); RETURN true; END';
                CREATE OPERATOR $S.= (leftarg = text, rightarg = text, function = $S.eq);
                CREATE FUNCTION $S.format(text, VARIADIC text[]) RETURNS text LANGUAGE sql AS $f$ SELECT 'SELECT 1' $f$;
                SET search_path = $S, pg_catalog"""));
        assertThat(using("name = 'x'")).isEqualTo("00000");
        Sql.run(owner, "SET search_path = svc_views, pg_catalog");
        assertThat(policies()).containsExactly(tenant.fill("p ALL {public} (name OPERATOR($S.=) 'x'::text)"));
        assertThat(Sql.column(owner, tenant.fill("SELECT who FROM $S.trace"))).isEmpty();
    }

    static final String[] REFUSED_CALLS = {
        "CALL svc_statements.write_policy('CREATE', 'objects', 'svc_p', NULL, NULL, NULL, 'true', NULL)",
        "CALL svc_statements.write_policy('CREATE', 'objects', NULL, NULL, NULL, NULL, 'true', NULL)",
        "CALL svc_statements.write_policy('CREATE', 'objects', 'p', NULL, NULL, '{$N_anon}', 'true', NULL)",
        "CALL svc_statements.write_policy('CREATE', 'objects', 'p', NULL, NULL, '{svc_companion}', 'true', NULL)",
        "CALL svc_statements.write_policy('CREATE', 'objects', 'p', NULL, NULL, '{NULL}', 'true', NULL)",
        "CALL svc_statements.write_policy('CREATE', 'objects', 'p', NULL, NULL, '{\"public; DROP TABLE x\"}', 'true', NULL)",
        "CALL svc_statements.write_policy('CREATE', 'objects', 'p', 'PERMISSIVE; SELECT 1', NULL, NULL, 'true', NULL)",
        "CALL svc_statements.write_policy('CREATE', 'objects', 'p', NULL, 'ALL TO x', NULL, 'true', NULL)",
        "CALL svc_statements.write_policy('DROP', 'objects', 'p', NULL, NULL, NULL, 'true', NULL)",
        "SELECT svc_statements.apply_policy(NULL, 'objects', 'p', NULL, NULL, NULL, false, false)",
        "SELECT svc_statements.apply_policy('CREATE', 'users', 'p', NULL, NULL, NULL, false, false)",
        "SELECT svc_statements.apply_policy('CREATE', 'secrets', 'p', NULL, NULL, NULL, false, false)",
        "SELECT svc_statements.apply_policy('CREATE', NULL, 'p', NULL, NULL, NULL, false, false)",
        "CALL svc_statements.drop_policy('objects', 'svc_owner', true)",
        "CALL svc_statements.rename_policy('objects', 'svc_owner', 'mine')",
        "CALL svc_statements.comment_on('policy', 'objects', 'svc_owner', 'x')",
        "SELECT svc_guard.policy_condition('using', 'x')",
        "INSERT INTO svc_guard.exempt_command VALUES (1)",
        "CREATE VIEW svc_statements.v AS SELECT 1",
    };

    @ParameterizedTest
    @FieldSource("REFUSED_CALLS")
    void callsBeyondAProjectAreRefused(String call) throws Exception {
        assertThat(Sql.state(owner, tenant.fill(call).replace("$N", NEIGHBOUR.schema())))
                .isEqualTo("42501");
        assertThat(policies()).isEmpty();
    }

    @Test
    void theDataPlaneCanUseNone() throws Exception {
        Sql.run(owner, tenant.fill("""
                CREATE FUNCTION $S.definer(command text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
                AS 'BEGIN EXECUTE command; END'"""));
        for (String level : List.of("api", "service", "system")) {
            try (Connection connection = tenant.login(level)) {
                for (String call : List.of(
                        "CALL svc_statements.write_policy('CREATE', 'objects', 'p', NULL, NULL, NULL, 'true', NULL)",
                        "SELECT svc_statements.apply_policy('CREATE', 'objects', 'p', NULL, NULL, NULL, false, false)",
                        "CALL svc_statements.drop_policy('objects', 'p', true)",
                        "CALL svc_statements.publish('ALL', 'supabase_realtime', NULL)")) {
                    assertThat(Sql.state(connection, call))
                            .as(level + " " + call)
                            .isEqualTo("42501");
                    Sql.state(connection, tenant.fill("SET ROLE $S_anon"));
                    assertThat(Sql.state(connection, tenant.fill("SELECT $S.definer($c$ " + call + "$c$)")))
                            .as(level + " as the owner " + call)
                            .isEqualTo("42501");
                    Sql.state(connection, "RESET ROLE");
                }
            }
        }
    }
}
