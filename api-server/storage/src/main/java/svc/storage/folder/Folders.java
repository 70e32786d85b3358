package svc.storage.folder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.function.Consumer;
import svc.storage.content.ContentKey;
import svc.storage.content.Disposal;
import svc.storage.http.Answers;
import svc.storage.http.BodyFields;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.MimeType;
import svc.storage.name.ObjectName;
import svc.storage.object.Quota;
import svc.storage.object.Refusals;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;
import svc.storage.rows.FolderRows;
import svc.storage.rows.FolderRows.Page;

/**
 * Deletes and moves folders: bodies with {@code recursive: true} at the routes that delete and move files. Up to {@value
 * #MAX_FILES} files of a call, in one transaction: all that the caller's policies allow, or none. What is behind them is
 * left for the next call, which goes on at {@code cursor}.
 */
public final class Folders {
    static final int MAX_FILES = 10_000;
    private static final int DISPOSED_AT_ONCE = 1_000;

    private final BucketRows buckets;
    private final FolderRows rows;
    private final Disposal disposal;
    private final Quota quota;

    public Folders(BucketRows buckets, FolderRows rows, Disposal disposal, Quota quota) {
        this.buckets = buckets;
        this.rows = rows;
        this.disposal = disposal;
        this.quota = quota;
    }

    /** The endpoint that a body asks for: the folder's with {@code recursive: true}, upstream's otherwise. */
    public static Consumer<StorageCall> orElse(Consumer<StorageCall> folder, Consumer<StorageCall> file) {
        return call -> {
            JsonNode given = call.body().path("recursive");
            boolean recursive = !given.isMissingNode()
                    && BodyFields.flag(given)
                            .orElseThrow(() -> StorageError.invalidRequest("body/recursive must be boolean"));
            (recursive ? folder : file).accept(call);
        };
    }

    /** {@code DELETE /object/{bucket}} with one prefix. */
    public void delete(StorageCall call) {
        BodyFields fields = BodyFields.of(call);
        Folder folder = Folder.of(call.bucket(), fields.texts("prefixes", 1).getFirst());
        requirePrepared(buckets.look(call, folder.bucket()));
        JsonNode gone = rows.delete(call, page(folder, fields, MAX_FILES));
        List<ContentKey> keys = FolderRows.keys(call.tenant(), gone.path("versions"));
        for (int i = 0; i < keys.size(); i += DISPOSED_AT_ONCE) {
            disposal.dispose(keys.subList(i, Math.min(keys.size(), i + DISPOSED_AT_ONCE)));
        }
        quota.count(call, -gone.path("size").asLong());
        long changed = gone.path("changed").longValue();
        Answers.json(call, FolderPage.of(gone, changed, MAX_FILES).json("Successfully deleted", "deleted"));
    }

    /** {@code POST /object/move}. */
    public void move(StorageCall call) {
        FolderPair folders = FolderPair.of(call, buckets);
        Page page = page(folders.from(), BodyFields.of(call), MAX_FILES);
        boolean elsewhere = !folders.to().bucket().equals(folders.from().bucket());
        long limit = elsewhere ? folders.bucket().limit(call.tenant()) : Long.MAX_VALUE;
        String types = elsewhere && !folders.bucket().types().isEmpty()
                ? accepted(rows.types(call, page), folders.bucket()).toString()
                : "";
        JsonNode moved = Refusals.refusing(
                () -> rows.move(call, page, folders.to().bucket(), folders.to().prefix(), limit, types));
        refuse(moved.path("refused"));
        requireFound(moved.path("looked").longValue(), page);
        long changed = moved.path("changed").longValue();
        Answers.json(call, FolderPage.of(moved, changed, MAX_FILES).json("Successfully moved", "moved"));
    }

    private static ArrayNode accepted(List<String> types, Bucket bucket) {
        ArrayNode accepted = JsonNodeFactory.instance.arrayNode();
        for (String type : types) {
            MimeType.check(type, bucket.types());
            accepted.add(type);
        }
        return accepted;
    }

    /** Nothing was moved because of one file. */
    private static void refuse(JsonNode file) {
        if (file.isObject()) {
            if (file.path("large").asBoolean()) {
                throw StorageError.tooLarge();
            }
            throw file.path("foreign").asBoolean()
                    ? StorageError.invalidMimeType(file.path("type").asText())
                    : StorageError.invalidKey(file.path("name").asText());
        }
    }

    static void requirePrepared(Bucket bucket) {
        if (!bucket.prepared()) {
            throw StorageError.noSuchObject();
        }
    }

    static void requireFound(long looked, Page page) {
        if (looked == 0 && page.after().isEmpty()) {
            throw StorageError.noSuchObject();
        }
    }

    static Page page(Folder folder, BodyFields fields, int most) {
        String after = fields.text("cursor").map(ObjectName::normal).orElse("");
        return new Page(folder.bucket(), folder.prefix(), folder.behind(), after, most);
    }
}
