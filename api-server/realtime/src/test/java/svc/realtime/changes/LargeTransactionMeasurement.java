package svc.realtime.changes;

import static svc.realtime.changes.TestingFeed.binding;

import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.realtime.change.ChangeData;
import svc.realtime.change.ChangeReceiver;
import svc.realtime.feed.FeedSettings;
import svc.realtime.reader.ReaderSettings;
import svc.testing.TestingProjects;

/**
 * Measures how long a project's changes take while another project commits 1.5 million rows in one transaction, of a table that is
 * published and of one that is not. No part of the suite: run by {@code -Dtest=LargeTransactionMeasurement}.
 */
class LargeTransactionMeasurement {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();
    private static final int MAX_ROWS = 100_000;

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("large");
    private final Tenant neighbour = StreamBesideTest.projectOfAnotherPart(projects, tenant);
    private final AtomicLongArray begun = new AtomicLongArray(MAX_ROWS);
    private final AtomicLongArray taken = new AtomicLongArray(MAX_ROWS);
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicBoolean writing = new AtomicBoolean(true);

    private final class Timing implements ChangeReceiver {
        @Override
        public void subscribed() {
            System.out.println("subscribed");
        }

        @Override
        public void refused(String message) {
            System.out.println("refused: " + message);
        }

        @Override
        public void changed(List<Integer> ids, ChangeData data) {
            int row = arrived.getAndIncrement();
            taken.set(row, System.nanoTime() - begun.get(row));
        }

        @Override
        public void failed(String message) {
            System.out.println("failed: " + message);
        }
    }

    private void write() {
        try (Connection owner = TestingFeed.owner(projects, neighbour);
                var session = owner.createStatement()) {
            while (writing.get()) {
                begun.set(written.get(), System.nanoTime());
                session.execute("INSERT INTO t VALUES (" + written.get() + ")");
                written.incrementAndGet();
                Thread.sleep(100);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void report(String what, int from) {
        long[] sorted = new long[arrived.get() - from];
        Arrays.setAll(sorted, i -> taken.get(from + i));
        Arrays.sort(sorted);
        System.out.printf(
                "%s: %d changes of the neighbour, p50 %.0f ms, p99 %.0f ms, longest %.0f ms%n",
                what,
                sorted.length,
                sorted[sorted.length / 2] / 1e6,
                sorted[(int) (sorted.length * 0.99)] / 1e6,
                sorted[sorted.length - 1] / 1e6);
    }

    private void insert(TestingFeed process, String table, String what, int round) throws InterruptedException {
        int from = arrived.get();
        long start = System.nanoTime();
        projects.asOwner(
                tenant,
                "SET synchronous_commit = on; INSERT INTO " + table
                        + " SELECT i, repeat('x', 40) FROM generate_series(" + round * 2_000_000 + ", "
                        + (round * 2_000_000 + 1_499_999) + ") i");
        double committed = (System.nanoTime() - start) / 1e9;
        int last = written.get();
        Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> arrived.get() > last);
        System.out.printf(
                "committed after %.1f s, read on after %.1f s%n", committed, (System.nanoTime() - start) / 1e9);
        report("beside " + what, from);
        System.out.printf("second streams so far: %.0f%n", process.count("svc.realtime.reader.beside"));
        Thread.sleep(3000);
    }

    @Test
    void measures() throws Exception {
        for (Tenant project : List.of(tenant, neighbour)) {
            projects.asOwner(
                    project,
                    "CREATE TABLE t (id int PRIMARY KEY, v text); CREATE TABLE unpublished (id int PRIMARY KEY, v text)");
            TestingFeed.publish(projects, project, "t");
        }
        try (var process = new TestingFeed(projects, REDIS.url(), FeedSettings.defaults(), ReaderSettings.defaults())) {
            process.subscribed(tenant, Caller.service(), binding(1, "*", "t", "id=lt.0", null));
            process.feed().subscribe(neighbour, Caller.service(), List.of(binding(1, "*", "t")), new Timing());
            Thread.sleep(3000);
            Thread writer = Thread.ofVirtual().start(this::write);
            Thread.sleep(Duration.ofSeconds(5));
            report("alone", 0);
            for (int round = 1; round <= 3; round++) {
                insert(process, "t", "1.5 million published rows", round);
                insert(process, "unpublished", "1.5 million rows that are not published", round);
            }
            writing.set(false);
            writer.join();
        }
    }
}
