package svc.storage.content;

import io.vertx.core.buffer.Buffer;

/** Reads the bytes of files without a thread that waits: pieces are handed over as the store sends them. */
public interface ContentReader {
    /**
     * Begins to read. Called on an event loop, on which the receiver is called, too.
     *
     * @return what stops it
     */
    Reading read(ContentKey key, Span span, Receiver to);

    /**
     * A part of a file, of at least one byte.
     *
     * @param size of the whole file
     */
    record Span(long from, long length, long size) {
        boolean isWhole() {
            return length == size;
        }
    }

    /** Gets pieces until one of the other calls is the last. It cannot hold the store back: a span fits into memory. */
    interface Receiver {
        /** The next bytes, which are the receiver's to read but not to change. */
        void piece(Buffer bytes);

        /** All of the span has been handed over. */
        void complete();

        /** Nothing is stored under the key, and no piece has been handed over. */
        void missing();

        void failed(StoreException why);
    }

    /** One read on its way. */
    interface Reading {
        /** Nothing more is handed over, and what the store still sends is not received. Without effect after the end. */
        void cancel();
    }
}
