package svc.postgres.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import svc.database.name.DatabaseRole;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.Flush;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.InFlightRequest;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.postgres.pool.PoolSettings;
import svc.testing.DatabaseProxy;
import svc.testing.TestingProjects;

/** Callers of one login who come all at once and find too few connections, each with a command of its own. */
final class CrowdedLogin implements AutoCloseable {
    static final int CALLERS = 24;

    /** What each sees is of itself; then its command runs. A write notes that it was done. */
    private static final SqlFragment OWN = SqlFragment.of("SELECT ?::text, current_setting('request.jwt.claims', true),"
            + " current_setting('app.left', true), current_user::text, note(?), run(?), pg_backend_pid()");

    final TestingProjects projects = TestingProjects.createWithOpenCatalogs();
    final DatabaseProxy proxy;
    private final Tenant direct;
    private final Tenant through;
    private TenantTransactions transactions;

    /** @param ref of the project */
    CrowdedLogin(String ref) {
        // The server of the tests does not wait for its disk without this setting.
        projects.asOperator("ALTER DATABASE " + projects.database() + " SET synchronous_commit = on");
        direct = projects.project(ref);
        projects.asOwner(direct, """
                CREATE TABLE done (caller text, written pg_lsn DEFAULT pg_current_wal_insert_lsn());
                CREATE SEQUENCE counter;
                GRANT USAGE ON SEQUENCE counter TO PUBLIC;
                CREATE FUNCTION note(caller text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
                BEGIN
                  IF current_setting('transaction_read_only') = 'off' THEN
                    INSERT INTO done VALUES (caller);
                  END IF;
                END $$;
                CREATE FUNCTION run(command text) RETURNS text LANGUAGE plpgsql AS $$
                BEGIN EXECUTE command; RETURN 'done'; END $$;
                CREATE TABLE at_commit (command text);
                CREATE FUNCTION run_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN EXECUTE NEW.command; RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER run AFTER INSERT ON at_commit DEFERRABLE INITIALLY DEFERRED
                  FOR EACH ROW EXECUTE FUNCTION run_at_commit();
                GRANT INSERT ON at_commit TO PUBLIC;
                """);
        proxy = new DatabaseProxy(direct.database().jdbcUrl(), false);
        through = proxy.before(direct);
    }

    Tenant tenant() {
        return through;
    }

    /** Starts again with so many connections and no caller. */
    void connect(int connections) {
        connect(connections, Duration.ofSeconds(20));
    }

    /** @param limit by our clock */
    void connect(int connections, Duration limit) {
        disconnect();
        transactions = new TenantTransactions(
                new ProjectPools(PoolSettings.defaults().withCap(connections), projects.roots()), limit);
        // Known to be quick, a query may be taken along.
        for (int i = 0; i < 20; i++) {
            start(Access.WRITE, "warm", "SELECT 1").row().join();
            start(Access.READ, "warm", "SELECT 1").row().join();
        }
        projects.asOwner(direct, "TRUNCATE done");
    }

    void disconnect() {
        if (transactions != null) {
            transactions.close();
        }
    }

    @Override
    public void close() {
        disconnect();
        proxy.close();
    }

    InFlightRequest start(Access access, String caller, String command) {
        return start(through, access, caller, command);
    }

    InFlightRequest start(Tenant tenant, Access access, String caller, String command) {
        List<Setting> settings = List.of(
                Setting.of("search_path", tenant.names().schemaName() + ", svc_views, pg_catalog, extensions"),
                Setting.of("role", tenant.names().role(DatabaseRole.ANON).name()),
                Setting.of("request.jwt.claims", caller));
        return transactions.start(
                tenant,
                DatabaseRole.API,
                new Flush(access, settings, OWN, List.of(caller, caller, command), new TransactionEnd.Commit()));
    }

    /** So many that wait for one connection that the first keeps for a while; every other one has the command. */
    List<InFlightRequest> crowd(Access access, String command) {
        return crowd(access, "SELECT pg_sleep(0.05)", caller -> caller % 2 == 1 ? command : "SELECT 1");
    }

    List<InFlightRequest> crowd(Access access, String first, IntFunction<String> commands) {
        return crowd(through, access, first, commands);
    }

    List<InFlightRequest> crowd(Tenant tenant, Access access, String first, IntFunction<String> commands) {
        List<InFlightRequest> crowd = new ArrayList<>();
        crowd.add(start(tenant, access, name(0), first));
        for (int caller = 1; caller < CALLERS; caller++) {
            crowd.add(start(tenant, access, name(caller), commands.apply(caller)));
        }
        return crowd;
    }

    static String name(int caller) {
        return "caller" + caller;
    }

    /** It was served as if it were the only one. */
    void assertOwn(FlushRow row, int caller) {
        assertThat(row.text(0)).contains(name(caller));
        assertThat(row.text(1)).contains(name(caller));
        assertThat(row.text(2).orElse("")).isEmpty();
        assertThat(row.text(3)).contains(through.names().role(DatabaseRole.ANON).name());
    }

    static SqlError failure(InFlightRequest flush) {
        try {
            FlushRow row = flush.row().join();
            throw new AssertionError("it gave " + row.text(0));
        } catch (CompletionException e) {
            return (SqlError) e.getCause();
        }
    }

    /** Who wrote, for each write that was committed. */
    List<String> done() {
        return List.of(projects.ask("SELECT coalesce(string_agg(caller, ','), '') FROM "
                        + through.names().schemaName() + ".done")
                .split(","));
    }
}
