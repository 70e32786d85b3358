package svc.functions;

import io.vertx.core.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** One ready process of a function, and the number of this instance's calls in progress on it. */
final class FunctionEndpoint {
    private final SocketAddress address;
    private final AtomicInteger calls = new AtomicInteger();

    FunctionEndpoint(SocketAddress address) {
        this.address = address;
    }

    SocketAddress address() {
        return address;
    }

    int calls() {
        return calls.get();
    }

    void begin() {
        calls.incrementAndGet();
    }

    void end() {
        calls.decrementAndGet();
    }
}
