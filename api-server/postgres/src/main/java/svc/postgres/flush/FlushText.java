package svc.postgres.flush;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.Access;
import svc.postgres.Isolation;
import svc.postgres.Setting;

/**
 * The statements around a main query. What is sent is, in one network write:
 *
 * <pre>BEGIN; SELECT set_config(…), …; main query; COMMIT; RESET ALL; RESET ROLE; CLOSE ALL; UNLISTEN *; DISCARD SEQUENCES; …</pre>
 *
 * and for a query that only reads, in a database of the platform's:
 *
 * <pre>BEGIN READ ONLY; SELECT set_config(…), …; main query; ROLLBACK</pre>
 *
 * <p>The second needs no cleaning, whichever way it ends: the rollback takes away what the query did to settings, role,
 * cursors, listens and temporary tables, and runs no code of a tenant's. Of what a rollback leaves, a transaction that
 * only reads can do nothing but set the seed of random(): it gets no value of a sequence. Several callers' reads go in one
 * write ({@link ReadPipeline}); each but the first begins with the rollback of the one before, which PostgreSQL accepts
 * after an error as well:
 *
 * <pre>BEGIN READ ONLY; …; main query; Sync; ROLLBACK; BEGIN READ ONLY; …; main query; Sync; …; main query; ROLLBACK; Sync</pre>
 *
 * <p>Writes of several callers that go together ({@link WritePipeline}) are a transaction each that Sync
 * commits. What they leave outlives them, so each but the first begins by cleaning, and a last transaction cleans and
 * waits for the disk:
 *
 * <pre>SELECT set_config(…), …; main query; Sync; RESET ALL; …; SELECT set_config(…), …; main query; Sync; …; RESET ALL; …; SELECT flush_log(); Sync</pre>
 *
 * <p>In the first the cleaning stands at the end rather than at the beginning, so that a connection lies in the pool
 * clean: an idle one that still listened would collect its tenant's notifications, and one whose DateStyle was changed
 * would report that to the driver, which then gives the connection up after a commit that succeeded. No tenant code can
 * run after it: deferred triggers and WITH HOLD cursors run within COMMIT. What a flush that failed left is cleaned by
 * {@link #afterFailure} before the next caller gets the connection, and one that cannot be cleaned is closed, so each
 * flush begins from a clean session all the same.
 *
 * <p>What tenant code can leave behind after COMMIT, and what takes it away:
 * <ul>
 *   <li>settings of the session, statement_timeout, DateStyle, default_transaction_isolation among them: RESET ALL;
 *       BEGIN names isolation and access, so that even their defaults could not matter
 *   <li>the role, which RESET ALL leaves alone: RESET ROLE
 *   <li>cursors WITH HOLD, with rows that another caller was allowed to see: CLOSE ALL
 *   <li>LISTEN: UNLISTEN *; the notifications themselves are looked for after each flush
 *   <li>currval and lastval, another caller's keys: DISCARD SEQUENCES
 *   <li>session advisory locks: EXECUTE on the server's functions is revoked in a prepared database, because all projects
 *       share one space of keys; so is EXECUTE on the function that would release them, so none is called here. Those of the
 *       same names that tenants have there take locks of the transaction for these logins
 *   <li>temporary tables, which the guard of DDL refuses, but PostgreSQL does not ask it about EXPLAIN ANALYZE CREATE TABLE
 *       AS: DISCARD TEMP
 *   <li>the state of random(), which a caller could have set to what it knows: each question begins with a new seed
 *   <li>prepared statements: see {@link PreparedStatements}
 * </ul>
 */
final class FlushText {
    private static final Map<Isolation, FlushStatement> BEGIN_READ = begin(SqlFragment.of(" READ ONLY"));
    private static final Map<Isolation, FlushStatement> BEGIN_WRITE = begin(SqlFragment.of(" READ WRITE"));

    /** The session's search_path has the tenant's schema first: an unqualified name would be looked up there. */
    private static final SqlFragment SET_CONFIG = SqlFragment.of("pg_catalog.set_config(?,?,true)");

    /** One statement for each number of settings that requests have. */
    private static final List<SqlFragment> SET_CONFIGS =
            IntStream.rangeClosed(1, 17).mapToObj(FlushText::setConfigQuietly).toList();

    /** The parameter behind {@code setseed}, which RESET ALL leaves alone. */
    private static final String SEED = "seed";

    private static final RandomSeeds SEEDS = new RandomSeeds();

    /**
     * Fails where the session's defaults, which the round before may have changed, gave the transaction another
     * isolation or access: these cannot be changed by then. Costs nothing else.
     */
    private static final List<Setting> GUARDS =
            List.of(Setting.of("transaction_isolation", "read committed"), Setting.of("transaction_read_only", "off"));

    private static final List<FlushStatement> CLEANING = statements(
            SqlFragment.of("RESET ALL"),
            SqlFragment.of("RESET ROLE"),
            SqlFragment.of("CLOSE ALL"),
            SqlFragment.of("UNLISTEN *"),
            SqlFragment.of("DISCARD SEQUENCES"),
            SqlFragment.of("DISCARD TEMP"));

    /**
     * What a database that is not shared needs in addition, where advisory locks are not revoked: they would stay in the
     * session for the next caller.
     */
    private static final List<FlushStatement> UNHARDENED_CLEANING =
            statements(SqlFragment.of("SELECT pg_catalog.pg_advisory_unlock_all()"));

    private static final FlushStatement CHECK_CONSTRAINTS =
            FlushStatement.of(SqlFragment.of("SET CONSTRAINTS ALL IMMEDIATE"));
    private static final FlushStatement COMMIT = FlushStatement.of(SqlFragment.of("COMMIT"));
    private static final FlushStatement ROLLBACK = FlushStatement.of(SqlFragment.of("ROLLBACK"));

    private FlushText() {}

    /**
     * What is asked in a transaction.
     *
     * @param before statements between the settings and the query
     */
    record MainQuery(List<Setting> settings, List<SqlFragment> before, SqlFragment query, List<String> binds) {}

    /** Whether its transaction may be rolled back at the end, and that leaves nothing of it in the session. */
    static boolean leavesNothing(Tenant tenant, Flush flush) {
        return flush.access() == Access.READ
                && flush.isolation() == Isolation.READ_COMMITTED
                && flush.ending() instanceof TransactionEnd.Commit
                // Where advisory locks are not revoked, a rollback keeps them; and there others may listen to a read.
                && tenant.database().server() != Server.CHOSEN_BY_TENANT;
    }

    /** Rounds that {@link #leavesNothing}. After an error in the last one a {@link #rollback} is left to be sent. */
    static List<List<FlushStatement>> reading(List<Flush> flushes) {
        List<List<FlushStatement>> rounds = new ArrayList<>(flushes.size());
        for (Flush flush : flushes) {
            List<FlushStatement> statements = new ArrayList<>(8);
            if (!rounds.isEmpty()) {
                statements.add(ROLLBACK);
            }
            statements.add(BEGIN_READ.get(flush.isolation()));
            add(new MainQuery(flush.settings(), flush.before(), flush.query(), flush.binds()), statements);
            if (rounds.size() + 1 == flushes.size()) {
                statements.add(ROLLBACK);
            }
            rounds.add(statements);
        }
        return rounds;
    }

    /** The number of the statement with the settings in such a round. */
    static int settingsOfRead(int round) {
        return round == 0 ? 1 : 2;
    }

    /** Ends a transaction that {@link #leavesNothing}. */
    static List<FlushStatement> rollback() {
        return List.of(ROLLBACK);
    }

    /** Whether it may be one of several that {@link #writing} puts into one write. */
    static boolean canBeShared(Tenant tenant, Flush flush) {
        return flush.access() == Access.WRITE
                && flush.isolation() == Isolation.READ_COMMITTED
                && flush.ending() instanceof TransactionEnd.Commit
                // Elsewhere a session may keep more, and the function that flushes the log may be missing.
                && tenant.database().server() != Server.CHOSEN_BY_TENANT;
    }

    /**
     * Rounds that {@link #canBeShared}, and one more that cleans after the last and waits for the disk, for all of them:
     * none is done before that one is.
     */
    static List<List<FlushStatement>> writing(List<Flush> flushes) {
        List<List<FlushStatement>> rounds = new ArrayList<>(flushes.size() + 1);
        for (Flush flush : flushes) {
            List<FlushStatement> statements = new ArrayList<>(8);
            if (!rounds.isEmpty()) {
                statements.addAll(CLEANING);
            }
            List<Setting> settings = new ArrayList<>(flush.settings().size() + GUARDS.size() + 1);
            settings.addAll(GUARDS);
            settings.add(WalFlush.WITHOUT_WAITING);
            settings.addAll(flush.settings());
            add(new MainQuery(settings, flush.before(), flush.query(), flush.binds()), statements);
            rounds.add(statements);
        }
        rounds.add(closing());
        return rounds;
    }

    /** The last round of {@link #writing}: with it, what those before it committed is safe. */
    static List<FlushStatement> closing() {
        List<FlushStatement> statements = new ArrayList<>(CLEANING.size() + 1);
        statements.addAll(CLEANING);
        statements.add(WalFlush.STATEMENT);
        return statements;
    }

    /**
     * The number of the statement with the settings in such a round: until it is done nothing of the caller's has run.
     */
    static int settingsOfShared(int round) {
        return round == 0 ? 0 : CLEANING.size();
    }

    static List<FlushStatement> of(Tenant tenant, Flush flush) {
        List<FlushStatement> statements = opening(
                flush.access(),
                flush.isolation(),
                new MainQuery(flush.settings(), flush.before(), flush.query(), flush.binds()));
        switch (flush.ending()) {
            case TransactionEnd.Commit unused -> statements.addAll(commit(tenant));
            case TransactionEnd.Rollback unused -> {
                if (flush.access() == Access.WRITE) {
                    // As before a commit, so that the answer is that of one.
                    statements.add(CHECK_CONSTRAINTS);
                }
                statements.addAll(afterFailure(tenant));
            }
            case TransactionEnd.CommitIf unused -> {
                // Left open.
            }
        }
        return statements;
    }

    /** The first write of a transaction that stays open. */
    static List<FlushStatement> opening(Access access, Isolation isolation, MainQuery question) {
        List<FlushStatement> statements = new ArrayList<>(12);
        statements.add((access == Access.READ ? BEGIN_READ : BEGIN_WRITE).get(isolation));
        add(question, statements);
        return statements;
    }

    /** A further write of a transaction that is open. */
    static List<FlushStatement> next(MainQuery question) {
        List<FlushStatement> statements = new ArrayList<>(4);
        add(question, statements);
        return statements;
    }

    private static void add(MainQuery question, List<FlushStatement> statements) {
        int count = question.settings().size() + 1;
        List<String> values = new ArrayList<>(2 * count);
        values.add(SEED);
        values.add(Double.toString(SEEDS.next()));
        for (Setting setting : question.settings()) {
            values.add(setting.name());
            values.add(setting.value());
        }
        boolean usual = count <= SET_CONFIGS.size();
        statements.add(new FlushStatement(usual ? SET_CONFIGS.get(count - 1) : setConfig(count), values));
        question.before().forEach(statement -> statements.add(FlushStatement.of(statement)));
        statements.add(new FlushStatement(question.query(), question.binds()));
    }

    private static SqlFragment setConfig(int settings) {
        return SqlFragment.of("SELECT ").append(SqlFragment.join(",", Collections.nCopies(settings, SET_CONFIG)));
    }

    /**
     * The same with a number as its answer: the values, which are dropped, are long. A function takes a hundred at most.
     */
    private static SqlFragment setConfigQuietly(int settings) {
        return SqlFragment.of("SELECT pg_catalog.num_nulls(")
                .append(SqlFragment.join(",", Collections.nCopies(settings, SET_CONFIG)))
                .append(SqlFragment.of(")"));
    }

    /** The number of the main query among the statements of a write, counted from zero. */
    static int mainQuery(boolean opening, List<SqlFragment> before) {
        return (opening ? 2 : 1) + before.size();
    }

    /** The last write of a transaction that was left open. */
    static List<FlushStatement> commit(Tenant tenant) {
        return ending(COMMIT, tenant);
    }

    /** Ends whatever is open and cleans: after an error, or when what came was not as wanted. */
    static List<FlushStatement> afterFailure(Tenant tenant) {
        return ending(ROLLBACK, tenant);
    }

    private static List<FlushStatement> ending(FlushStatement end, Tenant tenant) {
        List<FlushStatement> statements = new ArrayList<>(8);
        statements.add(end);
        statements.addAll(CLEANING);
        if (tenant.database().server() == Server.CHOSEN_BY_TENANT) {
            statements.addAll(UNHARDENED_CLEANING);
        }
        return statements;
    }

    private static Map<Isolation, FlushStatement> begin(SqlFragment access) {
        Map<Isolation, FlushStatement> statements = new EnumMap<>(Isolation.class);
        for (Isolation isolation : Isolation.values()) {
            statements.put(
                    isolation,
                    FlushStatement.of(SqlFragment.of("BEGIN ISOLATION LEVEL ")
                            .append(isolation.sql())
                            .append(access)));
        }
        return statements;
    }

    private static List<FlushStatement> statements(SqlFragment... texts) {
        return Arrays.stream(texts).map(FlushStatement::of).toList();
    }
}
