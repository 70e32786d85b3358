package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;

/** Transactions of several messages as drivers and ORMs use them, and what of them a client can hold. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ClientTransactionTest extends TestBesideNeighbour {
    private static String value(WireClient wire, String sql) throws IOException {
        List<WireClient.Message> answers = wire.query(sql);
        assertThat(WireClient.error(answers)).isEmpty();
        // The number of values and the length of the first one are six bytes.
        return answers.stream()
                .filter(message -> message.type() == 'D')
                .map(message -> message.text().substring(6))
                .findFirst()
                .orElse("");
    }

    private static void run(WireClient wire, String... statements) throws IOException {
        for (String sql : statements) {
            assertThat(WireClient.error(wire.query(sql))).as(sql).isEmpty();
        }
    }

    private static String status(List<WireClient.Message> answers) {
        return answers.getLast().text();
    }

    private static void refused(WireClient wire, String sql, String sqlState) throws IOException {
        assertThat(WireClient.error(wire.query(sql))).as(sql).contains("C" + sqlState + "|");
    }

    @Test
    void whatComesBehindASavepointIsUndoneAlone() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table t (id int primary key)", "begin", "insert into t values (1)");
            run(wire, "savepoint a", "insert into t values (2)", "savepoint a", "insert into t values (3)");
            run(wire, "rollback to savepoint a", "release savepoint a");
            assertThat(value(wire, "select array_agg(id order by id) from t")).isEqualTo("{1,2}");
            run(wire, "rollback to a", "insert into t values (4)", "commit");
            assertThat(value(wire, "select array_agg(id order by id) from t")).isEqualTo("{1,4}");
        }
    }

    /** Another session, which asks for the project's functions, does not see one that is not committed. */
    @Test
    void aFunctionThatTheTransactionMadeComesBeforeAnExtensions() throws IOException {
        try (WireClient wire = signedIn()) {
            run(
                    wire,
                    "begin",
                    "create function public.similarity(a text, b text) returns real language sql as 'select 42::real'");
            assertThat(value(wire, "select public.similarity('a', 'b')")).isEqualTo("42");
            wire.statement("select public.similarity('a', 'b')");
            assertThat(WireClient.error(wire.sync())).isEmpty();
            run(wire, "rollback");
            assertThat(value(wire, "select public.similarity('a', 'b')")).isEqualTo("0");
        }
    }

    @Test
    void anErrorBehindASavepointLeavesTheTransaction() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table t (id int primary key)", "begin", "insert into t values (1)", "savepoint s");
            List<WireClient.Message> failed = wire.query("insert into t values (1)");
            assertThat(WireClient.error(failed)).contains("C23505|");
            assertThat(status(failed)).isEqualTo("E");
            refused(wire, "select 1", "25P02");
            refused(wire, "savepoint more", "25P02");
            refused(wire, "rollback to missing", "3B001");
            List<WireClient.Message> returned = wire.query("rollback to s");
            assertThat(WireClient.types(returned)).isEqualTo("CZ");
            assertThat(status(returned)).isEqualTo("T");
            // What the gate refuses is an error of the transaction as well.
            refused(wire, "copy t to program 'x'", "0A000");
            refused(wire, "select 1", "25P02");
            run(wire, "rollback to s", "insert into t values (2)", "commit");
            assertThat(value(wire, "select count(*) from t")).isEqualTo("2");
        }
    }

    @Test
    void anErrorWithoutASavepointWaitsForTheEnd() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "begin");
            refused(wire, "select nope", "42703");
            refused(wire, "select 1", "25P02");
            List<WireClient.Message> ended = wire.query("commit");
            assertThat(ended.getFirst().text()).isEqualTo("ROLLBACK|");
            assertThat(status(ended)).isEqualTo("I");
            refused(wire, "savepoint s", "25P01");
        }
    }

    @Test
    void transactionsHaveTheIsolationThatWasAskedFor() throws IOException {
        String level = "select current_setting('transaction_isolation')";
        try (WireClient wire = signedIn()) {
            run(wire, "begin isolation level serializable");
            assertThat(value(wire, level)).isEqualTo("serializable");
            run(wire, "commit", "begin; set transaction isolation level repeatable read, read only");
            assertThat(value(wire, level)).isEqualTo("repeatable read");
            refused(wire, "create table t (id int)", "25006");
            run(wire, "rollback", "set session characteristics as transaction isolation level serializable");
            assertThat(value(wire, level)).isEqualTo("serializable");
            run(wire, "reset all");
            assertThat(value(wire, level)).isEqualTo("read committed");
            run(wire, "begin");
            value(wire, "select 1");
            refused(wire, "set transaction isolation level serializable", "25001");
            run(wire, "rollback");
        }
    }

    @Test
    void twoSerializableTransactionsConflict() throws IOException {
        try (WireClient one = signedIn();
                WireClient other = signedIn()) {
            run(one, "create table t (id int)");
            for (WireClient wire : List.of(one, other)) {
                run(wire, "begin isolation level serializable");
                value(wire, "select count(*) from t");
            }
            run(one, "insert into t values (1)");
            run(other, "insert into t values (2)");
            run(one, "commit");
            refused(other, "commit", "40001");
        }
    }

    @Test
    void aCursorGivesItsRowsInTurn() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "begin", "declare \"My cursor\" no scroll cursor for select generate_series(1, 5)");
            assertThat(WireClient.types(wire.query("fetch forward 2 from \"My cursor\"")))
                    .isEqualTo("TDDCZ");
            assertThat(WireClient.types(wire.query("fetch all from \"My cursor\"")))
                    .isEqualTo("TDDDCZ");
            run(wire, "close \"My cursor\"");
            refused(wire, "fetch 1 from \"My cursor\"", "34000");
            run(wire, "rollback");
        }
    }

    @Test
    void aCursorIsDescribedByItsName() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "begin", "declare named cursor for select 1 as one, 'x' as two");
            wire.sendRaw(WireClient.typed('D', "Pnamed\0".getBytes(StandardCharsets.UTF_8)));
            List<WireClient.Message> described = wire.sync();
            assertThat(WireClient.types(described)).isEqualTo("TZ");
            assertThat(described.getFirst().text()).contains("one|").contains("two|");
            wire.sendRaw(WireClient.typed('D', "Pmissing\0".getBytes(StandardCharsets.UTF_8)));
            assertThat(WireClient.error(wire.sync())).contains("C34000|");
            run(wire, "rollback");
        }
    }

    @Test
    void aCursorWithHoldOutlivesItsTransaction() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "declare \"Held\" no scroll cursor with hold for select generate_series(1, 5)");
            assertThat(WireClient.types(wire.query("fetch forward 2 from \"Held\"")))
                    .isEqualTo("TDDCZ");
            run(wire, "begin", "commit");
            assertThat(WireClient.types(wire.query("fetch all in \"Held\""))).isEqualTo("TDDDCZ");
            assertThat(WireClient.types(wire.query("fetch next from \"Held\""))).isEqualTo("TCZ");
            run(wire, "close \"Held\"");
            refused(wire, "fetch 1 from \"Held\"", "34000");
        }
    }

    @Test
    void aCursorWithHoldIsOfAQueryAndNothingElseRuns() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table t (id int)");
            for (String query : List.of(
                    "insert into t values (1)",
                    "insert into t values (1) returning id",
                    "with x as (select 1) insert into t select 1",
                    "commit",
                    "/* nothing */")) {
                refused(wire, "declare c cursor with hold for " + query, "42601");
            }
            assertThat(value(wire, "select count(*) from t")).isEqualTo("0");
        }
    }

    @Test
    void theRowsOfCursorsWithHoldHaveABound() throws IOException {
        String large = " cursor with hold for select repeat('x', 700000) from generate_series(1, 8)";
        try (WireClient wire = signedIn()) {
            run(wire, "declare first" + large);
            refused(wire, "declare second" + large, "53200");
            run(wire, "close first", "declare second" + large, "close all");
            for (int i = 0; i < 10; i++) {
                run(wire, "declare c" + i + " cursor with hold for select 1");
            }
            refused(wire, "declare one_more cursor with hold for select 1", "53200");
        }
    }

    @Test
    void savepointsHaveABoundAndReturnTheirPlace() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "begin");
            for (int i = 0; i < 50; i++) {
                run(wire, "savepoint s" + i);
            }
            refused(wire, "savepoint one_more", "54000");
            run(wire, "rollback to s3", "savepoint again", "rollback");
        }
    }

    /** Frameworks begin so for a block of code that then asks nothing. */
    @Test
    void aTransactionOfSavepointsAndSettingsAloneCommits() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "begin", "savepoint a", "release savepoint a", "commit");
            run(wire, "begin", "set local timezone to 'Europe/Berlin'", "savepoint a", "rollback to a", "commit");
            assertThat(value(wire, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void noSavepointReturnsHowATextIsRead() throws IOException {
        try (WireClient wire = signedIn()) {
            run(wire, "create table t (id int)", "begin", "savepoint s");
            String off = "do $$ begin execute 'set standard_conforming_strings = off'; end $$";
            assertThat(WireClient.error(wire.query(off))).isNotEmpty();
            // One string for the gate; with the parameter off a second statement begins within it.
            wire.query("rollback to s");
            wire.query("select '\\' || '; insert into t values (1); --'");
            wire.query("commit");
            assertThat(value(wire, "select count(*) from t")).isEqualTo("0");
        }
    }
}
