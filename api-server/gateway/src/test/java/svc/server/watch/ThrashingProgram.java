package svc.server.watch;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps nearly as much as its heap can hold, and makes garbage: each collection frees little, and none fails. */
final class ThrashingProgram {
    private static final int KEPT_BYTES = 512;

    /** What is given back when there is no memory at all: so little that the next collection follows at once. */
    private static final int GIVEN_BACK = 200;

    private ThrashingProgram() {}

    /** @param arguments the window in milliseconds */
    public static void main(String[] arguments) {
        Duration window = Duration.ofMillis(Long.parseLong(arguments[0]));
        new CollectorWatch(new CollectionRule(window, CollectionRule.MAX_PART), window.dividedBy(20)).start();
        Deque<byte[]> kept = new ArrayDeque<>();
        byte[] garbage = null;
        while (garbage == null || garbage.length > 0) {
            try {
                kept.add(new byte[KEPT_BYTES]);
                garbage = new byte[KEPT_BYTES];
            } catch (OutOfMemoryError e) {
                for (int i = 0; i < GIVEN_BACK; i++) {
                    kept.poll();
                }
            }
        }
    }
}
