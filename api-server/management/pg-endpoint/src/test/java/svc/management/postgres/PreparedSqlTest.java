package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;

/** PREPARE, EXECUTE and DEALLOCATE in SQL. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class PreparedSqlTest extends TestBesideNeighbour {
    private static void run(WireClient wire, String... statements) throws IOException {
        for (String sql : statements) {
            assertThat(WireClient.error(wire.query(sql))).as(sql).isEmpty();
        }
    }

    /** The first values of the rows. */
    private static String values(List<WireClient.Message> answers) {
        assertThat(WireClient.error(answers)).isEmpty();
        return answers.stream()
                .filter(message -> message.type() == 'D')
                .map(message -> message.text().substring(6))
                .collect(Collectors.joining(","));
    }

    @Test
    void aStatementIsPreparedOnceAndExecutedOften() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table public.t (id int primary key, note text)");
            List<WireClient.Message> prepared =
                    wire.query("-- twice\nPREPARE \"Put\" (int, text) AS INSERT INTO public.t VALUES ($1, $2) -- here");
            assertThat(prepared.getFirst().text()).isEqualTo("PREPARE|");
            List<WireClient.Message> executed = wire.query("execute \"Put\" (1 + 1, 'a;b')");
            assertThat(WireClient.types(executed)).isEqualTo("CZ");
            assertThat(executed.getFirst().text()).isEqualTo("INSERT 0 1|");
            run(wire, "execute \"Put\"(3, upper('x'))", "prepare get as select note from t order by id");
            assertThat(values(wire.query("execute get"))).isEqualTo("a;b,X");
            // What a statement of SQL has prepared, a message of the protocol runs, and the other way round.
            wire.send(out -> out.bindAndExecute("get", List.of()));
            assertThat(values(wire.sync())).isEqualTo("a;b,X");
            wire.send(out -> out.parse("sum", "select $1::int + $2::int"));
            wire.sync();
            assertThat(values(wire.query("execute sum(1, 2)"))).isEqualTo("3");
            wire.statement("execute get");
            assertThat(WireClient.types(wire.sync())).isEqualTo("12TDDCZ");
            run(wire, "deallocate get", "deallocate prepare \"Put\"");
            assertThat(WireClient.error(wire.query("execute get"))).contains("C26000|");
            run(wire, "prepare one as select 1", "discard all", "prepare one as select 2");
            assertThat(values(wire.query("execute one"))).isEqualTo("2");
        }
    }

    /** Parse keeps any text; what it means is asked later, and the answer must have an end. */
    @Test
    void aStatementThatExecutesItselfOrAnotherIsRefused() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.send(out -> out.parse("a", "EXECUTE a"));
            wire.send(out -> out.parse("b", "execute c"));
            wire.send(out -> out.parse("c", "/* c */ execute b"));
            wire.sync();
            for (String name : List.of("a", "b", "c")) {
                wire.statement("execute " + name);
                assertThat(WireClient.error(wire.sync())).contains("prepares or executes another");
                assertThat(WireClient.error(wire.query("execute " + name))).contains("prepares or executes another");
            }
            assertThat(values(wire.query("select 1"))).isEqualTo("1");
        }
    }

    @Test
    void errorsAreThoseOfPostgres() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table t (id int primary key)", "prepare put(int) as insert into t values ($1)");
            assertThat(WireClient.error(wire.query("prepare put as select 1"))).contains("C42P05|");
            assertThat(WireClient.error(wire.query("prepare bad as select nope from t")))
                    .contains("C42703|");
            assertThat(WireClient.error(wire.query("execute bad"))).contains("C26000|");
            assertThat(WireClient.error(wire.query("execute put(1, 2)"))).contains("C42601|");
            assertThat(WireClient.error(wire.query("execute put('x')"))).contains("C22P02|");
            run(wire, "begin", "execute put(1)", "savepoint s");
            assertThat(WireClient.error(wire.query("execute put(1)"))).contains("C23505|");
            assertThat(WireClient.error(wire.query("execute put(2)"))).contains("C25P02|");
            run(wire, "rollback to s", "execute put(2)", "commit");
            assertThat(values(wire.query("select id from t order by 1"))).isEqualTo("1,2");
            run(wire, "drop table t");
            assertThat(WireClient.error(wire.query("execute put(3)"))).contains("C42P01|");
            // Judged as what the names mean now.
            run(wire, "create table t (id text)");
            run(wire, "execute put(3)");
        }
    }

    @Test
    void nothingIsPreparedThatMayNotRun() throws IOException {
        try (WireClient wire = signedIn()) {
            for (String refused : List.of(
                    "prepare p as select pg_read_file('/etc/passwd')",
                    "prepare p as delete from pg_catalog.pg_class",
                    "prepare p as insert into storage.objects (name) values ('x')",
                    "prepare p as select * from proj_00000000000000000000000000000001.t",
                    "prepare p (proj_00000000000000000000000000000001.t) as select 1",
                    "prepare p as copy t from '/etc/passwd'",
                    "prepare p as create role x",
                    "prepare transaction 'x'",
                    "prepare p as select 1; select 2",
                    "do $$ begin prepare p as select 1; end $$",
                    "explain analyze execute p")) {
                assertThat(WireClient.types(wire.query(refused))).as(refused).isEqualTo("EZ");
            }
            run(wire, "prepare p(text) as select $1");
            for (String refused : List.of(
                    "execute p(pg_read_file('/etc/passwd'))",
                    "execute p('x'); select 1",
                    "execute p('x' /* )",
                    "execute p((select 1 from svc_platform.project))")) {
                assertThat(WireClient.types(wire.query(refused))).as(refused).isEqualTo("EZ");
            }
            // Another session has nothing of it.
            try (WireClient other = signedIn()) {
                assertThat(WireClient.error(other.query("execute p('x')"))).contains("C26000|");
            }
        }
    }

    @Test
    void aSessionPreparesFewStatements() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.send(out -> {
                for (int i = 0; i < 200; i++) {
                    out.parse("s" + i, "select " + i);
                }
            });
            wire.sync();
            assertThat(WireClient.error(wire.query("prepare more as select 1"))).contains("C53000|");
            run(wire, "deallocate all", "prepare more as select 1");
        }
    }
}
