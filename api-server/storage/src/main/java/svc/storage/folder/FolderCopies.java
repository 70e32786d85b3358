package svc.storage.folder;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.http.Answers;
import svc.storage.http.BodyFields;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.MimeType;
import svc.storage.object.Quota;
import svc.storage.object.Refusals;
import svc.storage.rows.BucketRows;
import svc.storage.rows.FolderRows;
import svc.storage.rows.FolderRows.Copies;
import svc.storage.rows.FolderRows.Page;
import svc.storage.rows.FolderRows.Put;
import svc.storage.rows.FolderRows.Source;

/**
 * Copies folders: up to {@value #MAX_FILES} files of a call, and no more than it can copy in a while. The steps are those
 * of an upload: the right is tried for all, the bytes are copied under new keys, one statement makes them visible.
 */
public final class FolderCopies {
    private static final int MAX_FILES = 1_000;
    private static final int MAX_NAME_BYTES = 1024;

    /** After this a call begins no further file: clients and proxies wait for an answer. */
    private static final Duration MAX_TIME = Duration.ofSeconds(20);

    private final BucketRows buckets;
    private final FolderRows rows;
    private final ContentStore store;
    private final Disposal disposal;
    private final Quota quota;
    private final Clock clock;

    public FolderCopies(
            BucketRows buckets, FolderRows rows, ContentStore store, Disposal disposal, Quota quota, Clock clock) {
        this.buckets = buckets;
        this.rows = rows;
        this.store = store;
        this.disposal = disposal;
        this.quota = quota;
        this.clock = clock;
    }

    /** {@code POST /object/copy}. */
    public void copy(StorageCall call) {
        FolderPair folders = FolderPair.of(call, buckets);
        Page page = Folders.page(folders.from(), BodyFields.of(call), MAX_FILES);
        List<Source> files = rows.look(call, page);
        Folders.requireFound(files.size(), page);
        files.forEach(file -> check(call, folders, file));
        quota.require(call, files.stream().mapToLong(Source::size).sum());
        var bytes = new BytesCopy(store, call.tenant(), files);
        Refusals.refusing(() -> rows.tryCopies(call, copies(folders, files, bytes.keys(), i -> true), call.upsert()));
        int done = copyBytes(call, bytes);
        Copies copies = copies(folders, files.subList(0, done), bytes.keys(), bytes::isCopied);
        Put put = put(call, copies, bytes);
        dispose(bytes, put);
        long size = 0;
        Set<ContentKey> named = new HashSet<>(put.copies());
        for (int i = 0; i < done; i++) {
            size += named.contains(bytes.keys().get(i)) ? files.get(i).size() : 0;
        }
        quota.count(call, size);
        boolean more = done < files.size() || files.size() >= MAX_FILES;
        Optional<String> cursor = more ? Optional.of(files.get(done - 1).name()) : Optional.empty();
        Answers.json(call, new FolderPage(done, put.copies().size(), cursor).json("Successfully copied", "copied"));
    }

    private static void check(StorageCall call, FolderPair folders, Source file) {
        if (file.size() > folders.bucket().limit(call.tenant())) {
            throw StorageError.tooLarge();
        }
        MimeType.check(
                file.type().isEmpty() ? MimeType.UNKNOWN : file.type(),
                folders.bucket().types());
        String name = nameThere(folders, file);
        if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            throw StorageError.invalidKey(name);
        }
    }

    private static String nameThere(FolderPair folders, Source file) {
        return folders.to().prefix()
                + file.name().substring(folders.from().prefix().length());
    }

    private Copies copies(FolderPair folders, List<Source> files, List<ContentKey> keys, IntPredicate chosen) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < files.size(); i++) {
            if (chosen.test(i)) {
                all.addObject()
                        .put("name", files.get(i).name())
                        .put("version", files.get(i).version())
                        .put("copy", keys.get(i).version().toString());
            }
        }
        String now = clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
        return new Copies(
                folders.from().bucket(),
                folders.from().prefix(),
                folders.to().bucket(),
                folders.to().prefix(),
                now,
                all);
    }

    private int copyBytes(StorageCall call, BytesCopy bytes) {
        Instant end = clock.instant().plus(MAX_TIME);
        boolean done = false;
        try {
            int files =
                    bytes.run(() -> call.response().closed() || !clock.instant().isBefore(end));
            done = true;
            return files;
        } finally {
            if (!done) {
                disposal.dispose(bytes.stored());
            }
        }
    }

    /** From here on rows may name the bytes: only a refusal says that none does. */
    private Put put(StorageCall call, Copies copies, BytesCopy bytes) {
        try {
            return Refusals.refusing(() -> rows.put(call, copies, call.upsert()));
        } catch (StorageError | PoolExhausted | SqlError e) {
            if (Refusals.isRefusal(e)) {
                disposal.dispose(bytes.stored());
            }
            throw e;
        }
    }

    /** What was replaced, and copies of files that others changed or deleted meanwhile. */
    private void dispose(BytesCopy bytes, Put put) {
        disposal.dispose(put.replaced());
        Set<ContentKey> named = new HashSet<>(put.copies());
        disposal.dispose(
                bytes.stored().stream().filter(key -> !named.contains(key)).toList());
    }
}
