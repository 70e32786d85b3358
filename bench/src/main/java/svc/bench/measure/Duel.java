package svc.bench.measure;

import java.util.ArrayList;
import java.util.List;

/** Two that are measured in turns, so that what else the machine does falls on both. */
public record Duel(Measured ours, Measured peer) {
    private static final int RUNS = 5;

    /** One of the two, for one run. */
    @FunctionalInterface
    public interface Side {
        Measured run() throws Exception;
    }

    /** Medians of five runs each, after one each that does not count. */
    public static Duel of(Side ours, Side peer) throws Exception {
        ours.run();
        peer.run();
        List<Measured> ofOurs = new ArrayList<>();
        List<Measured> ofPeer = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            ofOurs.add(ours.run());
            ofPeer.add(peer.run());
        }
        return new Duel(Measured.median(ofOurs), Measured.median(ofPeer));
    }

    public Figure throughput(String name, String peerName, double leastRatio) {
        return Figure.againstPeer(name, ours.perSecond(), "1/s", peerName, peer.perSecond(), leastRatio);
    }

    public Figure latency(String name, String peerName, double mostRatio) {
        return Figure.costAgainstPeer(name + ", p99", ours.p99Millis(), "ms", peerName, peer.p99Millis(), mostRatio);
    }
}
