package svc.storage.image;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.ContentSweeper;
import svc.storage.content.ResumableParts;
import svc.storage.content.Stored;

/** Contents whose renderings are deleted with them. */
public final class RenderedContents implements ContentStore {
    private static final Logger LOG = Logger.getLogger(RenderedContents.class);

    /** Each costs a request to the store; of more contents the sweeper deletes the rest. */
    private static final int AT_ONCE = 100;

    private final ContentStore contents;
    private final RenderStore renders;

    public RenderedContents(ContentStore contents, RenderStore renders) {
        this.contents = contents;
        this.renders = renders;
    }

    @Override
    public void delete(List<ContentKey> keys) {
        contents.delete(keys);
        try {
            renders.deleteOf(keys.subList(0, Math.min(AT_ONCE, keys.size())));
        } catch (RuntimeException e) {
            LOG.debugf(e, "renderings of %d contents are left to be swept", keys.size());
        }
    }

    @Override
    public void deleteAll(UUID projectId, Instant before) {
        renders.sweep(projectId, before, none -> List.of());
        contents.deleteAll(projectId, before);
    }

    @Override
    public void sweepDerived(UUID projectId, Instant before, ContentSweeper.Rows rows) {
        renders.sweep(projectId, before, rows);
    }

    @Override
    public Stored put(ContentKey key, byte[] bytes, int length) {
        return contents.put(key, bytes, length);
    }

    @Override
    public Parts begin(ContentKey key) {
        return contents.begin(key);
    }

    @Override
    public ResumableParts resumable() {
        return contents.resumable();
    }

    @Override
    public String open(ContentKey key) {
        return contents.open(key);
    }

    @Override
    public NumberedUpload numbered(ContentKey key, String upload) {
        return contents.numbered(key, upload);
    }

    @Override
    public Optional<byte[]> read(ContentKey key, long from, int length) {
        return contents.read(key, from, length);
    }

    @Override
    public Optional<Stored> copy(ContentKey from, ContentKey to, long size) {
        return contents.copy(from, to, size);
    }

    @Override
    public Set<UUID> projects() {
        return contents.projects();
    }

    @Override
    public void olderThan(UUID projectId, Instant before, Consumer<List<ContentKey>> page) {
        contents.olderThan(projectId, before, page);
    }

    @Override
    public void abandonParts(UUID projectId, Instant before) {
        contents.abandonParts(projectId, before);
    }
}
