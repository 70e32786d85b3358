package svc.realtime.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Callers that wait for a position of the log. A position answers only those that asked before it was read. */
final class PositionWaiters {
    private final List<CompletableFuture<Long>> asking = new ArrayList<>();

    synchronized CompletableFuture<Long> ask() {
        CompletableFuture<Long> position = new CompletableFuture<>();
        asking.add(position);
        return position;
    }

    /** Takes what has been asked until now. */
    synchronized List<CompletableFuture<Long>> take() {
        List<CompletableFuture<Long>> taken = List.copyOf(asking);
        asking.clear();
        return taken;
    }

    /** For what could not be answered now. */
    synchronized void giveBack(List<CompletableFuture<Long>> taken) {
        taken.stream().filter(position -> !position.isDone()).forEach(asking::add);
    }

    synchronized void fail() {
        asking.forEach(position -> position.completeExceptionally(new IllegalStateException("the reader is closed")));
        asking.clear();
    }
}
