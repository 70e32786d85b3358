package svc.sqlgate.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.database.name.ProjectNames;
import svc.sqlgate.ScriptGate;
import svc.sqlgate.SharedGate;
import svc.sqlgate.Verdict;

/** Which bound values are names: exactly those in whose place a constant would be one. A place between ‹ and › is, others are not. */
class BoundNamesTest {
    private static final UUID ID = UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100");
    private static final String SCHEMA = "proj_0f0e0d0c0b0a09080706050403020100";
    private static final String NEIGHBOUR = "proj_11111111111111111111111111111111";
    private static final Pattern MARKED = Pattern.compile("‹[$]([0-9]+)›");
    private static final ScriptGate GATE = SharedGate.gate();

    static final String[] STATEMENTS = {
        "SELECT * FROM information_schema.tables WHERE table_schema = ‹$1› AND table_name = $2",
        "SELECT * FROM information_schema.tables WHERE table_schema IN (‹$1›, ‹$2›) AND table_name IN ($3, $4)",
        "SELECT 1 FROM pg_namespace WHERE nspname = ANY (‹$1›) OR nspname = ANY (‹$2›::text[]) OR ‹$3›::name <> nspname",
        "SELECT 1 FROM pg_tables WHERE schemaname = ANY (ARRAY[‹$2›, ‹$1›]) AND tablename = ANY ($3)",
        "SELECT ‹$1›::regclass, CAST(‹$2› AS regnamespace), ‹$3›::text::regtype, $4::text, $5::regclass[]",
        "SELECT to_regclass(‹$1›), has_table_privilege(‹$2›, ‹$3›, $4), pg_total_relation_size(‹$5›), format('%I', $6)",
        "SELECT 1 FROM pg_namespace n, t WHERE n.nspname ~ ‹$1› AND t.title ~ $2",
        "SELECT 1 FROM pg_roles WHERE rolname = ‹$1› OR rolname LIKE ‹$2› OR oid = $3",
        "SELECT 1 FROM pg_policies WHERE ‹$1› = ANY (roles) AND (schemaname, policyname) = (‹$2›, $3)",
        "SELECT CASE nspname WHEN ‹$1› THEN $2 ELSE $3 END FROM pg_namespace LIMIT $4",
        "WITH t AS (SELECT nc.nspname AS schema FROM pg_namespace nc) SELECT *, $2 FROM t WHERE schema IN (‹$1›) AND $3 = $4",
        "INSERT INTO t (title) SELECT $2 FROM pg_namespace WHERE nspname = ‹$1›",
        "UPDATE t SET schemaname = $1 WHERE schemaname = $2 AND table_schema = ANY ($3)",
        "DELETE FROM t USING pg_namespace n WHERE n.nspname = ‹$1› AND t.nspname = $2",
        "SELECT auth.role() = $1, current_setting('role') = $2, f($3), $4 || '.t'",
        "EXPLAIN SELECT 1 FROM pg_namespace WHERE nspname = ‹$1›",
        "WITH x AS (UPDATE t SET a = 1 WHERE roles = $1 RETURNING *) SELECT 1 FROM x, pg_policies p WHERE p.roles = ‹$2›",
        "WITH x AS (DELETE FROM t WHERE rolname = $1 RETURNING *) SELECT 1 FROM x, pg_roles r WHERE r.rolname = ‹$2›",
        "INSERT INTO t VALUES ($1) ON CONFLICT (title) DO UPDATE SET title = $2 WHERE t.table_schema = $3",
        "UPDATE t SET title = $1 FROM pg_class WHERE table_schema = $2 AND roles = $3",
        "SELECT 1 FROM t, information_schema.tables i WHERE table_schema = $1 AND i.table_schema = ‹$2›",
        "SELECT 1 FROM pg_backups WHERE schemaname = $1",
        "SELECT 1 FROM (SELECT title AS schemaname FROM t, pg_class) q WHERE schemaname = $1",
        // In several places: a name in all of them, or data.
        "SELECT 1 FROM pg_namespace WHERE nspname = ‹$1› OR ‹$1› IS NULL OR nspname <> ‹$1›::text",
        "SELECT 1 FROM pg_namespace n, t WHERE n.nspname = $1 AND t.title = $1",
        "SELECT $1::text AS asked FROM pg_namespace WHERE nspname = $1",
        "SELECT 1 FROM pg_namespace WHERE coalesce($1, nspname) = nspname",
        "SELECT 1 FROM information_schema.tables WHERE (table_schema, ‹$1›) IN ((‹$1›, table_schema), ('x', table_schema))",
        "SELECT 1 FROM pg_namespace n WHERE NOT (nspname = ‹$1›) AND EXISTS (SELECT FROM t WHERE t.a = $2 AND n.nspname = ‹$1›)",
    };

    @ParameterizedTest
    @FieldSource("STATEMENTS")
    void areFoundInTheTree(String marked) {
        Set<Integer> expected = MARKED.matcher(marked)
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .collect(Collectors.toSet());
        assertThat(bound(MARKED.matcher(marked).replaceAll(Matcher.quoteReplacement("$") + "$1"))
                        .places())
                .isEqualTo(expected);
    }

    private static BoundNames bound(String sql) {
        Verdict verdict = GATE.judge(sql, ProjectNames.shared(ID));
        assertThat(verdict).as(sql).isInstanceOf(Verdict.Admitted.class);
        return ((Verdict.Admitted) verdict).bound();
    }

    @Test
    void areReplacedAsConstantsAre() {
        BoundNames patterns = bound("SELECT 1 FROM pg_namespace WHERE nspname ~ $1");
        assertThat(patterns.toProject(1, "^(public)$")).isEqualTo("^(" + SCHEMA + ")$");
        assertThat(patterns.toProject(1, "public")).isEqualTo("public");
        BoundNames schemas = bound("SELECT 1 FROM pg_namespace WHERE nspname = ANY ($1)");
        assertThat(schemas.toProject(1, "public")).isEqualTo(SCHEMA);
        assertThat(schemas.toProject(1, "{\"public\",\"auth\",pg_catalog, private}"))
                .isEqualTo("{" + SCHEMA + "," + SCHEMA + "_auth,pg_catalog, " + SCHEMA + "__private}");
        BoundNames roles = bound("SELECT 1 FROM pg_roles WHERE rolname = $1");
        assertThat(roles.toProject(1, "anon")).isEqualTo(SCHEMA + "_anon");
        assertThat(roles.toProject(1, "public")).isEqualTo("public");
        BoundNames relation = bound("SELECT $1::regclass");
        assertThat(relation.toProject(1, "public.\"T\"")).isEqualTo(SCHEMA + ".\"T\"");
        assertThat(relation.toProject(1, "\"public\".t")).isEqualTo("\"" + SCHEMA + "\".t");
        assertThat(relation.toProject(1, "public")).isEqualTo("public");
    }

    @Test
    void otherValuesStayAsTheyCame() {
        BoundNames schemas =
                bound("SELECT $2 FROM pg_namespace WHERE nspname = $1 OR nspname = $1::regnamespace::text");
        for (String value : new String[] {
            NEIGHBOUR,
            NEIGHBOUR + "__private",
            "svc_views",
            "Public",
            " public",
            "public ",
            "pg_catalog",
            "{\"" + NEIGHBOUR + "\"}",
            "{\"public",
            "{public\\",
            "pub\u0000lic",
            "public'; SET ROLE x; --",
            "",
            "{",
            "p".repeat(70_000)
        }) {
            assertThat(schemas.toProject(1, value)).isEqualTo(value);
        }
        assertThat(schemas.toProject(2, "public")).isEqualTo("public");
        assertThat(schemas.toProject(3, "public")).isEqualTo("public");
    }

    /** The same place read as a schema, which {@code "public"} with quotes is not, and as an identifier, which it is. */
    @Test
    void aValueThatIsReadInTwoWaysIsReplacedWhereTheyAgree() {
        BoundNames both = bound("SELECT 1 FROM pg_namespace WHERE nspname = $1 AND oid <> to_regnamespace($1)");
        assertThat(both.toProject(1, "public")).isEqualTo(SCHEMA);
        assertThat(both.toProject(1, "\"public\"")).isEqualTo("\"public\"");
        assertThat(both.toProject(1, "PUBLIC")).isEqualTo("PUBLIC");
    }

    @Test
    void severalStatementsAndBodiesHaveNone() {
        assertThat(bound("SELECT 1 FROM pg_namespace WHERE nspname = $1; SELECT 2")
                        .places())
                .isEmpty();
        assertThat(bound("CREATE FUNCTION f(text) RETURNS bigint LANGUAGE sql"
                                + " AS 'SELECT count(*) FROM pg_namespace WHERE nspname = $1'")
                        .places())
                .isEmpty();
    }

    @Test
    void anAdoptedDatabaseHasItsOwnNames() {
        var admitted = (Verdict.Admitted)
                GATE.judgeAdopted("SELECT 1 FROM pg_namespace WHERE nspname = $1", ProjectNames.shared(ID));
        assertThat(admitted.bound().toProject(1, "public")).isEqualTo("public");
        var dedicated = (Verdict.Admitted)
                GATE.judge("SELECT 1 FROM pg_namespace WHERE nspname = $1", ProjectNames.dedicated(ID));
        assertThat(dedicated.bound().toProject(1, "public")).isEqualTo(SCHEMA);
        assertThat(dedicated.bound().toProject(1, "auth")).isEqualTo("auth");
    }

    /** Names in queries of thousands of columns are looked for up to a bound; behind it they stay. */
    @Test
    void lookingForNamesIsBounded() {
        String columns = IntStream.range(0, 9_000).mapToObj(i -> "1 AS c" + i).collect(Collectors.joining(","));
        String wide = "SELECT 1 FROM (SELECT " + columns + ", nspname AS schema FROM pg_namespace) q WHERE schema = $1";
        assertThat(bound(wide).places()).containsExactly(1);
        assertThat(bound(wide + " OR schema = 'x'".repeat(20) + " OR schema = $2")
                        .places())
                .hasSize(1);
    }
}
