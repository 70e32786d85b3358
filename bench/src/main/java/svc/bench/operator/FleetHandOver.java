package svc.bench.operator;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.e2e.platform.OperatorProcess;

/** How long it takes until another replica leads, after the leader was asked to end, and after it was killed. */
final class FleetHandOver {
    private static final int STOPPED_ROUNDS = 6;
    private static final int KILLED_ROUNDS = 3;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    /** So that the rounds begin at different moments between two attempts of the candidate. */
    private static final long PHASE_MILLIS = 370;

    private final FleetCluster cluster;
    private final Fleet fleet;
    private OperatorProcess leader;
    private int replicas;

    FleetHandOver(FleetCluster cluster, Fleet fleet, OperatorProcess leader) {
        this.cluster = cluster;
        this.fleet = fleet;
        this.leader = leader;
    }

    List<Figure> measure() throws IOException, InterruptedException {
        var figures = new ArrayList<Figure>();
        var firstReady = new ArrayList<Duration>();
        Samples stopped = measure(STOPPED_ROUNDS, OperatorProcess::tellToEnd, firstReady);
        Samples killed = measure(KILLED_ROUNDS, OperatorProcess::kill, firstReady);
        figures.add(Figure.watched("another replica leads after SIGTERM, median", stopped.median(), "ms"));
        figures.add(Figure.atMost("another replica leads after SIGTERM, worst", stopped.percentile(100), "ms", 2_000));
        figures.add(Figure.watched("another replica leads after SIGKILL, median", killed.median(), "ms"));
        figures.add(Figure.atMost("another replica leads after SIGKILL, worst", killed.percentile(100), "ms", 20_000));
        figures.add(Figure.watched(
                "a Project created after a hand-over is Ready, median",
                Samples.of(firstReady).median(),
                "ms"));
        return figures;
    }

    /** The replica that leads now. */
    OperatorProcess leader() {
        return leader;
    }

    private Samples measure(int rounds, Consumer<OperatorProcess> end, List<Duration> firstReady)
            throws IOException, InterruptedException {
        var measured = new ArrayList<Duration>();
        for (int round = 0; round < rounds; round++) {
            String name = "replica" + replicas++;
            OperatorProcess candidate = cluster.operator(name);
            fleet.follow(candidate);
            Thread.sleep(round * PHASE_MILLIS);
            String before = cluster.leader();
            long begin = System.nanoTime();
            end.accept(leader);
            awaitAnother(before, begin);
            measured.add(Duration.ofNanos(System.nanoTime() - begin));
            firstReady.add(fleet.create(name, 1));
            leader = candidate;
        }
        return Samples.of(measured);
    }

    private void awaitAnother(String before, long begin) throws IOException, InterruptedException {
        for (String holder = before; holder.isEmpty() || holder.equals(before); holder = cluster.leader()) {
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new IOException("no other replica leads after " + LIMIT);
            }
            Thread.sleep(5);
        }
    }
}
