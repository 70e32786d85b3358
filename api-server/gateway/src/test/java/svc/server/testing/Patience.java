package svc.server.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long tests wait for what happens by itself: on a busy machine, longer than the library's ten seconds. */
public final class Patience {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(LIMIT);
    }
}
