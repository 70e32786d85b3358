package svc.realtime.feed;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/** Runs tasks one after the other, in their order, on threads that may block; idle it has no thread. */
final class SerialTasks {
    private static final Logger LOG = Logger.getLogger(SerialTasks.class);

    private final Executor threads;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean running;

    SerialTasks(Executor threads) {
        this.threads = threads;
    }

    void run(Runnable task) {
        synchronized (this) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        threads.execute(this::drain);
    }

    private void drain() {
        while (true) {
            Runnable next;
            synchronized (this) {
                next = tasks.poll();
                if (next == null) {
                    running = false;
                    return;
                }
            }
            try {
                next.run();
            } catch (RuntimeException e) {
                LOG.error("a task of table changes failed", e);
            }
        }
    }
}
