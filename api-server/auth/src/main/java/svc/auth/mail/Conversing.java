package svc.auth.mail;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import svc.auth.mail.MailFailedException.Cause;
import svc.platform.budget.Permit;

/**
 * A conversation between two threads: one speaks with the server, the other waits for it until a deadline, which closes the
 * connection. The place belongs to the thread that speaks, also when it notices the end late.
 */
final class Conversing {
    private final Permit place;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile Socket open;

    Conversing(Permit place) {
        this.place = place;
    }

    /** What the speaking thread does. */
    @FunctionalInterface
    interface Speech {
        void run() throws Exception;
    }

    /** On the speaking thread. */
    void run(Speech speech) {
        try (place) {
            speech.run();
            end.complete(null);
        } catch (Exception e) {
            end.completeExceptionally(e);
        }
    }

    /**
     * On the speaking thread, before it connects.
     *
     * @throws IOException when nothing waits for the conversation any more
     */
    void opens(Socket socket) throws IOException {
        open = socket;
        if (end.isDone()) {
            throw new IOException("the time of the conversation is over");
        }
    }

    /** @throws MailFailedException when the conversation fails, or takes longer */
    void awaitUntil(long nanos) {
        try {
            end.get(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | CancellationException e) {
            throw new MailFailedException(Cause.TOO_SLOW, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MailFailedException(Cause.TOO_SLOW, e);
        } catch (ExecutionException e) {
            throw SmtpFailures.named(e.getCause());
        } finally {
            end.cancel(false);
            closeQuietly();
        }
    }

    /** For a conversation whose thread never began. */
    void closePlace() {
        place.close();
    }

    private void closeQuietly() {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // The socket is not used again.
        }
    }
}
