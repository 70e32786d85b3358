package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.server.testing.TestingPlatform;

/** What drivers and ORMs set of their session holds for the statements that follow, and says nothing of a neighbour's. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ClientSettingsTest extends TestBesideNeighbour {
    private static String value(WireClient wire, String sql) throws IOException {
        List<WireClient.Message> answers = wire.query(sql);
        assertThat(WireClient.error(answers)).as(sql).isEmpty();
        return answers.stream()
                .filter(message -> message.type() == 'D')
                .map(message -> message.text().substring(6))
                .findFirst()
                .orElse("");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SET TIME ZONE 'Europe/Berlin'; TimeZone; Europe/Berlin",
                "SELECT set_config('TimeZone', 'Asia/Tokyo', false); TimeZone; Asia/Tokyo",
                "SET DateStyle TO ISO, DMY; DateStyle; ISO, DMY",
                "SET intervalstyle = iso_8601; IntervalStyle; iso_8601",
                "SET statement_timeout = '5s'; statement_timeout; 5s",
                "SET lock_timeout TO 1000; lock_timeout; 1s",
                "SET plan_cache_mode = force_generic_plan; plan_cache_mode; force_generic_plan",
                "SET extra_float_digits = 0; extra_float_digits; 0",
                "SET enable_seqscan TO off; enable_seqscan; off",
                "SET app.tenant = 'seven'; app.tenant; seven",
            })
    void aSettingHoldsForTheStatementsThatFollow(String set, String name, String expected) throws IOException {
        try (WireClient wire = signedIn();
                WireClient other = signedIn()) {
            value(wire, set);
            assertThat(value(wire, "select current_setting('" + name + "')")).isEqualTo(expected);
            assertThat(value(wire, "show " + name)).isEqualTo(expected);
            value(wire, "begin");
            assertThat(value(wire, "show " + name)).isEqualTo(expected);
            value(wire, "rollback");
            assertThat(value(other, "select coalesce(current_setting('" + name + "', true), '')"))
                    .isNotEqualTo(expected);
            value(wire, "discard all");
            assertThat(value(wire, "select coalesce(current_setting('" + name + "', true), '')"))
                    .isNotEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SET NAMES 'UTF8'",
                "SET client_encoding TO 'utf-8'",
                "SET search_path TO public",
                "SET search_path = \"$user\", public, extensions",
                "SELECT pg_catalog.set_config('search_path', '', false)",
                "SET ROLE postgres",
                "SET ROLE NONE",
                "SET SESSION AUTHORIZATION DEFAULT",
                "SET statement_timeout = 0",
                "SET idle_in_transaction_session_timeout = 0",
                "SET row_security = off",
                "RESET ALL",
                "SET default_transaction_isolation = 'read committed'",
            })
    void whatIsInForceIsAccepted(String sql) throws IOException {
        try (WireClient wire = signedIn()) {
            value(wire, sql);
            assertThat(value(wire, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void theOwnRoleIsTakenByItsNames() throws IOException {
        try (WireClient wire = signedIn()) {
            value(wire, "set role '" + value(wire, "select current_user") + "'");
            String user = value(wire, "select current_user::text");
            value(wire, "set role '" + user + "'");
            assertThat(WireClient.error(wire.query("set role anon"))).contains("C0A000|");
            assertThat(WireClient.error(wire.query("set role svc_operator"))).contains("C0A000|");
        }
    }

    @Test
    void aResetOfAPoolIsOneText() throws IOException {
        try (WireClient wire = signedIn()) {
            value(wire, "set time zone 'Asia/Tokyo'");
            List<WireClient.Message> answers =
                    wire.query("SELECT pg_advisory_unlock_all();\nCLOSE ALL;\nUNLISTEN *;\nRESET ALL;");
            assertThat(WireClient.types(answers)).isEqualTo("TDCCCCSZ");
            assertThat(value(wire, "show timezone")).isEqualTo("UTC");
        }
    }

    @Test
    void theClientLearnsOfWhatItHasSet() throws IOException {
        try (WireClient wire = signedIn()) {
            List<WireClient.Message> answers = wire.query("set time zone 'Europe/Berlin'");
            assertThat(WireClient.types(answers)).isEqualTo("CSZ");
            assertThat(answers.get(1).text()).isEqualTo("TimeZone|Europe/Berlin|");
            assertThat(value(wire, "select '2026-01-01 00:00:00Z'::timestamptz"))
                    .isEqualTo("2026-01-01 01:00:00+01");
            value(wire, "begin");
            assertThat(wire.query("set local time zone 'Asia/Tokyo'").get(1).text())
                    .isEqualTo("TimeZone|Asia/Tokyo|");
            assertThat(wire.query("rollback").get(1).text()).isEqualTo("TimeZone|Europe/Berlin|");
        }
    }

    @Test
    void aSettingOfATransactionThatIsRolledBackIsGone() throws IOException {
        try (WireClient wire = signedIn()) {
            value(wire, "begin");
            value(wire, "select 1");
            value(wire, "set app.x = 'kept'");
            value(wire, "savepoint s");
            value(wire, "set app.x = 'undone'");
            value(wire, "rollback to s");
            assertThat(value(wire, "show app.x")).isEqualTo("kept");
            value(wire, "commit");
            assertThat(value(wire, "show app.x")).isEqualTo("kept");
            value(wire, "begin");
            value(wire, "set app.x = 'gone'");
            value(wire, "rollback");
            assertThat(value(wire, "show app.x")).isEqualTo("kept");
        }
    }

    @Test
    void anotherPathLeadsToOwnSchemasOnly() throws IOException {
        try (WireClient wire = signedIn()) {
            value(wire, "create schema private");
            value(wire, "create table private.hidden (id int)");
            assertThat(WireClient.error(wire.query("select * from hidden"))).contains("C42P01|");
            value(wire, "set search_path to private, public");
            assertThat(WireClient.types(wire.query("select * from hidden"))).isEqualTo("TCZ");
            assertThat(WireClient.error(wire.query("set search_path to svc_guard")))
                    .isNotEmpty();
            value(wire, "reset search_path");
            assertThat(WireClient.error(wire.query("select * from hidden"))).contains("C42P01|");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SET TIME ZONE 'Nowhere/Land'; 22023",
                "SET svc.project = 'x'; 0A000",
                "SET session_replication_role = replica; 0A000",
                "SET client_encoding = 'latin1'; 0A000",
                "SET statement_timeout = 'soon'; 22023",
            })
    void aWrongSettingIsAnErrorAndHoldsForNothing(String sql, String sqlState) throws IOException {
        try (WireClient wire = signedIn()) {
            assertThat(WireClient.error(wire.query(sql))).contains("C" + sqlState + "|");
            assertThat(value(wire, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void preparedStatementsEndWithDiscardAll() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.send(out -> out.parse("s", "select 1"));
            assertThat(WireClient.types(wire.sync())).isEqualTo("1Z");
            value(wire, "discard all");
            wire.send(out -> out.parse("s", "select 2"));
            assertThat(WireClient.types(wire.sync())).isEqualTo("1Z");
        }
    }

    @Test
    void settingsHaveABound() throws IOException {
        try (WireClient wire = signedIn()) {
            for (int i = 0; i < 20; i++) {
                value(wire, "set app.x" + i + " = '" + "x".repeat(250) + "'");
            }
            String error = "";
            for (int i = 20; i < 30 && error.isEmpty(); i++) {
                error = WireClient.error(wire.query("set app.x" + i + " = '" + "x".repeat(250) + "'"));
            }
            assertThat(error).contains("C54000|");
            assertThat(value(wire, "show app.x0")).hasSize(250);
        }
    }

    @Test
    void aStatementEndsAtItsOwnTimeout() throws IOException {
        try (WireClient wire = signedIn()) {
            value(wire, "set statement_timeout = '200ms'");
            assertThat(WireClient.error(wire.query("select pg_sleep(20)"))).contains("C57014|");
        }
    }
}
