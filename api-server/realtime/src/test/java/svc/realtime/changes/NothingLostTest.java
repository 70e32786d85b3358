package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import svc.embedded.process.FreePort;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/**
 * While channels join and leave in several processes, readers change and Redis goes away: each row whose insert began after
 * "Subscribed" arrives once and in order, or its channel hears of the loss where the row is missing.
 */
@Timeout(240)
class NothingLostTest {
    private static final long SEED = 20261127;
    private static final int STEPS = 1500;
    private static final int MAX_MEMBERS = 40;

    @TempDir
    private Path folder;

    private EmbeddedRedis redis;
    private final Random random = new Random(SEED);
    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("complete");
    private final Tenant neighbour = StreamBesideTest.projectOfAnotherPart(projects, tenant);
    private final List<TestingFeed> processes = new ArrayList<>();

    /** By process. */
    private final List<List<CountedRows>> members = new ArrayList<>();

    private final List<CountedRows> former = new ArrayList<>();

    /** The row whose insert has begun last, and the one that was acknowledged last. */
    private final AtomicInteger begun = new AtomicInteger();

    private final AtomicBoolean writing = new AtomicBoolean(true);
    private boolean killing = true;
    private Thread writer;

    @BeforeEach
    void start() {
        redis = EmbeddedRedis.lasting(folder, FreePort.find());
        projects.asOwner(tenant, """
                CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE s (id int PRIMARY KEY);
                ALTER TABLE s ENABLE ROW LEVEL SECURITY; CREATE POLICY readable ON s FOR SELECT USING (true);
                GRANT SELECT ON t, s TO %1$s_anon, %1$s_authenticated""".formatted(tenant.names().schemaName()));
        projects.asOwner(neighbour, "CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v text)");
        TestingFeed.publish(projects, tenant, "t,s");
        TestingFeed.publish(projects, neighbour, "t");
        TestingFeed.setReader(projects, "SET logical_decoding_work_mem = 64");
        for (int i = 0; i < 3; i++) {
            processes.add(new TestingFeed(projects, redis.url()));
            members.add(new ArrayList<>());
        }
        for (int i = 0; i < 4; i++) {
            join(i % 2).awaitSubscribed();
        }
        writer = Thread.ofVirtual().start(this::write);
    }

    @AfterEach
    void stop() throws Exception {
        writing.set(false);
        writer.join();
        processes.forEach(TestingFeed::close);
        redis.close();
        TestingFeed.dropSlot(projects, tenant);
    }

    /** One row after the other in both tables, so that the order of commits is that of the numbers. */
    private void write() {
        try (var owner = TestingFeed.owner(projects, tenant);
                var session = owner.createStatement()) {
            while (writing.get()) {
                insert(session);
                Thread.sleep(2);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void insert(Statement session) throws SQLException {
        int row = begun.incrementAndGet();
        session.execute("INSERT INTO t VALUES (" + row + ")");
        session.execute("INSERT INTO s VALUES (" + row + ")");
    }

    private CountedRows join(int process) {
        boolean checked = random.nextBoolean();
        Caller caller = checked ? TestingFeed.userCalled("user-" + random.nextInt(3)) : Caller.anon();
        var member = new CountedRows(begun);
        member.is(processes
                .get(process)
                .feed()
                .subscribe(tenant, caller, List.of(binding(1, "*", checked ? "s" : "t")), member));
        members.get(process).add(member);
        return member;
    }

    private void leave(List<CountedRows> of) {
        // The first two of a process stay to the end.
        if (of.size() > 2) {
            CountedRows member = of.remove(2 + random.nextInt(of.size() - 2));
            member.leave();
            former.add(member);
        }
    }

    private void step() throws InterruptedException {
        int process = random.nextInt(processes.size());
        int kind = random.nextInt(100);
        if (kind < 2) {
            projects.asOwner(neighbour, "INSERT INTO t (v) SELECT repeat('x', 200) FROM generate_series(1, 4000)");
        } else if (kind < 4 && killing) {
            killReaders();
        } else if (kind < 60 && members.get(process).size() < MAX_MEMBERS) {
            join(process);
        } else {
            leave(members.get(process));
        }
        Thread.sleep(random.nextInt(12));
    }

    private void killReaders() {
        projects.asOperator("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots"
                + " WHERE database = current_database() AND active");
    }

    private void replace(int process) {
        members.get(process).forEach(CountedRows::leave);
        former.addAll(members.get(process));
        members.get(process).clear();
        processes.get(process).close();
        processes.set(process, new TestingFeed(projects, redis.url()));
    }

    /** Rows go on until each member has one that was written when all else was done. */
    private void settle() {
        int last = begun.get();
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .until(() -> members.stream().flatMap(List::stream).allMatch(member -> member.hasEndedOrReached(last)));
    }

    private Stream<CountedRows> all() {
        return Stream.concat(former.stream(), members.stream().flatMap(List::stream));
    }

    private List<String> all(Function<CountedRows, List<String>> words) {
        return all().flatMap(member -> words.apply(member).stream()).toList();
    }

    private long subscribed() {
        return all().filter(CountedRows::wasSubscribed).count();
    }

    @Test
    void joinsOfOthersAndReadersThatChangeLoseNothing() throws Exception {
        for (int step = 1; step <= STEPS; step++) {
            step();
            if (step % 250 == 0) {
                replace(2);
            }
        }
        settle();
        assertThat(subscribed()).isGreaterThan(STEPS / 10);
        assertThat(all(CountedRows::faults)).isEmpty();
        assertThat(all(CountedRows::failures)).isEmpty();
    }

    /** One after the other, each of which is open for a while, and fails or commits. */
    private void writeLargeTransactions() {
        try (var owner = TestingFeed.owner(projects, neighbour);
                var session = owner.createStatement()) {
            owner.setAutoCommit(false);
            for (int round = 0; writing.get(); round++) {
                session.execute("INSERT INTO t (v) SELECT repeat('x', 50) FROM generate_series(1, 6000)");
                Thread.sleep(round % 4 * 300L);
                if (round % 3 == 0) {
                    owner.rollback();
                } else {
                    owner.commit();
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private double readBeside() {
        return processes.stream()
                .mapToDouble(process -> process.count("svc.realtime.reader.beside"))
                .sum();
    }

    @Test
    void streamsBesideLargeTransactionsLoseNothingAndRepeatNothing() throws Exception {
        int port = redis.port();
        // A second stream begins some time after the first.
        killing = false;
        Thread large = Thread.ofVirtual().start(this::writeLargeTransactions);
        for (int step = 1; step <= STEPS / 2; step++) {
            step();
            Thread.sleep(20);
            if (step % 150 == 0) {
                killReaders();
            }
            if (step == STEPS / 4) {
                redis.close();
                for (int away = 0; away < 20; away++) {
                    step();
                }
                redis = EmbeddedRedis.lasting(folder, port);
            }
        }
        assertThat(readBeside()).isPositive();
        settle();
        writing.set(false);
        large.join();
        assertThat(subscribed()).isGreaterThan(STEPS / 40);
        assertThat(all(CountedRows::faults)).isEmpty();
    }

    @Test
    void whatIsLostWhileRedisIsAwayIsSaidToEachChannelThatMissesIt() throws Exception {
        int port = redis.port();
        for (int step = 1; step <= STEPS / 4; step++) {
            step();
            if (step % 110 == 0) {
                redis.close();
                for (int away = 0; away < 20; away++) {
                    step();
                }
                redis = EmbeddedRedis.lasting(folder, port);
            }
        }
        settle();
        assertThat(subscribed()).isGreaterThan(STEPS / 40);
        assertThat(all(CountedRows::faults)).isEmpty();
    }
}
