package svc.storage.content;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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
        boolean kept = span.isWhole() && cache.wants(key, span.size());
        return reader.read(key, span, new Collector(to, kept ? all -> keep(key, all) : all -> {}));
    }

    private void keep(ContentKey key, ByteBuf all) {
        cache.put(key, ByteBufUtil.getBytes(all));
    }

    /** Without a copy: what writes a buffer only reads it. */
    private static Buffer wrapped(byte[] bytes, int from, int length) {
        return Buffer.buffer(Unpooled.wrappedBuffer(bytes, from, length).asReadOnly());
    }

    /** Puts pieces together, without a copy of them unless the file is kept. */
    private static final class Collector implements Receiver {
        private final Receiver to;
        private final Consumer<ByteBuf> keep;
        private final List<ByteBuf> pieces = new ArrayList<>();

        Collector(Receiver to, Consumer<ByteBuf> keep) {
            this.to = to;
            this.keep = keep;
        }

        @Override
        public void piece(Buffer piece) {
            pieces.add(piece.getByteBuf());
        }

        @Override
        public void complete() {
            ByteBuf all = Unpooled.wrappedBuffer(pieces.size(), pieces.toArray(ByteBuf[]::new));
            keep.accept(all);
            to.piece(Buffer.buffer(all));
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
