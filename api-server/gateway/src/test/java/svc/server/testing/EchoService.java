package svc.server.testing;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import jakarta.enterprise.context.ApplicationScoped;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.dataplane.DataPlaneService;
import svc.platform.dataplane.UpstreamFailedException;

/** A stand-in for the realtime service: returns what the gateway passed to it, or fails as the path names. */
@ApplicationScoped
public class EchoService implements DataPlaneService {
    /** Two of them are more than a project may hold in memory, by the settings of {@link TestingPlatform}. */
    public static final int LARGE_BYTES = 40 << 20;

    /** Processor time of {@code /burn}: more than a test may take on an event loop. */
    private static final Duration BURNED = Duration.ofMillis(600);

    private final AtomicInteger held = new AtomicInteger();
    private final Semaphore released = new Semaphore(0);

    /** How many requests to {@code /held} wait. */
    public int held() {
        return held.get();
    }

    /** Answers them. */
    public void release() {
        released.release(held.get());
    }

    @Override
    public String name() {
        return "realtime";
    }

    /** {@code /burn} holds the event loop, as no service may. */
    @Override
    public Optional<CompletionStage<Void>> begin(DataPlaneRequest request) {
        if (!request.path().equals("/burn")) {
            return Optional.empty();
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + BURNED.toNanos();
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
        request.response().end("{}");
        return Optional.of(CompletableFuture.completedFuture(null));
    }

    @Override
    public void handle(DataPlaneRequest request) {
        switch (request.path()) {
            case "/fault" -> throw new IllegalStateException("secret of the service");
            case "/upstream" -> throw new UpstreamFailedException("secret of the upstream", null);
            case "/held" -> {
                held.incrementAndGet();
                released.acquireUninterruptibly();
                held.decrementAndGet();
                request.response().end("{}");
            }
            case "/large" -> request.response().end(Buffer.buffer(new byte[LARGE_BYTES]));
            default ->
                request.response()
                        .putHeader("content-type", "application/json")
                        .end(new JsonObject()
                                .put("role", request.caller().role().name())
                                .put("login", request.caller().login().name())
                                .put("claims", request.caller().claims())
                                .put("method", request.method().name())
                                .put("path", request.path())
                                .put("query", request.query())
                                .put("body", request.body().toString())
                                .put("ref", request.tenant().ref())
                                .put("request_id", request.requestId())
                                .put("thread_is_virtual", Thread.currentThread().isVirtual())
                                .encode());
        }
    }
}
