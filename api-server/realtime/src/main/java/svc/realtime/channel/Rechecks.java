package svc.realtime.channel;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/** Questions to a project's policies, a few at a time, so that requests find connections beside them. Thread-safe. */
final class Rechecks {
    private static final int MAX_RUNNING = 4;

    private final Queue<Supplier<Future<Void>>> waiting = new ArrayDeque<>();
    private int running;

    /** @param question is asked when it is its turn, on any thread; never fails by an exception */
    void add(Supplier<Future<Void>> question) {
        synchronized (this) {
            if (running == MAX_RUNNING) {
                waiting.add(question);
                return;
            }
            running++;
        }
        ask(question);
    }

    private void ask(Supplier<Future<Void>> question) {
        question.get().onComplete(answered -> next());
    }

    private void next() {
        Supplier<Future<Void>> question;
        synchronized (this) {
            question = waiting.poll();
            if (question == null) {
                running--;
                return;
            }
        }
        ask(question);
    }
}
