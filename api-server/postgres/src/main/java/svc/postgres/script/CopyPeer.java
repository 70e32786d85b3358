package svc.postgres.script;

import io.netty.buffer.ByteBuf;

/**
 * The caller's end of a COPY. Nothing is collected: the rows that the server sends wait for the caller in the socket, and so
 * do the caller's for the server. Called by the thread of the run, but for {@link #next} and {@link #stop}. It throws nothing:
 * a caller that is lost takes no more, and has no more rows.
 */
public interface CopyPeer {
    /**
     * The server sends rows.
     *
     * @param layout the content of CopyOutResponse
     */
    void sending(byte[] layout);

    /**
     * One message of rows begins.
     *
     * @param length in bytes, that come as pieces
     */
    void message(int length);

    /** Reads exactly {@code length} bytes of the message that began last. */
    void piece(ByteBuf in, int length);

    /** The server has sent all rows. */
    void sent();

    /**
     * The server waits for rows.
     *
     * @param layout the content of CopyInResponse
     */
    void receiving(byte[] layout);

    /** Waits for the caller's next rows; called by one thread of its own. */
    Piece next();

    /** No more rows are wanted: {@link #next} returns soon. Called by any thread. */
    void stop();

    /** What a caller sends to a COPY … FROM STDIN. */
    sealed interface Piece {
        /** A part of the rows, cut anywhere. */
        record Data(byte[] bytes) implements Piece {}

        /** All rows were sent. */
        record Done() implements Piece {}

        /** The caller gives up; the statement fails with this reason. */
        record Failed(String reason) implements Piece {}
    }
}
