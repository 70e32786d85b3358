package svc.operator.testing;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/**
 * What becomes of an operator's process, played on its way to the Kubernetes API: it lives, is killed around one of its
 * writes, or sleeps for a while. Leases are not counted as writes.
 */
public final class Fate implements Interceptor {
    /** On which side of the write it dies. */
    public enum Side {
        /** The API never hears of the write. */
        BEFORE,
        /** The API did as told; the operator never learns of it. */
        AFTER
    }

    private final int lastWrite;
    private final Side side;
    private final AtomicInteger writes = new AtomicInteger();
    private final CountDownLatch died = new CountDownLatch(1);
    private volatile CountDownLatch sleep = new CountDownLatch(0);

    private Fate(int lastWrite, Side side) {
        this.lastWrite = lastWrite;
        this.side = side;
    }

    public static Fate lives() {
        return new Fate(Integer.MAX_VALUE, Side.BEFORE);
    }

    /** @param write 1 for the first */
    public static Fate killedAt(int write, Side side) {
        return new Fate(write, side);
    }

    /** How many writes were begun. */
    public int writes() {
        return writes.get();
    }

    public void awaitDeath() {
        awaitDeathOr(() -> false);
    }

    /** Until it died, or has done all that there was to do with fewer writes. */
    public void awaitDeathOr(BooleanSupplier done) {
        Awaitility.await("a death after " + writes() + " writes")
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> died.getCount() == 0 || done.getAsBoolean());
    }

    /** From now on every request waits, as in a process that was stopped, or on a machine that hangs. */
    public void fallAsleep() {
        sleep = new CountDownLatch(1);
    }

    /** What was waiting goes on, as if no time had passed. */
    public void wakeUp() {
        sleep.countDown();
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        awaitWaking();
        if (died.getCount() == 0) {
            throw new Dead();
        }
        if (isWrite(request)) {
            int write = writes.incrementAndGet();
            if (write == lastWrite) {
                died.countDown();
            }
            if (write == lastWrite && side == Side.BEFORE || write > lastWrite) {
                throw new Dead();
            }
        }
    }

    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        return isWrite(request) && writes.get() >= lastWrite
                ? (bytes, body) -> {
                    throw new Dead();
                }
                : consumer;
    }

    private void awaitWaking() {
        try {
            sleep.await(Duration.ofMinutes(1).toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new Dead();
        }
    }

    private static boolean isWrite(HttpRequest request) {
        String path = request.uri().getPath();
        return !request.method().equals("GET") && !path.contains("/leases") && !path.contains("selfsubject");
    }

    /** Nothing reaches anybody from a process that is gone. */
    public static final class Dead extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
