package svc.management.postgres;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import svc.postgres.script.CopyPeer;

/**
 * The rows that a session's COPY statements copy, in both directions, one statement at a time. What the client sends ahead of the
 * server has a bound, and its reader waits; what the server sends waits for the client in the server. Nothing else is kept.
 */
final class CopyRows implements CopyPeer {
    /** Bytes that a client may be ahead of the server. */
    private static final int AHEAD = 128 << 10;

    private static final Duration WAIT = Duration.ofMinutes(1);

    private final Answers answers;
    private final Runnable answered;
    private final MessageQueue messages;
    private final PreparedStatements.Memory memory;
    private final Semaphore ahead = new Semaphore(AHEAD);
    private final Object lock = new Object();
    private Optional<Thread> waiting = Optional.empty();
    private boolean stopped;
    private boolean tookRows;
    private OptionalInt held = OptionalInt.empty();
    private long missing;
    private volatile Optional<IOException> lost = Optional.empty();
    private volatile Optional<ProtocolException> fault = Optional.empty();

    /**
     * @param answered called when the client has taken all that was sent
     * @param memory that the client's messages were charged to
     */
    CopyRows(Answers answers, Runnable answered, MessageQueue messages, PreparedStatements.Memory memory) {
        this.answers = answers;
        this.answered = answered;
        this.messages = messages;
        this.memory = memory;
    }

    /** The client's end of the statement that runs next. */
    CopyPeer begin() {
        tookRows = false;
        missing = 0;
        synchronized (lock) {
            stopped = false;
        }
        return this;
    }

    /** No statement that runs next is a COPY, unless it {@link #begin begins}. */
    void none() {
        giveBackHeld();
        tookRows = false;
    }

    /** Whether the last statement has asked the client for rows. */
    boolean tookRows() {
        return tookRows;
    }

    /**
     * Behind a statement.
     *
     * @throws IOException if the client has left, or waits for the rest of a row that never comes
     * @throws ProtocolException if it has sent what belongs to no COPY
     */
    void requireSound() throws IOException, ProtocolException {
        if (fault.isPresent()) {
            throw fault.get();
        }
        if (lost.isPresent()) {
            throw lost.get();
        }
        if (missing > 0) {
            throw new IOException("the server has ended in the middle of a row");
        }
    }

    /** Before a part of the client's rows is read: waits while the client is too far ahead. */
    void await(int bytes) throws InterruptedException {
        ahead.acquire(bytes);
    }

    /** A part of rows that no statement wants. */
    void drop(ClientMessage rows) {
        giveBack(rows.content().length);
    }

    private void giveBack(int bytes) {
        ahead.release(bytes);
        memory.giveBack(bytes + (long) ClientMessage.COST);
    }

    @FunctionalInterface
    private interface Write {
        void to(Answers answers) throws IOException;
    }

    /** Nothing more is written to a client that is lost. */
    private void write(Write write) {
        if (lost.isEmpty()) {
            try {
                write.to(answers);
            } catch (IOException e) {
                lost = Optional.of(e);
            }
        }
    }

    @Override
    public void sending(byte[] layout) {
        write(to -> to.copyResponse('H', layout));
    }

    @Override
    public void message(int length) {
        missing = length;
        write(to -> to.copyData(length));
    }

    @Override
    public void piece(ByteBuf in, int length) {
        int end = in.readerIndex() + length;
        write(to -> {
            if (to.copyPiece(in, length)) {
                answered.run();
            }
        });
        in.readerIndex(end);
        missing -= length;
    }

    @Override
    public void sent() {
        write(to -> to.plain('c'));
    }

    @Override
    public void receiving(byte[] layout) {
        tookRows = true;
        write(to -> {
            to.copyResponse('G', layout);
            to.flush();
            // It is the client's turn, which has the time of the statement.
            answered.run();
        });
    }

    @Override
    public Piece next() {
        giveBackHeld();
        while (lost.isEmpty()) {
            Optional<ClientMessage> message = poll();
            if (message.isEmpty()) {
                return new Piece.Failed("the statement was stopped");
            }
            Optional<Piece> piece = piece(message.get());
            if (piece.isPresent()) {
                return piece.get();
            }
        }
        return new Piece.Failed("the client has left");
    }

    private void giveBackHeld() {
        // Also for a part without bytes, which was charged as a message.
        held.ifPresent(this::giveBack);
        held = OptionalInt.empty();
    }

    /** Empty for a message that means nothing to a COPY. */
    private Optional<Piece> piece(ClientMessage message) {
        if (message.type() == 'd') {
            held = OptionalInt.of(message.content().length);
            return Optional.of(new Piece.Data(message.content()));
        }
        memory.giveBack(message.content().length + (long) ClientMessage.COST);
        return switch (message.type()) {
            case 'c' -> Optional.of(new Piece.Done());
            case 'f' -> Optional.of(failed(message));
            case 'H', 'S' -> Optional.empty();
            case 'X' -> {
                lost = Optional.of(new IOException("the client has left in the middle of a COPY"));
                yield Optional.of(new Piece.Failed("the client has left"));
            }
            default -> {
                fault = Optional.of(ProtocolException.violation("a message came out of turn, among rows of a COPY"));
                yield Optional.of(new Piece.Failed("a message came out of turn"));
            }
        };
    }

    private Piece failed(ClientMessage message) {
        try {
            return new Piece.Failed(message.fields().text());
        } catch (ProtocolException e) {
            fault = Optional.of(e);
            return new Piece.Failed("a message is malformed");
        }
    }

    /** The client's next message; empty once the rows are not wanted any more. Only a thread that waits is interrupted. */
    private Optional<ClientMessage> poll() {
        while (true) {
            synchronized (lock) {
                if (stopped) {
                    return Optional.empty();
                }
                waiting = Optional.of(Thread.currentThread());
            }
            try {
                Optional<ClientMessage> message = messages.poll(WAIT);
                if (message.isPresent()) {
                    return message;
                }
            } catch (InterruptedException e) {
                // The flag says why, and is read above.
                continue;
            } finally {
                synchronized (lock) {
                    waiting = Optional.empty();
                    Thread.interrupted();
                }
            }
        }
    }

    @Override
    public void stop() {
        synchronized (lock) {
            stopped = true;
            waiting.ifPresent(Thread::interrupt);
        }
    }
}
