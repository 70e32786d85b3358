package svc.operator.testing;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/**
 * Injects faults of an operator's process into its requests to the Kubernetes API: it lives, is killed around one of its
 * writes, hangs for a while, or gets a response late. Does not count leases as writes.
 */
public final class ProcessFault implements Interceptor {
    /** Whether it is killed before or after the write. */
    public enum Side {
        /** The API does not get the write. */
        BEFORE,
        /** The API did the write; the operator gets no response. */
        AFTER
    }

    private final int lastWrite;
    private final Side side;
    private final AtomicInteger writes = new AtomicInteger();
    private final CountDownLatch died = new CountDownLatch(1);
    private final Queue<Runnable> held = new ArrayDeque<>();
    private volatile CountDownLatch sleep = new CountDownLatch(0);
    private volatile String heldPath;

    private ProcessFault(int lastWrite, Side side) {
        this.lastWrite = lastWrite;
        this.side = side;
    }

    public static ProcessFault lives() {
        return new ProcessFault(Integer.MAX_VALUE, Side.BEFORE);
    }

    /** @param write 1 for the first */
    public static ProcessFault killedAt(int write, Side side) {
        return new ProcessFault(write, side);
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

    /** Delays responses to patches of that path until released. The API does the patch immediately. */
    public void holdAnswers(String path) {
        synchronized (held) {
            heldPath = path;
        }
    }

    /** Once an answer is held: those that come from now on arrive, and it stays away. */
    public void holdNoFurther() {
        awaitHeld();
        synchronized (held) {
            heldPath = null;
        }
    }

    /** Lets the answer arrive that has been held longest, or else the next one. */
    public void answer() {
        awaitHeld();
        synchronized (held) {
            held.remove().run();
        }
    }

    /** Lets all arrive, those to come as well. */
    public void answerAll() {
        synchronized (held) {
            heldPath = null;
            held.forEach(Runnable::run);
            held.clear();
        }
    }

    private void awaitHeld() {
        Awaitility.await("an answer to a patch of " + heldPath)
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    synchronized (held) {
                        return !held.isEmpty();
                    }
                });
    }

    /** From now on every request waits, as in a process that was stopped, or on a machine that hangs. */
    public void fallAsleep() {
        sleep = new CountDownLatch(1);
    }

    /** Resumes the held requests. */
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
        if (request.method().equals("PATCH") && request.uri().getPath().equals(heldPath)) {
            return (bytes, body) -> holdOrConsume(consumer, bytes, body);
        }
        return isWrite(request) && writes.get() >= lastWrite
                ? (bytes, body) -> {
                    throw new Dead();
                }
                : consumer;
    }

    /** The client requests the rest of a body only after its first part, so the response is not complete before. */
    private void holdOrConsume(AsyncBody.Consumer<List<ByteBuffer>> consumer, List<ByteBuffer> bytes, AsyncBody body) {
        synchronized (held) {
            if (heldPath == null) {
                consume(consumer, bytes, body);
            } else {
                held.add(() -> consume(consumer, bytes, body));
            }
        }
    }

    private static void consume(AsyncBody.Consumer<List<ByteBuffer>> consumer, List<ByteBuffer> bytes, AsyncBody body) {
        try {
            consumer.consume(bytes, body);
        } catch (Exception e) {
            throw new IllegalStateException("while an answer that was held arrives", e);
        }
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

    /** A process that is gone sends nothing. */
    public static final class Dead extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
