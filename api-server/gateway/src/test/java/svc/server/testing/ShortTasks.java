package svc.server.testing;

import io.quarkus.arc.Arc;
import io.quarkus.arc.InstanceHandle;
import io.quarkus.test.junit.callback.QuarkusTestAfterAllCallback;
import io.quarkus.test.junit.callback.QuarkusTestContext;
import java.util.List;
import svc.platform.loop.LoopWatch;
import svc.platform.loop.SlowTask;

/**
 * Fails each test class whose requests held an event loop for more than half a second of a processor: such a request delays
 * that of all other tests. Found by its name in {@code META-INF/services}.
 */
public final class ShortTasks implements QuarkusTestAfterAllCallback {
    @Override
    public void afterAll(QuarkusTestContext context) {
        InstanceHandle<LoopWatch> watch = Arc.container().instance(LoopWatch.class);
        List<SlowTask> found = watch.isAvailable() ? watch.get().takeLong() : List.of();
        if (!found.isEmpty()) {
            throw new AssertionError("Too long for an event loop: " + found);
        }
    }
}
