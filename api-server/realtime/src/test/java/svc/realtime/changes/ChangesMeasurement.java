package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.realtime.change.ChangeData;
import svc.realtime.change.ChangeReceiver;
import svc.realtime.feed.FeedSettings;
import svc.realtime.reader.ReaderSettings;
import svc.testing.TestingProjects;

/**
 * Measures how long a change takes from its INSERT to the channels, and how many can be checked by row security. No part of
 * the suite: run by {@code -Dtest=ChangesMeasurement}. Sockets are not in it.
 */
class ChangesMeasurement {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("measured");
    private final TestingFeed process =
            new TestingFeed(projects, REDIS.url(), FeedSettings.defaults(), ReaderSettings.defaults());

    @AfterEach
    void stop() {
        process.close();
    }

    private static final class Counting implements ChangeReceiver {
        private final CountDownLatch subscribed;
        private final AtomicLongArray begun;
        private final long[] taken;
        private final AtomicInteger count;

        Counting(CountDownLatch subscribed, AtomicLongArray begun, long[] taken, AtomicInteger count) {
            this.subscribed = subscribed;
            this.begun = begun;
            this.taken = taken;
            this.count = count;
        }

        @Override
        public void subscribed() {
            subscribed.countDown();
        }

        @Override
        public void refused(String message) {
            System.out.println("refused: " + message);
        }

        @Override
        public void changed(List<Integer> ids, ChangeData data) {
            String json = data.json().toString();
            int at = json.indexOf("\"record\":{\"id\":") + 15;
            int id = Integer.parseInt(json.substring(at, json.indexOf(',', at)));
            int n = count.getAndIncrement();
            if (n < taken.length) {
                taken[n] = System.nanoTime() - begun.get(id);
            }
        }

        @Override
        public void failed(String message) {
            System.out.println("failed: " + message);
        }
    }

    private void insert(int from, int changes, int perSecond, AtomicLongArray begun) throws Exception {
        try (Connection owner = TestingProjects.SERVER.connect(
                        projects.database(),
                        tenant.names().role(DatabaseRole.OWNER).name(),
                        projects.password(tenant, DatabaseRole.OWNER));
                PreparedStatement insert = owner.prepareStatement("INSERT INTO m (id, owner, body) VALUES (?, ?, ?)")) {
            // The log is sent on when it is written, which the test server otherwise does a few times a second.
            owner.createStatement().execute("SET synchronous_commit = on");
            long start = System.nanoTime();
            for (int i = 0; i < changes; i++) {
                long due = start + i * (1_000_000_000L / perSecond);
                while (System.nanoTime() < due) {
                    Thread.onSpinWait();
                    if (due - System.nanoTime() > 200_000) {
                        Thread.sleep(0, 100_000);
                    }
                }
                begun.set(from + i, System.nanoTime());
                insert.setInt(1, from + i);
                insert.setInt(2, (from + i) % 100);
                insert.setString(3, "a change of some hundred bytes, as an application has it: " + "x".repeat(60));
                insert.execute();
            }
        }
    }

    private void measure(String what, int subscribers, int claims, boolean security, int changes, int rate)
            throws Exception {
        projects.asOwner(
                tenant,
                "DROP TABLE IF EXISTS m; CREATE TABLE m (id int PRIMARY KEY, owner int, body text);"
                        + (security
                                ? "ALTER TABLE m ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON m FOR SELECT USING"
                                        + " (owner = (svc_auth.jwt() ->> 'n')::int);"
                                : "")
                        + "GRANT SELECT ON m TO " + tenant.names().schemaName() + "_authenticated");
        TestingFeed.publish(projects, tenant, "m");
        var subscribed = new CountDownLatch(subscribers);
        var begun = new AtomicLongArray(changes);
        var count = new AtomicInteger();
        int expected = security ? changes * (subscribers / claims) / (100 / claims) : changes * subscribers;
        long[] taken = new long[expected];
        List<AutoCloseable> open = new ArrayList<>();
        long joining = System.nanoTime();
        for (int i = 0; i < subscribers; i++) {
            Caller caller = TestingFeed.user("{\"role\":\"authenticated\",\"n\":" + (i % claims) + "}");
            open.add(process.feed()
                    .subscribe(
                            tenant,
                            caller,
                            List.of(binding(1, "*", "m")),
                            new Counting(subscribed, begun, taken, count)));
        }
        assertThat(subscribed.await(60, TimeUnit.SECONDS)).isTrue();
        double joined = (System.nanoTime() - joining) / 1e9;
        long start = System.nanoTime();
        insert(0, changes, rate, begun);
        double inserted = (System.nanoTime() - start) / 1e9;
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (count.get() < expected && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long[] sorted = Arrays.copyOf(taken, Math.min(count.get(), expected));
        Arrays.sort(sorted);
        System.out.printf(
                "%s: %d of %d deliveries, %d subscribers joined in %.2f s, %.0f changes/s written, %.0f changes/s end to"
                        + " end, p50 %.1f ms, p99 %.1f ms%n",
                what,
                count.get(),
                expected,
                subscribers,
                joined,
                changes / inserted,
                changes / seconds,
                sorted[sorted.length / 2] / 1e6,
                sorted[(int) (sorted.length * 0.99)] / 1e6);
        for (AutoCloseable subscription : open) {
            subscription.close();
        }
    }

    @Test
    void measures() throws Exception {
        measure("warm-up", 100, 1, false, 5000, 1000);
        measure("100 subscribers, no row security", 100, 1, false, 15000, 1000);
        measure("warm-up", 1000, 100, true, 2000, 500);
        measure("1000 subscribers, 100 claims, row security", 1000, 100, true, 5000, 500);
        measure("1000 subscribers, 100 claims, row security, as fast as it goes", 1000, 100, true, 5000, 2000);
    }
}
