package svc.bench.realtime;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import svc.bench.measure.AuthProject;
import svc.bench.measure.Figure;
import svc.bench.measure.LiveHeap;
import svc.e2e.platform.Platform;
import svc.e2e.platform.ProcessorTime;

/** Sockets, joins and broadcasts of one project. */
final class RealtimeSockets {
    private static final double MAX_BYTES = 20 * 1024;
    private static final double MIN_JOINS = 2_000;
    private static final double MIN_DELIVERIES = 50_000;
    private static final double MAX_MILLIS = 50;
    private static final int MEMBERS = 100;
    private static final int ROOMS = 10;
    private static final int SECONDS = 10;
    private static final int WARM_UP_SECONDS = 15;

    /** Messages in a second to rooms of {@link #MEMBERS}: a project may have 100,000 deliveries. */
    private static final int[] RATES = {250, 500, 750, 950};

    private static final int JOINING = 500;
    private static final int TOPICS = 20;
    private static final String FILLING = "x".repeat(150);
    private static final String CONFIG = "{\"broadcast\":{\"self\":false},\"presence\":{\"enabled\":false}}";

    private final Platform platform;
    private final URI gateway;
    private final AuthProject project;

    RealtimeSockets(Platform platform, URI gateway, AuthProject project) {
        this.platform = platform;
        this.gateway = gateway;
        this.project = project;
    }

    /** Channels of sockets that are open, and sockets with one channel each. */
    List<Figure> joins() throws Exception {
        double warm = 0;
        double opened = 0;
        for (int run = 0; run < 4; run++) {
            try (var clients = new RealtimeClients(gateway, project)) {
                long begun = System.nanoTime();
                clients.open(JOINING);
                joinAll(clients, run, 1);
                opened = JOINING / seconds(begun);
                begun = System.nanoTime();
                joinAll(clients, run, TOPICS);
                warm = JOINING * TOPICS / seconds(begun);
            }
        }
        return List.of(
                new Figure("joins", warm, "1/s", null, null, null, ">= " + Figure.plain(MIN_JOINS), warm >= MIN_JOINS),
                Figure.watched("sockets opened, each with a join", opened, "1/s"));
    }

    private static void joinAll(RealtimeClients clients, int run, int topics) throws IOException {
        clients.tally().clear();
        for (int topic = 0; topic < topics; topic++) {
            for (int client = 0; client < clients.count(); client++) {
                clients.join(client, "j" + run + "-" + topics + "-" + topic + "-" + client % ROOMS, CONFIG, "");
                clients.turn(0);
            }
        }
        clients.await("joins", 60, () -> clients.tally().replies() >= (long) topics * clients.count());
    }

    /** Rooms of a hundred that hear each other, at rates that grow until they are too high. */
    List<Figure> broadcast() throws Exception {
        var figures = new ArrayList<Figure>();
        try (var clients = new RealtimeClients(gateway, project)) {
            clients.open(ROOMS * MEMBERS);
            for (int client = 0; client < clients.count(); client++) {
                clients.join(client, "room" + client % ROOMS, CONFIG, "");
            }
            clients.await("joins", 60, () -> clients.tally().replies() >= clients.count());
            clients.keepAlive();
            say(clients, RATES[1], WARM_UP_SECONDS);
            double best = 0;
            for (int rate : RATES) {
                Spoken spoken = say(clients, rate, SECONDS);
                String name = "broadcast, " + rate * (MEMBERS - 1) + " deliveries/s asked for";
                figures.add(Figure.watched(name, spoken.perSecond(), "1/s"));
                figures.add(Figure.watched(name + ", p50", spoken.p50(), "ms"));
                figures.add(Figure.watched(name + ", p99", spoken.p99(), "ms"));
                figures.add(Figure.watched(name + ", per core of the platform", spoken.perCore(), "1/s"));
                figures.add(Figure.watched(name + ", platform's processors", spoken.platform(), "cores"));
                figures.add(Figure.watched(name + ", load's processors", spoken.load(), "cores"));
                if (spoken.p99() <= MAX_MILLIS) {
                    best = Math.max(best, spoken.perCore());
                }
            }
            figures.add(new Figure(
                    "broadcast deliveries per core at a p99 of 50 ms or less",
                    best,
                    "1/s",
                    null,
                    null,
                    null,
                    ">= " + Figure.plain(MIN_DELIVERIES),
                    best >= MIN_DELIVERIES));
        }
        return figures;
    }

    /** @param platform and {@code load}: processors that each has kept busy */
    private record Spoken(double perSecond, double p50, double p99, double platform, double load) {
        double perCore() {
            return perSecond / platform;
        }
    }

    private Spoken say(RealtimeClients clients, int perSecond, int seconds) throws IOException {
        clients.tally().clear();
        double ours = ProcessorTime.of(platform.process());
        double load = ProcessorTime.of(ProcessHandle.current());
        long begun = System.nanoTime();
        long messages = (long) perSecond * seconds;
        for (long sent = 0; sent < messages; ) {
            long due = Math.min(messages, (long) (seconds(begun) * perSecond) + 1);
            if (sent == due) {
                clients.turn(1);
                continue;
            }
            // Another sender each time.
            int client = (int) (sent * 7 % clients.count());
            clients.broadcast(client, "room" + client % ROOMS, FILLING);
            sent++;
            clients.turn(0);
        }
        clients.await("deliveries", 60, () -> clients.tally().measured() >= messages * (MEMBERS - 1));
        double took = seconds(begun);
        return new Spoken(
                clients.tally().measured() / took,
                clients.tally().percentileMillis(50),
                clients.tally().percentileMillis(99),
                (ProcessorTime.of(platform.process()) - ours) / took,
                (ProcessorTime.of(ProcessHandle.current()) - load) / took);
    }

    /** Sockets with a channel each that only say that they are there. */
    List<Figure> idle(int count) throws Exception {
        Path before = Files.createTempFile("svc-bench-", ".before");
        Path after = Path.of("target", "bench-realtime-idle.histogram");
        Files.createDirectories(after.getParent());
        try (var clients = new RealtimeClients(gateway, project)) {
            long heap = LiveHeap.bytes(platform.process(), before);
            long resident = resident();
            clients.open(count);
            clients.keepAlive();
            for (int client = 0; client < count; client++) {
                clients.join(client, "idle" + client / MEMBERS, CONFIG, "");
                clients.turn(0);
            }
            clients.await("joins", 120, () -> clients.tally().replies() >= count);
            clients.watch(SECONDS);
            double processor = ProcessorTime.of(platform.process());
            clients.watch(3 * SECONDS);
            double used = (ProcessorTime.of(platform.process()) - processor) / (3 * SECONDS);
            long heapAfter = LiveHeap.bytes(platform.process(), after);
            long residentAfter = resident();
            String name = count + " idle sockets with a channel each, ";
            return List.of(
                    Figure.atMost(name + "live heap of one", (heapAfter - heap) / (double) count, "bytes", MAX_BYTES),
                    Figure.atMost(
                            name + "resident memory of one",
                            (residentAfter - resident) / (double) count,
                            "bytes",
                            MAX_BYTES),
                    Figure.watched(name + "platform's processors", used, "cores"));
        } finally {
            Files.delete(before);
        }
    }

    /** Of the platform's JVM after the collection that the count of live objects makes, in bytes. */
    private long resident() throws IOException {
        return Files.readAllLines(
                        Path.of("/proc", Long.toString(platform.process().pid()), "status"))
                .stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .findFirst()
                .orElseThrow();
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
