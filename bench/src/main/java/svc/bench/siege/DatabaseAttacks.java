package svc.bench.siege;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import svc.bench.measure.BenchDatabase;

/** What owners of projects can do by SQL to a database that they share with others. */
record DatabaseAttacks(Tenant tenant, SiegeScale scale) {
    private static final int FEW = 3;
    private static final int SEVERAL = 6;

    /** Each call fails and is caught; its lock stays until the end. */
    private static final String LOCKS = """
            DO $$ BEGIN
              FOR i IN 1..300000 LOOP
                BEGIN PERFORM nextval((2000000000 + i)::oid::regclass); EXCEPTION WHEN OTHERS THEN NULL; END;
              END LOOP;
              PERFORM pg_sleep(40);
            END $$""";

    /** Without end, and with many locks, wherever a login that is no project's calls it. */
    private static final String TRAPS = """
            CREATE FUNCTION slow(x int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
            BEGIN
              IF session_user NOT LIKE 'proj%' THEN
                FOR i IN 1..20000 LOOP
                  BEGIN PERFORM nextval((2000000000 + i)::oid::regclass); EXCEPTION WHEN OTHERS THEN NULL; END;
                END LOOP;
                LOOP NULL; END LOOP;
              END IF;
              RETURN x;
            END $$;
            CREATE TABLE trap (x int);
            CREATE INDEX ON trap (slow(x));
            INSERT INTO trap SELECT generate_series(1, 500)""";

    private static final List<String> UNINTERRUPTED = List.of(
            "SELECT array_agg(g) && array_agg(-g) FROM generate_series(1, 60000) g",
            "SELECT ('(' || string_agg('(' || g || ',' || g % 97 || ')', ',') || ')')::path"
                    + " <-> ('(' || string_agg('(' || -g || ',' || g % 89 || ')', ',') || ')')::path"
                    + " FROM generate_series(1, 15000) g");

    private static final String OVERLOADS = """
            DO $do$ DECLARE t text[] := '{int,text,bigint,numeric,date,uuid,boolean,float8}'; BEGIN
              FOR i IN %d..%d LOOP
                EXECUTE format('CREATE FUNCTION same(%%s, %%s, %%s, %%s, %%s, %%s) RETURNS int LANGUAGE sql AS ''SELECT 1''',
                  t[1 + i %% 8], t[1 + i / 8 %% 8], t[1 + i / 64 %% 8], t[1 + i / 512 %% 8], t[1 + i / 4096 %% 8],
                  t[1 + i / 32768 %% 8]);
              END LOOP;
            END $do$""";
    private static final int OVERLOADS_A_SCRIPT = 2_000;

    List<Attack> attacks() {
        return List.of(
                new Attack("lock table: 300,000 locks in a transaction", this::locks),
                new Attack("autovacuum: an index that never ends", this::autovacuum),
                new Attack("uninterrupted: functions that ignore cancellation", this::uninterrupted),
                new Attack("auth.users: read in open transactions", this::users),
                new Attack("sessions: 4 × " + scale.projects() + " projects that sleep", this::sessions),
                new Attack("overloads: " + scale.functions() + " functions of one name", this::overloads),
                new Attack("indexes: CONCURRENTLY beside open transactions", this::indexes));
    }

    private Invasion locks() throws IOException {
        return Invasion.of(tenant, "lock table", FEW).scripts(2, LOCKS);
    }

    private AutoCloseable autovacuum() throws IOException, SQLException {
        var database = BenchDatabase.of(tenant.platform());
        // What takes minutes at the usual pace of its launcher.
        database.execute("ALTER SYSTEM SET autovacuum_naptime = '1s'");
        database.execute("SELECT pg_reload_conf()");
        Invasion invasion = Invasion.of(tenant, "autovacuum", SEVERAL)
                .prepared(TRAPS)
                .scripts(1, "INSERT INTO trap SELECT generate_series(1, 500); SELECT pg_sleep(2)");
        return () -> {
            try (invasion) {
                database.execute("ALTER SYSTEM RESET autovacuum_naptime");
                database.execute("SELECT pg_reload_conf()");
            }
        };
    }

    private Invasion uninterrupted() throws IOException {
        return Invasion.of(tenant, "uninterrupted", 2 * UNINTERRUPTED.size())
                .scripts(2, project -> UNINTERRUPTED.get(project % UNINTERRUPTED.size()));
    }

    /** A first sign-up has to change what is read. */
    private Invasion users() throws IOException {
        return Invasion.of(tenant, "auth.users", SEVERAL)
                .scripts(1, "SELECT count(*) FROM auth.users; SELECT pg_sleep(50)")
                .calls(
                        2,
                        "sign-up",
                        (sender, project, number) -> sender.data(project, "/auth/v1/signup")
                                .POST(BodyPublishers.ofString(
                                        "{\"email\":\"u" + number + "@example.com\",\"password\":\"correct horse\"}")));
    }

    private Invasion sessions() throws IOException {
        return Invasion.of(tenant, "sessions", scale.projects()).scripts(4, "SELECT pg_sleep(60)");
    }

    private Invasion overloads() throws IOException {
        List<String> scripts = IntStream.iterate(0, first -> first < scale.functions(), i -> i + OVERLOADS_A_SCRIPT)
                .mapToObj(first ->
                        OVERLOADS.formatted(first, Math.min(first + OVERLOADS_A_SCRIPT, scale.functions()) - 1))
                .toList();
        return Invasion.of(tenant, "overloads", 1).prepared(scripts).scripts(2, "SELECT same(1, 1, 1, 1, 1, 1)");
    }

    private Invasion indexes() throws IOException {
        return Invasion.of(tenant, "indexes", SEVERAL)
                .prepared("CREATE TABLE t (id int); INSERT INTO t SELECT generate_series(1, 1000)")
                .scripts(
                        1,
                        project -> project % 2 == 0
                                ? "CREATE INDEX CONCURRENTLY ON t (id)"
                                : "INSERT INTO t VALUES (1); SELECT pg_sleep(40)");
    }
}
