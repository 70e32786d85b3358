package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which queries read the catalog alone: a text in the results of others is data. */
class CatalogReadsTest {
    private static Set<Integer> ofCatalog(String script) {
        return ((Verdict.Admitted) SharedGate.gate().judge(script, SharedGate.PROJECT)).ofCatalog();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select nspname::text from pg_namespace",
                "show search_path",
                "select * from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace",
                "select table_schema from information_schema.tables",
                "with own as (select nspname as name from pg_namespace) select name from own",
                "with recursive up as (select oid from pg_class union all select inhparent from pg_inherits, up) select * from up",
                "select (select nspname from pg_namespace limit 1)",
                "select conname from pg_constraint union all select tgname from pg_catalog.pg_trigger order by 1",
                "select k.n from pg_index i, unnest(i.indkey) with ordinality as k (a, n)",
            })
    void readsTheCatalogAlone(String query) {
        assertThat(ofCatalog(query)).as(query).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "select current_schema()",
                "select * from todos",
                "select * from public.todos, pg_catalog.pg_class",
                "select email from auth.users join pg_class on true",
                "with own as (select 1) select * from own",
                "with pg_own as (select * from todos) select * from pg_own, pg_class",
                "select nspname from pg_namespace where exists (select from app.settings)",
                "insert into todos select nspname from pg_namespace",
                "with gone as (delete from todos returning title) select * from gone, pg_class",
                "create table names as select nspname from pg_namespace",
                "explain select nspname from pg_namespace",
            })
    void mayReadRowsOfAnApplication(String statement) {
        assertThat(ofCatalog(statement)).as(statement).isEmpty();
    }

    @Test
    void statementsOfAScriptAreJudgedByThemselves() {
        assertThat(ofCatalog("select 1; select relname from pg_class; select * from todos; table pg_class"))
                .containsExactlyInAnyOrder(2, 4);
    }
}
