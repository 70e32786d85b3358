package svc.api.db.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.api.db.Ending;
import svc.api.db.Flush;
import svc.api.db.Flush.Access;
import svc.api.db.FlushRow;
import svc.api.db.PoolSettings;
import svc.api.db.ProjectPools;
import svc.api.db.RunningFlush;
import svc.api.db.Setting;
import svc.api.db.SqlError;
import svc.api.db.TenantTransactions;
import svc.api.tenancy.Tenant;
import svc.api.tenancy.Tenant.DatabaseAddress;
import svc.api.testing.DatabaseProxy;
import svc.api.testing.TestingProjects;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;

/** Callers whose reads go to the database in one write are served as if each had gone alone. */
class SharedWriteTest {
    private static final int CALLERS = 24;
    private static final SqlFragment OWN = SqlFragment.of("SELECT ?::text, current_setting('request.jwt.claims', true),"
            + " current_setting('app.left', true), current_user::text, run(?), pg_backend_pid()");

    private static TestingProjects projects;
    private static DatabaseProxy proxy;
    private static Tenant tenant;

    private TenantTransactions transactions;

    @BeforeAll
    static void layOut() {
        projects = TestingProjects.createWithOpenCatalogs();
        Tenant direct = projects.project("shared12");
        projects.asOwner(direct, """
                CREATE FUNCTION run(command text) RETURNS text LANGUAGE plpgsql AS $$
                BEGIN EXECUTE command; RETURN 'done'; END $$;
                """);
        proxy = new DatabaseProxy(direct.database().jdbcUrl(), false);
        tenant = proxy.before(direct);
    }

    @AfterAll
    static void close() {
        proxy.close();
    }

    @BeforeEach
    void connect() {
        connect(1);
    }

    private void connect(int connections) {
        transactions = new TenantTransactions(
                new ProjectPools(PoolSettings.defaults().withCap(connections), projects.roots()),
                Duration.ofSeconds(20));
        // Known to be quick, a query may be taken along.
        for (int i = 0; i < 20; i++) {
            start("warm", "SELECT 1").row().join();
        }
    }

    @AfterEach
    void disconnect() {
        transactions.close();
    }

    private RunningFlush start(String caller, String command) {
        return start(Access.READ, caller, command);
    }

    private RunningFlush start(Access access, String caller, String command) {
        List<Setting> settings = List.of(
                Setting.of("search_path", tenant.names().schemaName() + ", svc_views, pg_catalog, extensions"),
                Setting.of("role", tenant.names().role(DatabaseRole.ANON).name()),
                Setting.of("request.jwt.claims", caller));
        return transactions.start(
                tenant,
                DatabaseRole.API,
                new Flush(access, settings, OWN, List.of(caller, command), new Ending.Commit()));
    }

    /** So many that wait for one connection that the first keeps for a while. */
    private List<RunningFlush> crowd(String command) {
        List<RunningFlush> crowd = new ArrayList<>();
        crowd.add(start("first", "SELECT pg_sleep(0.05)"));
        for (int caller = 1; caller < CALLERS; caller++) {
            crowd.add(start("caller" + caller, caller % 2 == 1 ? command : "SELECT 1"));
        }
        return crowd;
    }

    private static void assertOwn(FlushRow row, int caller) {
        String name = caller == 0 ? "first" : "caller" + caller;
        assertThat(row.text(0)).contains(name);
        assertThat(row.text(1)).contains(name);
        assertThat(row.text(2).orElse("")).isEmpty();
        assertThat(row.text(3)).contains(tenant.names().role(DatabaseRole.ANON).name());
    }

    @Test
    void theyShareWrites() {
        int before = proxy.writes();
        crowd("SELECT 1").forEach(flush -> flush.row().join());

        assertThat(proxy.writes() - before).isLessThan(CALLERS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT set_config('app.left', 'mallory', false)",
                "SET search_path = nowhere",
                "SET ROLE NONE",
                "SET default_transaction_read_only = off",
                "LISTEN mallory",
                "DO $$ BEGIN PERFORM set_config('app.left', 'mallory', false); END $$",
                "DECLARE left_open CURSOR WITH HOLD FOR SELECT run('SELECT set_config(''app.left'', ''mallory'', false)')",
                "SELECT setseed(0.1)",
            })
    void nothingThatOneLeavesBehindReachesTheNext(String command) {
        List<RunningFlush> crowd = crowd(command);

        for (int caller = 0; caller < CALLERS; caller++) {
            assertOwn(crowd.get(caller).row().join(), caller);
        }
        assertThat(start("after", "FETCH left_open").row())
                .failsWithin(20, TimeUnit.SECONDS)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withMessageContaining("left_open");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1/0",
                "SET statement_timeout = '1x'",
                "DO $$ BEGIN PERFORM set_config('app.left', 'mallory', false); RAISE 'no'; END $$",
                "CREATE TABLE here (id int)",
                "SELECT nextval('nowhere')",
                "SET transaction_read_only = off",
            })
    void oneThatFailsFailsAlone(String command) {
        List<RunningFlush> crowd = crowd(command);

        for (int caller = 0; caller < CALLERS; caller++) {
            if (caller % 2 == 1) {
                assertThat(failure(crowd.get(caller)).fromServer()).isTrue();
            } else {
                assertOwn(crowd.get(caller).row().join(), caller);
            }
        }
    }

    private static SqlError failure(RunningFlush flush) {
        try {
            FlushRow row = flush.row().join();
            throw new AssertionError("it gave " + row.text(0));
        } catch (CompletionException e) {
            return (SqlError) e.getCause();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEALLOCATE ALL", "DISCARD PLANS"})
    void oneThatTakesOurStatementsAwayHarmsNobody(String command) {
        List<RunningFlush> crowd = crowd(command);

        for (int caller = 0; caller < CALLERS; caller++) {
            assertOwn(crowd.get(caller).row().join(), caller);
        }
    }

    @Test
    void aConnectionThatBreaksInTheMiddleHarmsNobody() {
        for (int bytes : new int[] {0, 5, 200, 700, 1500}) {
            proxy.cutAfter(bytes);
            List<RunningFlush> crowd = crowd("SELECT 1");
            for (int caller = 0; caller < CALLERS; caller++) {
                assertOwn(crowd.get(caller).row().join(), caller);
            }
        }
    }

    @Test
    void thoseBehindOneThatTakesLongGoElsewhere() {
        transactions.close();
        connect(4);
        List<RunningFlush> crowd = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            crowd.add(start("caller" + caller, caller == 5 ? "SELECT pg_sleep(60)" : "SELECT pg_sleep(0.002)"));
        }
        for (int caller = 0; caller < CALLERS; caller++) {
            if (caller != 5) {
                assertThat(crowd.get(caller).row().join().text(0)).contains("caller" + caller);
            }
        }

        assertThat(crowd.get(5).row()).isNotDone();
        crowd.get(5).cancel();
        assertThat(failure(crowd.get(5)).sqlState()).isEqualTo("57014");
    }

    @Test
    void oneThatIsCancelledTakesNobodyWithIt() {
        List<RunningFlush> crowd = crowd("SELECT 1");
        for (int caller = 1; caller < CALLERS; caller += 2) {
            crowd.get(caller).cancel();
        }

        for (int caller = 0; caller < CALLERS; caller += 2) {
            assertOwn(crowd.get(caller).row().join(), caller);
        }
    }

    @Test
    void aWriteIsNotTakenAlongAndLeavesNothing() {
        List<RunningFlush> crowd = new ArrayList<>();
        crowd.add(start("first", "SELECT pg_sleep(0.05)"));
        for (int caller = 1; caller < CALLERS; caller++) {
            crowd.add(start(
                    caller % 3 == 0 ? Access.WRITE : Access.READ,
                    "caller" + caller,
                    caller % 3 == 0 ? "SELECT set_config('app.left', 'mallory', false)" : "SELECT 1"));
        }
        for (int caller = 0; caller < CALLERS; caller++) {
            assertThat(crowd.get(caller).row().join().text(0)).contains(caller == 0 ? "first" : "caller" + caller);
            if (caller % 3 != 0) {
                assertOwn(crowd.get(caller).row().join(), caller);
            }
        }
    }

    @Test
    void aServerOfTheTenantsOwnWhereLocksAreOpenKeepsNone() throws SQLException {
        try (Connection operator = TestingProjects.SERVER.connect(projects.database());
                var statement = operator.createStatement()) {
            statement.execute("GRANT EXECUTE ON FUNCTION pg_catalog.pg_advisory_lock(bigint) TO PUBLIC");
        }
        Tenant shared = tenant;
        var own = new DatabaseAddress("own", shared.database().jdbcUrl(), DatabaseAddress.Server.CHOSEN_BY_TENANT);
        tenant = new Tenant(
                shared.ref(),
                shared.names(),
                shared.scope(),
                shared.masterKeyVersion(),
                shared.keyVersions(),
                own,
                shared.organization(),
                shared.restUrl(),
                shared.rest());

        crowd("SELECT pg_catalog.pg_advisory_lock(4711)")
                .forEach(flush -> flush.row().join());

        assertThat(projects.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
                .isEqualTo("0");
        tenant = shared;
    }
}
