package svc.bench.siege;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import svc.bench.measure.Figure;
import svc.bench.measure.LiveHeap;
import svc.bench.measure.Suite;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * What attacks cost a project that is not part of them: the 99th percentile of its reads during each attack against the same
 * reads before, its failed requests, the backends of functions that catch their cancellation, and the live heap of the
 * platform after all of them.
 */
public final class SiegeSuite implements Suite {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration CALM = Duration.ofSeconds(10);
    private static final Duration ATTACK = Duration.ofSeconds(20);

    /** After each attack: its connections close, and its backends end. */
    private static final Duration PAUSE = Duration.ofSeconds(6);

    private static final double MAX_TIMES_CALM = 10;
    private static final double MAX_HEAP_GROWTH = 1.1;
    private static final double MEBI = 1 << 20;
    private static final int SHOWN_FAILURES = 3;

    @Override
    public String name() {
        return "siege";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform = Platform.start(PlatformCommand.onFreePorts(data))) {
            return measure(platform);
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static List<Figure> measure(Platform platform) throws Exception {
        Neighbour neighbour = Neighbour.create(platform);
        List<Attack> attacks = attacks(platform);
        neighbour.readFor(WARM_UP);
        long heapBefore = LiveHeap.bytes(platform.process(), Path.of("target/siege-heap-before.txt"));
        double calm = neighbour.readFor(CALM).p99();
        List<Figure> figures = new ArrayList<>(List.of(Figure.watched("neighbour's p99, calm", calm, "ms")));
        for (Attack attack : attacks) {
            Neighbour.Period period;
            try (AutoCloseable held = attack.start().begin()) {
                period = neighbour.readFor(ATTACK);
            }
            period.failures().stream()
                    .limit(SHOWN_FAILURES)
                    .forEach(failure -> System.err.println(attack.name() + ": " + failure));
            figures.add(Figure.costAgainstPeer(
                    "neighbour's p99, " + attack.name(), period.p99(), "ms", "calm", calm, MAX_TIMES_CALM));
            figures.add(Figure.atMost(
                    "neighbour's failures, " + attack.name(), period.failures().size(), "", 0));
            Thread.sleep(PAUSE);
        }
        figures.add(new SwallowedCancellation(platform).measure());
        figures.add(Figure.costAgainstPeer(
                "platform's live heap afterwards",
                LiveHeap.bytes(platform.process(), Path.of("target/siege-heap-after.txt")) / MEBI,
                "MiB",
                "before",
                heapBefore / MEBI,
                MAX_HEAP_GROWTH));
        return figures;
    }

    private static List<Attack> attacks(Platform platform) throws Exception {
        List<Attack> all = new ArrayList<>(new Siege(platform).attacks());
        all.addAll(StorageAttacks.prepare(platform).attacks());
        all.addAll(RealtimeAttacks.prepare(platform).attacks());
        all.addAll(QueryAttacks.prepare(platform).attacks());
        String only = System.getProperty("svc.bench.siege.only", "");
        return all.stream().filter(attack -> attack.name().contains(only)).toList();
    }
}
