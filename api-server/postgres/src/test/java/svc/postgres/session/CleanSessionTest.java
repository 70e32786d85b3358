package svc.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.Flush;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.postgres.pool.PoolSettings;
import svc.testing.TestingProjects;

/** Whatever a tenant's code leaves behind, the next caller on the same connection meets a clean session. */
class CleanSessionTest {
    private static TestingProjects projects;
    private static Tenant tenant;

    private ProjectPools pools;
    private TenantTransactions transactions;

    @BeforeAll
    static void layOut() {
        projects = TestingProjects.createWithOpenCatalogs();
        tenant = projects.project("clean123");
        projects.asOwner(tenant, """
                CREATE TABLE note (id bigint GENERATED ALWAYS AS IDENTITY, text text);
                CREATE TABLE late (text text);
                CREATE FUNCTION run(command text) RETURNS text LANGUAGE plpgsql AS $$
                BEGIN EXECUTE command; RETURN 'done'; END $$;
                CREATE FUNCTION run_late() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN EXECUTE NEW.text; RETURN NEW; END $$;
                CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION run_late();
                """);
    }

    @AfterAll
    static void forget() {
        projects = null;
    }

    /** One connection at most, so that two flushes must share it. */
    @BeforeEach
    void connect() {
        pools = new ProjectPools(PoolSettings.defaults().withCap(1), projects.roots());
        transactions = new TenantTransactions(pools, Duration.ofSeconds(20));
    }

    @AfterEach
    void disconnect() {
        transactions.close();
    }

    private FlushRow run(SqlFragment query, String... binds) {
        return run(Access.WRITE, new TransactionEnd.Commit(), query, binds);
    }

    private FlushRow run(Access access, TransactionEnd ending, SqlFragment query, String... binds) {
        List<Setting> settings = List.of(
                Setting.of("role", tenant.names().role(DatabaseRole.ANON).name()),
                Setting.of("request.jwt.claims", "{\"sub\":\"somebody\"}"));
        return transactions.run(tenant, DatabaseRole.API, new Flush(access, settings, query, List.of(binds), ending));
    }

    private void runCommand(String command) {
        run(SqlFragment.of("SELECT run(?)"), command);
    }

    private void runAtCommit(String command) {
        run(SqlFragment.of("INSERT INTO late VALUES (?) RETURNING 1"), command);
    }

    private String show(String setting) {
        return run(SqlFragment.of("SELECT current_setting(?, true)"), setting)
                .text(0)
                .orElse(null);
    }

    private String backend() {
        return run(SqlFragment.of("SELECT pg_backend_pid()")).text(0).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SET statement_timeout = 0 | statement_timeout | 8s",
                "SET DateStyle = 'German' | DateStyle | ISO, MDY",
                "SET default_transaction_isolation = 'serializable' | transaction_isolation | read committed",
                "SET default_transaction_read_only = on | transaction_read_only | off",
                "SET standard_conforming_strings = off | standard_conforming_strings | on",
                "SET client_encoding = 'LATIN1' | client_encoding | UTF8",
                "SET TimeZone = 'Asia/Tokyo' | app.nothing |",
                "SET search_path = 'nowhere' | app.nothing |",
                "SET app.who = 'mallory' | app.who | ''",
                "SET row_security = off | row_security | on",
                "SET bytea_output = 'escape' | bytea_output | hex",
            })
    void aSettingDoesNotOutliveItsTransaction(String command, String setting, String expected) {
        String before = backend();
        runCommand(command);
        assertThat(show(setting)).isEqualTo(expected);
        runAtCommit(command);
        assertThat(show(setting)).isEqualTo(expected);
        assertThat(backend()).as("the connection stays in use").isEqualTo(before);
    }

    @Test
    void aRoleDoesNotOutliveItsTransaction() {
        String authenticated = tenant.names().role(DatabaseRole.AUTHENTICATED).sql();
        runCommand("SET ROLE " + authenticated);
        runAtCommit("SET SESSION ROLE " + authenticated);
        assertThat(run(SqlFragment.of("SELECT current_user")).text(0))
                .contains(tenant.names().role(DatabaseRole.ANON).name());
        assertThatThrownBy(() -> transactions.run(
                        tenant,
                        DatabaseRole.API,
                        new Flush(
                                Access.READ,
                                List.of(Setting.of("app.none", "")),
                                SqlFragment.of("SELECT count(*) FROM note"),
                                List.of(),
                                new TransactionEnd.Commit())))
                .isInstanceOfSatisfying(
                        SqlError.class,
                        error -> assertThat(error.sqlState())
                                .as("the login itself sees nothing")
                                .isIn("42501", "42P01"));
    }

    @Test
    void claimsOfOneCallerAreNotSeenByTheNext() {
        assertThat(show("request.jwt.claims")).contains("somebody");
        FlushRow row = transactions.run(
                tenant,
                DatabaseRole.API,
                new Flush(
                        Access.READ,
                        List.of(Setting.of("app.none", "")),
                        SqlFragment.of("SELECT current_setting('request.jwt.claims', true), current_user"),
                        List.of(),
                        new TransactionEnd.Commit()));
        assertThat(row.text(0)).contains("");
        assertThat(row.text(1)).contains(tenant.names().role(DatabaseRole.API).name());
    }

    @Test
    void anOpenCursorIsClosed() {
        runCommand("DECLARE stolen CURSOR WITH HOLD FOR SELECT 'secret'");
        assertThat(run(SqlFragment.of("SELECT count(*) FROM pg_cursors WHERE name = 'stolen'"))
                        .number(0))
                .isZero();
    }

    @Test
    void aListenerHearsNothingAndIsGone() {
        runCommand("LISTEN gossip");
        runCommand("NOTIFY gossip, 'to myself'");
        projects.asOperator("NOTIFY gossip, 'from outside'");
        assertThat(run(SqlFragment.of("SELECT count(*) FROM pg_listening_channels()"))
                        .number(0))
                .isZero();
    }

    @Test
    void anotherCallersKeyIsNotRemembered() {
        run(SqlFragment.of("INSERT INTO note (text) VALUES ('x') RETURNING 1"));
        assertThatThrownBy(() -> run(SqlFragment.of("SELECT lastval()")))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.sqlState()).isEqualTo("55000"));
    }

    @Test
    void anErrorIsRolledBackAndLeavesTheConnectionClean() {
        String before = backend();
        assertThatThrownBy(() -> run(SqlFragment.of(
                        "WITH w AS (INSERT INTO note (text) VALUES ('gone') RETURNING id) SELECT 1/0 FROM w")))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.sqlState()).isEqualTo("22012"));
        assertThat(run(SqlFragment.of("SELECT count(*) FROM note WHERE text = 'gone'"))
                        .number(0))
                .isZero();
        assertThat(backend()).isEqualTo(before);
    }

    @Test
    void anErrorAtCommitIsAnError() {
        assertThatThrownBy(() -> runAtCommit("SELECT 1/0"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.sqlState()).isEqualTo("22012"));
        assertThat(run(SqlFragment.of("SELECT count(*) FROM late WHERE text = 'SELECT 1/0'"))
                        .number(0))
                .isZero();
    }

    @Test
    void aTransactionThatOnlyReadsCannotWrite() {
        assertThatThrownBy(() -> run(
                        Access.READ,
                        new TransactionEnd.Commit(),
                        SqlFragment.of("INSERT INTO note (text) VALUES ('x') RETURNING 1")))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.sqlState()).isEqualTo("25006"));
    }

    @Test
    void aRowThatIsNotAcceptableIsRolledBack() {
        SqlFragment insert = SqlFragment.of("INSERT INTO note (text) VALUES (?) RETURNING 1");
        run(Access.WRITE, new TransactionEnd.CommitIf(row -> row.number(0) == 2), insert, "refused");
        run(Access.WRITE, new TransactionEnd.CommitIf(row -> row.number(0) == 1), insert, "accepted");
        run(Access.WRITE, new TransactionEnd.Rollback(), insert, "refused");
        SqlFragment count = SqlFragment.of("SELECT count(*) FROM note WHERE text = ?");
        assertThat(run(count, "refused").number(0)).isZero();
        assertThat(run(count, "accepted").number(0)).isOne();
    }

    @Test
    void forgettingPreparedStatementsHarmsNoCaller() {
        for (int i = 0; i < 3; i++) {
            runCommand("DEALLOCATE ALL");
            assertThat(show("request.jwt.claims")).contains("somebody");
            runAtCommit("DEALLOCATE ALL");
            assertThat(show("request.jwt.claims")).contains("somebody");
        }
        assertThat(run(SqlFragment.of("SELECT count(*) FROM late WHERE text = 'DEALLOCATE ALL'"))
                        .number(0))
                .as("each was done once")
                .isEqualTo(3);
    }

    @Test
    void preparedStatementsOfOursCannotBeNamed() {
        show("role");
        assertThat(run(SqlFragment.of(
                                "SELECT count(*) FROM pg_catalog.pg_prepared_statements WHERE name ~ '^S_[0-9]{1,9}$'"))
                        .number(0))
                .isZero();
        assertThat(run(SqlFragment.of("SELECT count(*) FROM pg_catalog.pg_prepared_statements"))
                        .number(0))
                .isPositive();
    }

    @Test
    void aFloodOfNoticesIsNotKept() {
        runCommand("DO $x$ BEGIN FOR i IN 1..20000 LOOP RAISE NOTICE '%', repeat('x', 1000); END LOOP; END $x$");
        assertThat(show("role")).isNotEmpty();
    }

    /** A caller that could foresee what random() gives to another one would guess what that one makes of it. */
    @ParameterizedTest
    @ValueSource(strings = {"SELECT setseed(0.25)", "SET seed = 0.25"})
    void aSeedDoesNotOutliveItsTransaction(String seeding) {
        Set<String> seen = new HashSet<>();
        String before = backend();
        for (int i = 0; i < 3; i++) {
            runCommand(seeding);
            seen.add(run(SqlFragment.of("SELECT random()")).text(0).orElseThrow());
            run(Access.WRITE, new TransactionEnd.Commit(), SqlFragment.of("SELECT 1 FROM setseed(0.25)"));
            seen.add(run(Access.READ, new TransactionEnd.Commit(), SqlFragment.of("SELECT random()"))
                    .text(0)
                    .orElseThrow());
        }
        assertThat(seen).hasSize(6);
        assertThat(backend()).isEqualTo(before);
    }

    @Test
    void aFloodOfNoticesThatDoesNotEndIsCutOff() {
        String before = backend();
        assertThatThrownBy(
                        () -> runCommand("DO $x$ BEGIN LOOP RAISE NOTICE '%', repeat('x', 10000); END LOOP; END $x$"))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.sqlState()).isEqualTo(SqlError.TOO_LARGE));
        assertThat(backend()).isNotEqualTo(before);
    }

    @Test
    void anAnswerThatWouldFillTheHeapIsCutOff() {
        String before = backend();
        assertThatThrownBy(() -> run(SqlFragment.of("SELECT repeat('x', 70000000)")))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.sqlState()).isEqualTo(SqlError.TOO_LARGE));
        assertThat(backend()).isNotEqualTo(before);
    }

    @Test
    void ourClockStopsWhatLiftedTheServersTimeout() {
        try (var hasty = new TenantTransactions(
                new ProjectPools(PoolSettings.defaults().withCap(1), projects.roots()), Duration.ofMillis(300))) {
            assertThatThrownBy(() -> hasty.run(
                            tenant,
                            DatabaseRole.API,
                            new Flush(
                                    Access.WRITE,
                                    List.of(Setting.of("statement_timeout", "0")),
                                    SqlFragment.of("SELECT pg_sleep(1000)"),
                                    List.of(),
                                    new TransactionEnd.Commit())))
                    .isInstanceOfSatisfying(
                            SqlError.class,
                            error -> assertThat(error.sqlState()).isEqualTo("57014"));
        }
    }
}
