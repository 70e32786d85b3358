package svc.storage.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import svc.storage.content.ContentKey;
import svc.storage.content.Disposal;
import svc.storage.http.Answers;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.object.FileTransfer;
import svc.storage.object.Quota;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.VersionRows;

/**
 * The endpoints of {@code /versions/{bucket}/{path}}. For the service role only: policies are about files, and one that is
 * gone has no row that they could be asked about.
 */
public final class Versions {
    private static final int MAX_LISTED = 1_000;
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,3}");
    private static final Pattern VERSION = Pattern.compile("[0-9a-f-]{36}");

    private final BucketRows buckets;
    private final VersionRows versions;
    private final FileTransfer files;
    private final Disposal disposal;
    private final Quota quota;

    public Versions(BucketRows buckets, VersionRows versions, FileTransfer files, Disposal disposal, Quota quota) {
        this.buckets = buckets;
        this.versions = versions;
        this.files = files;
        this.disposal = disposal;
        this.quota = quota;
    }

    /** {@code GET /versions/{bucket}/{path}}: the list; with {@code ?version=} the bytes of one. */
    public void of(StorageCall call) {
        requirePrepared(call);
        String name = ObjectName.normal(call.object());
        String version = version(call.query("version").orElse(""));
        if (version.isEmpty()) {
            Answers.json(call, versions.of(call, call.bucket(), name));
        } else {
            files.serve(call, () -> versions.find(call, call.bucket(), name, version), (response, row) -> {});
        }
    }

    /** {@code GET /versions/{bucket}?prefix=&after=&limit=}: what was deleted and can be restored. */
    public void deleted(StorageCall call) {
        requirePrepared(call);
        String limit = call.query("limit").orElse("100");
        if (!NUMBER.matcher(limit).matches() || Integer.parseInt(limit) > MAX_LISTED) {
            throw StorageError.invalidRequest("querystring/limit must be an integer from 1 to " + MAX_LISTED);
        }
        Answers.json(
                call,
                versions.deleted(
                        call,
                        call.bucket(),
                        ObjectName.normal(call.query("prefix").orElse("")),
                        ObjectName.normal(call.query("after").orElse("")),
                        Integer.parseInt(limit)));
    }

    /** {@code POST /versions/{bucket}/{path}}, {@code {version?}}: makes a version the file again, by default the latest. */
    public void restore(StorageCall call) {
        requirePrepared(call);
        String version = version(call.body().path("version").asText(""));
        ObjectRow row = versions.restore(call, call.bucket(), ObjectName.normal(call.object()), version)
                .orElseThrow(StorageError::noSuchObject);
        Answers.json(
                call,
                StorageCall.newObject()
                        .put("message", "Successfully restored")
                        .put("Id", row.id())
                        .put("Key", row.bucket() + "/" + row.name())
                        .put("version", row.version()));
    }

    /** {@code DELETE /versions/{bucket}/{path}?version=}: one, or all of the name. */
    public void delete(StorageCall call) {
        requirePrepared(call);
        String version = version(call.query("version").orElse(""));
        JsonNode gone = versions.delete(call, call.bucket(), ObjectName.normal(call.object()), version);
        List<ContentKey> keys = new ArrayList<>();
        long size = 0;
        for (JsonNode item : gone) {
            var row = new ObjectRow(item);
            row.key(call.tenant()).ifPresent(keys::add);
            size += row.size();
        }
        disposal.dispose(keys);
        quota.count(call, -size);
        Answers.json(
                call,
                StorageCall.newObject().put("message", "Successfully deleted").put("deleted", gone.size()));
    }

    private void requirePrepared(StorageCall call) {
        if (!call.isService()) {
            throw StorageError.serviceRoleOnly();
        }
        Bucket bucket = buckets.look(call, call.bucket());
        if (!bucket.prepared()) {
            throw StorageError.noSuchObject();
        }
    }

    private static String version(String text) {
        if (!text.isEmpty() && !VERSION.matcher(text).matches()) {
            throw StorageError.noSuchObject();
        }
        return text;
    }
}
