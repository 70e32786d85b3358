package svc.server.watch;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.impl.btc.BlockedThreadEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.platform.loop.WatchedLoop;

/**
 * Says in one line which thread of Vert.x is blocked, and where: its own checker prints a stack trace of a hundred lines each
 * second, which on a busy machine hides what matters.
 */
@Singleton
final class BlockedThreads {
    private static final Logger LOG = Logger.getLogger(BlockedThreads.class);

    /** Before the work of the start. */
    private static final int FIRST = 1;

    void watch(@Observes @Priority(FIRST) StartupEvent started, Vertx vertx) {
        if (vertx instanceof VertxInternal internal) {
            internal.blockedThreadChecker().setThreadBlockedHandler(BlockedThreads::report);
        }
    }

    private static void report(BlockedThreadEvent blocked) {
        LOG.warn(line(blocked.thread(), blocked.duration()));
    }

    /** @param nanos how long the thread has been busy with one task */
    static String line(Thread thread, long nanos) {
        Optional<String> frame = WatchedLoop.ownCode(thread);
        StackTraceElement[] stack = thread.getStackTrace();
        String inner =
                stack.length == 0 ? "an unknown place" : stack[0].getClassName() + "." + stack[0].getMethodName();
        return "The thread " + thread.getName() + " has worked on one task for " + TimeUnit.NANOSECONDS.toMillis(nanos)
                + " ms, now in " + inner + frame.map(at -> ", called at " + at).orElse("")
                + ". The machine is busy, or the task does not belong on this thread.";
    }
}
