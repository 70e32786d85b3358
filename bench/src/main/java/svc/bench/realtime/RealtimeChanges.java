package svc.bench.realtime;

import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import svc.bench.measure.AuthProject;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.Figure;
import svc.e2e.platform.Platform;
import svc.e2e.platform.ProcessorTime;

/** Table changes of one project: single inserts, each a transaction of its own, until they arrive at its clients. */
final class RealtimeChanges {
    private static final int WRITERS = 4;
    private static final int SECONDS = 10;
    private static final int WARM_UP_SECONDS = 10;
    private static final int SUBSCRIBERS = 100;
    private static final int CHANGES = 1_000;
    private static final double MAX_P50 = 15;
    private static final double MAX_P99 = 60;
    private static final int CLAIMS = 100;
    private static final int SUBSCRIBERS_OF_CLAIM = 10;

    /** A little above what is asked for, to be able to reach it. */
    private static final int CHECKED_CHANGES = 550;

    private static final double MIN_CHECKED = 500;

    private static final String TABLES = """
            CREATE TABLE open_change (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner uuid, t bigint, body text);
            GRANT SELECT ON open_change TO anon, authenticated;
            CREATE TABLE own_change (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner uuid, t bigint, body text);
            GRANT SELECT ON own_change TO authenticated;
            ALTER TABLE own_change ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON own_change FOR SELECT TO authenticated USING (owner = (SELECT auth.uid()));
            ALTER PUBLICATION supabase_realtime ADD TABLE open_change, own_change;
            """;

    private final Platform platform;
    private final URI gateway;
    private final AuthProject project;
    private boolean made;

    RealtimeChanges(Platform platform, URI gateway, AuthProject project) {
        this.platform = platform;
        this.gateway = gateway;
        this.project = project;
    }

    /** A thousand changes in a second to a hundred subscribers without row security. */
    List<Figure> latency() throws Exception {
        make();
        try (var clients = new RealtimeClients(gateway, project)) {
            clients.open(SUBSCRIBERS);
            for (int client = 0; client < SUBSCRIBERS; client++) {
                clients.join(client, "changes", config("open_change"), "");
            }
            clients.await("subscriptions", 60, () -> clients.tally().subscribed() >= SUBSCRIBERS);
            clients.keepAlive();
            var owners = List.of(UUID.randomUUID());
            write(clients, "open_change", owners, CHANGES, WARM_UP_SECONDS, SUBSCRIBERS);
            Written written = write(clients, "open_change", owners, CHANGES, SECONDS, SUBSCRIBERS);
            String name = CHANGES + " changes/s, " + SUBSCRIBERS + " subscribers, ";
            var figures = new ArrayList<Figure>();
            figures.add(Figure.atMost(name + "p50", clients.tally().percentileMillis(50), "ms", MAX_P50));
            figures.add(Figure.atMost(name + "p99", clients.tally().percentileMillis(99), "ms", MAX_P99));
            figures.addAll(written.figures(name));
            return figures;
        }
    }

    /** A thousand subscribers, of whom ten see a change: a policy says which. */
    List<Figure> rowSecurity() throws Exception {
        make();
        List<UUID> owners = new ArrayList<>();
        List<String> tokens = new ArrayList<>();
        for (int claim = 0; claim < CLAIMS; claim++) {
            var session = project.anonymous();
            owners.add(UUID.fromString(session.at("/user/id").asText()));
            tokens.add(session.get("access_token").asText());
        }
        try (var clients = new RealtimeClients(gateway, project)) {
            int all = CLAIMS * SUBSCRIBERS_OF_CLAIM;
            clients.open(all);
            for (int client = 0; client < all; client++) {
                clients.join(client, "own", config("own_change"), tokens.get(client % CLAIMS));
                clients.turn(0);
            }
            clients.await("subscriptions", 60, () -> clients.tally().subscribed() >= all);
            clients.keepAlive();
            write(clients, "own_change", owners, CHECKED_CHANGES, WARM_UP_SECONDS, SUBSCRIBERS_OF_CLAIM);
            Written written = write(clients, "own_change", owners, CHECKED_CHANGES, SECONDS, SUBSCRIBERS_OF_CLAIM);
            String name = all + " subscribers with " + CLAIMS + " claims and row security, ";
            var figures = new ArrayList<Figure>();
            figures.add(new Figure(
                    name + "changes",
                    written.perSecond(),
                    "1/s",
                    null,
                    null,
                    null,
                    ">= " + Figure.plain(MIN_CHECKED),
                    written.perSecond() >= MIN_CHECKED));
            figures.add(Figure.watched(name + "p50", clients.tally().percentileMillis(50), "ms"));
            figures.add(Figure.watched(name + "p99", clients.tally().percentileMillis(99), "ms"));
            figures.addAll(written.figures(name));
            return figures;
        }
    }

    private void make() throws IOException {
        if (!made) {
            platform.controlPlane().query(project.ref(), TABLES).expect(201);
            made = true;
        }
    }

    private static String config(String table) {
        return "{\"presence\":{\"enabled\":false},\"postgres_changes\":[{\"event\":\"INSERT\",\"schema\":\"public\",\"table\":\""
                + table + "\"}]}";
    }

    /** Processors that each was busy with. */
    private record Written(double perSecond, double insertMillis, double platform, double database, double load) {
        List<Figure> figures(String name) {
            return List.of(
                    Figure.watched(name + "INSERT alone, mean", insertMillis, "ms"),
                    Figure.watched(name + "changes", perSecond, "1/s"),
                    Figure.watched(name + "platform's processors", platform, "cores"),
                    Figure.watched(name + "PostgreSQL's processors", database, "cores"),
                    Figure.watched(name + "load's processors", load, "cores"));
        }
    }

    /** Returns when all have arrived. @throws IOException when some are lost */
    private Written write(
            RealtimeClients clients, String table, List<UUID> owners, int perSecond, int seconds, int receivers)
            throws Exception {
        clients.tally().clear();
        BenchDatabase database = BenchDatabase.of(platform);
        double ours = ProcessorTime.of(platform.process());
        double rows = ProcessorTime.ofTree(database.server());
        double load = ProcessorTime.of(ProcessHandle.current());
        var inserting = new LongAdder();
        int changes = perSecond * seconds;
        // Writers that connect while changes are due already would begin with a burst.
        var connected = new CountDownLatch(WRITERS);
        var begin = new CompletableFuture<Long>();
        long begun;
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> writing = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int first = writer;
                writing.add(writers.submit(() -> {
                    try (Connection session = database.connect();
                            PreparedStatement insert = session.prepareStatement(insertInto(session, table))) {
                        connected.countDown();
                        insert(insert, owners, first, changes, perSecond, begin.get(), inserting);
                    }
                    return null;
                }));
            }
            connected.await(60, TimeUnit.SECONDS);
            begun = System.nanoTime();
            begin.complete(begun);
            long expected = (long) changes * receivers;
            clients.await(
                    "changes",
                    seconds + 60,
                    () -> clients.tally().measured() >= expected
                            || clients.tally().errors() > 0);
            await(writing);
            if (clients.tally().errors() > 0) {
                throw new IOException("changes were lost: " + clients.tally());
            }
        }
        double took = (System.nanoTime() - begun) / 1e9;
        return new Written(
                changes / took,
                inserting.sum() / 1e6 / changes,
                (ProcessorTime.of(platform.process()) - ours) / took,
                (ProcessorTime.ofTree(database.server()) - rows) / took,
                (ProcessorTime.of(ProcessHandle.current()) - load) / took);
    }

    private static void await(List<Future<?>> writing) throws InterruptedException, ExecutionException {
        for (Future<?> writer : writing) {
            writer.get();
        }
    }

    private static String insertInto(Connection session, String table) throws SQLException {
        try (Statement statement = session.createStatement();
                ResultSet found = statement.executeQuery(
                        "SELECT relnamespace::regnamespace FROM pg_class WHERE relname = '" + table + "'")) {
            found.next();
            return "INSERT INTO " + found.getString(1) + "." + table + " (owner, t, body) VALUES (?, ?, ?)";
        }
    }

    /** Every {@link #WRITERS}th change, when it is due. */
    private static void insert(
            PreparedStatement insert,
            List<UUID> owners,
            int first,
            int changes,
            int perSecond,
            long begun,
            LongAdder inserting)
            throws SQLException {
        for (int change = first; change < changes; change += WRITERS) {
            long due = begun + change * 1_000_000_000L / perSecond;
            LockSupport.parkNanos(due - System.nanoTime());
            insert.setObject(1, owners.get(change % owners.size()));
            long now = System.nanoTime();
            insert.setLong(2, now);
            insert.setString(3, "a change of some hundred bytes, as an application has it");
            insert.executeUpdate();
            inserting.add(System.nanoTime() - now);
        }
    }
}
