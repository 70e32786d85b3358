package svc.storage.content;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** Reads through a {@link ContentCache}. A span of a small file's size is handed over in one piece. */
public final class CachedContentReader implements ContentReader {
    private final ContentReader reader;
    private final ContentCache cache;

    public CachedContentReader(ContentReader reader, ContentCache cache) {
        this.reader = reader;
        this.cache = cache;
    }

    @Override
    public Reading read(ContentKey key, Span span, Receiver to) {
        if (span.length() > ContentCache.MAX_FILE) {
            return reader.read(key, span, to);
        }
        Optional<byte[]> known = cache.get(key).filter(bytes -> bytes.length == span.size());
        if (known.isPresent()) {
            to.piece(wrapped(known.get(), (int) span.from(), (int) span.length()));
            to.complete();
            return () -> {};
        }
        return reader.read(key, span, new Collector(key, span, to));
    }

    /** Without a copy: what writes a buffer only reads it. */
    private static Buffer wrapped(byte[] bytes, int from, int length) {
        return Buffer.buffer(Unpooled.wrappedBuffer(bytes, from, length).asReadOnly());
    }

    /** Puts pieces together. */
    private final class Collector implements Receiver {
        private final ContentKey key;
        private final Span span;
        private final Receiver to;
        private final byte[] bytes;
        private int count;

        Collector(ContentKey key, Span span, Receiver to) {
            this.key = key;
            this.span = span;
            this.to = to;
            this.bytes = new byte[(int) span.length()];
        }

        @Override
        public void piece(Buffer piece) {
            piece.getBytes(bytes, count);
            count += piece.length();
        }

        @Override
        public void complete() {
            if (span.isWhole()) {
                cache.put(key, bytes);
            }
            to.piece(wrapped(bytes, 0, bytes.length));
            to.complete();
        }

        @Override
        public void missing() {
            to.missing();
        }

        @Override
        public void failed(StoreException why) {
            to.failed(why);
        }
    }
}
