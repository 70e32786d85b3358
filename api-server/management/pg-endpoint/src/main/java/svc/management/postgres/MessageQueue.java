package svc.management.postgres;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The messages of a client in their order. A thread of its own reads them, so that a client that leaves is noticed while a
 * statement runs; a full queue stops it.
 */
final class MessageQueue {
    private static final int SIZE = 256;

    private final BlockingQueue<ClientMessage> queue = new ArrayBlockingQueue<>(SIZE);
    private final MessageReader.Admission admission;
    private final Runnable gone;
    private Optional<Thread> reader = Optional.empty();
    private volatile Optional<ProtocolException> fault = Optional.empty();
    private volatile boolean left;

    /** @param gone runs when nothing more can be read */
    MessageQueue(MessageReader.Admission admission, Runnable gone) {
        this.admission = admission;
        this.gone = gone;
    }

    void start(MessageReader messages) {
        reader = Optional.of(Thread.ofVirtual().name("read-postgres-client").start(() -> read(messages)));
    }

    private void read(MessageReader messages) {
        try {
            ClientMessage message;
            do {
                message = messages.next(admission);
                queue.put(message);
            } while (message.type() != 'X');
        } catch (ProtocolException e) {
            fault = Optional.of(e);
            ended();
        } catch (IOException e) {
            // The connection ended.
            ended();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ended() {
        left = true;
        gone.run();
        // If there is no room, the worker finds the flag when it has taken what is there.
        queue.offer(ClientMessage.END);
    }

    /** The next message, {@link ClientMessage#END} behind the last one; empty if none came in time. */
    Optional<ClientMessage> poll(Duration wait) throws InterruptedException {
        long millis = left ? 0 : Math.max(0, wait.toMillis());
        ClientMessage next = queue.poll(millis, TimeUnit.MILLISECONDS);
        if (next == null && left) {
            // What came in between is in the queue: the flag is set behind the last message.
            next = Objects.requireNonNullElse(queue.poll(), ClientMessage.END);
        }
        return Optional.ofNullable(next);
    }

    /** What could not be read behind the last message. */
    Optional<ProtocolException> fault() {
        return fault;
    }

    /** Whether the client has left and no message of it waits. */
    boolean isOver() {
        ClientMessage next = queue.peek();
        return left && (next == null || next.equals(ClientMessage.END));
    }

    /** Ends the thread, whose connection is closed. */
    void close() {
        reader.ifPresent(thread -> {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
