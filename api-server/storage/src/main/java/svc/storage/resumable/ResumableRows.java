package svc.storage.resumable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.SqlError;
import svc.storage.content.ContentKey;
import svc.storage.http.StorageCall;
import svc.storage.rows.StorageTransactions;

/**
 * The rows of uploads. A request that writes claims the row with an id of its own, and each change names that id: of two
 * writers the later one goes on, and the earlier one changes nothing any more.
 */
// Hazard: the driver takes no null for a bind; statements say nullif(?, '') instead.
public final class ResumableRows {
    /** How callers begin that have a signed URL. */
    static final String SIGNATURE = "SIGNATURE:";

    private static final String NO_TABLE = "42P01";

    private final StorageTransactions transactions;

    public ResumableRows(StorageTransactions transactions) {
        this.transactions = transactions;
    }

    /** What a new upload is of. */
    record Draft(
            String caller,
            String bucket,
            String name,
            String owner,
            boolean upsert,
            String metadata,
            String userMetadata,
            String uploadMetadata,
            boolean partial,
            String concat,
            OptionalLong length) {}

    /**
     * How many uploads may be open, and until when.
     *
     * @param own of one caller
     * @param all of the project
     */
    record Bounds(int own, int all, Instant now, Instant expires) {}

    /**
     * What became of a new upload.
     *
     * @param upload empty when there are too many
     * @param expired whether the project has uploads whose time is over
     */
    record Created(Optional<ResumableUpload> upload, boolean expired) {}

    Created create(StorageCall call, Draft draft, UUID writer, Bounds bounds) {
        String[] binds = {
            draft.caller(),
            UUID.randomUUID().toString(),
            draft.caller(),
            draft.bucket(),
            draft.name(),
            draft.owner(),
            Boolean.toString(draft.upsert()),
            draft.metadata(),
            draft.userMetadata(),
            draft.uploadMetadata(),
            Boolean.toString(draft.partial()),
            draft.concat(),
            text(draft.length()),
            UUID.randomUUID().toString(),
            writer.toString(),
            bounds.now().toString(),
            bounds.expires().toString(),
            Integer.toString(bounds.all()),
            Integer.toString(bounds.own()),
            bounds.now().toString()
        };
        JsonNode made = inserted(call, binds);
        return new Created(
                Optional.of(made.path("upload")).filter(JsonNode::isObject).map(ResumableUpload::new),
                made.path("expired").asBoolean());
    }

    private JsonNode inserted(StorageCall call, String[] binds) {
        Supplier<JsonNode> insert = () -> transactions
                .asSystem(call, Access.WRITE, ResumableSql.CREATE, binds)
                .orElseThrow();
        try {
            return insert.get();
        } catch (SqlError e) {
            if (!e.is(NO_TABLE)) {
                throw e;
            }
            transactions.prepare(call.tenant(), "resumable_uploads");
            return insert.get();
        }
    }

    /** An upload of this caller. */
    Optional<ResumableUpload> find(StorageCall call, UUID id, String caller) {
        return row(call, Access.READ, ResumableSql.FIND, id.toString(), caller);
    }

    /** An upload by some signed URL. */
    Optional<ResumableUpload> findSigned(StorageCall call, UUID id) {
        return row(call, Access.READ, ResumableSql.FIND_SIGNED, id.toString(), SIGNATURE);
    }

    /** Those of these uploads that the caller has. */
    List<ResumableUpload> find(StorageCall call, Collection<UUID> ids, String caller) {
        List<ResumableUpload> found = new ArrayList<>();
        ifThere(() -> transactions.asSystem(call, Access.READ, ResumableSql.FIND_ALL, array(ids), caller))
                .ifPresent(all -> all.forEach(row -> found.add(new ResumableUpload(row))));
        return found;
    }

    /** Makes the caller's request the one that may write. */
    Optional<ResumableUpload> claim(StorageCall call, UUID id, String caller, UUID writer) {
        return row(call, Access.WRITE, ResumableSql.CLAIM, writer.toString(), id.toString(), caller);
    }

    /** The same for a request that sends bytes: an open upload has all its time from then on. */
    Optional<ResumableUpload> begin(
            StorageCall call, UUID id, String caller, UUID writer, Instant now, Duration expiry) {
        return row(
                call,
                Access.WRITE,
                ResumableSql.BEGIN,
                writer.toString(),
                now.toString(),
                now.toString(),
                Long.toString(expiry.toSeconds()),
                id.toString(),
                caller);
    }

    /** Empty for a request that is not the writer any more. */
    Optional<ResumableUpload> advance(StorageCall call, UUID id, UUID writer, Progress progress) {
        return row(
                call,
                Access.WRITE,
                ResumableSql.ADVANCE,
                Long.toString(progress.offset()),
                text(progress.length()),
                progress.multipart(),
                Integer.toString(progress.parts().last()),
                progress.tailsAsJson(),
                progress.state().text(),
                id.toString(),
                writer.toString());
    }

    /** The bytes of a partial upload are stored under this key. */
    Optional<ResumableUpload> store(StorageCall call, UUID id, UUID writer, ContentKey key, long size) {
        return row(
                call,
                Access.WRITE,
                ResumableSql.STORE,
                Long.toString(size),
                Long.toString(size),
                key.version().toString(),
                id.toString(),
                writer.toString());
    }

    /** A file, as it is written with the end of its upload. */
    record NewFile(ContentKey key, long size, String metadata, List<UUID> partials, Instant expires) {}

    /**
     * What became of an upload.
     *
     * @param written false when a trigger of the tenant has prevented the row
     * @param replaced the bytes that the file had before, and those of partial uploads
     */
    record Finished(ResumableUpload upload, boolean written, List<ContentKey> replaced) {}

    /**
     * Writes the file's row and ends the upload, in one statement. Fails as PostgreSQL refuses the row.
     *
     * @return empty for a request that is not the writer any more
     */
    Optional<Finished> finish(StorageCall call, ResumableUpload upload, UUID writer, NewFile file) {
        String uuid = StorageCall.uuid(upload.owner()).map(Object::toString).orElse("");
        return transactions
                .asSystem(
                        call,
                        Access.WRITE,
                        upload.upsert() ? ResumableSql.FINISH_REPLACING : ResumableSql.FINISH,
                        Long.toString(file.size()),
                        Long.toString(file.size()),
                        file.expires().toString(),
                        upload.id().toString(),
                        writer.toString(),
                        file.expires().toString(),
                        array(file.partials()),
                        uuid,
                        file.key().version().toString(),
                        file.metadata())
                .map(done -> new Finished(
                        new ResumableUpload(done.path("upload")),
                        done.path("written").asBoolean(),
                        keys(call.tenant(), done.path("replaced"))));
    }

    /** Ends an upload that is no file; its bytes may be deleted from then on. Empty for one that is. */
    Optional<ResumableUpload> end(StorageCall call, UUID id) {
        return row(call, Access.WRITE, ResumableSql.END, id.toString());
    }

    /** @param all whether there may be more */
    record Expired(List<ResumableUpload> uploads, boolean all) {}

    /** Ends uploads whose time is over, up to 100, and forgets those that have become files. */
    Expired expired(Tenant tenant, Instant now) {
        List<ResumableUpload> uploads = new ArrayList<>();
        Optional<JsonNode> found =
                ifThere(() -> transactions.asSystem(tenant, Access.WRITE, ResumableSql.EXPIRE, now.toString()));
        found.ifPresent(rows -> rows.path("ended").forEach(row -> uploads.add(new ResumableUpload(row))));
        return new Expired(
                uploads,
                found.map(rows -> rows.path("count").intValue() < ResumableSql.EXPIRED_AT_ONCE)
                        .orElse(true));
    }

    /** Forgets an upload that was ended and whose bytes are deleted. */
    void remove(Tenant tenant, UUID id) {
        transactions.asSystem(tenant, Access.WRITE, ResumableSql.REMOVE, id.toString());
    }

    /** Those of these contents that an upload needs. */
    public Set<ContentKey> known(Tenant tenant, List<ContentKey> keys) {
        String versions = array(keys.stream().map(ContentKey::version).toList());
        return new HashSet<>(ifThere(() -> transactions.asSystem(tenant, Access.READ, ResumableSql.KNOWN, versions))
                .map(found -> keys(tenant, found))
                .orElse(List.of()));
    }

    /** Bytes of uploads that are no files, in a project. */
    public long totalSize(StorageCall call) {
        return ifThere(() -> transactions.asSystem(call, Access.READ, ResumableSql.TOTAL_SIZE))
                .map(JsonNode::longValue)
                .orElse(0L);
    }

    private Optional<ResumableUpload> row(StorageCall call, Access access, SqlTemplate statement, String... binds) {
        return ifThere(() -> transactions.asSystem(call, access, statement, binds))
                .map(ResumableUpload::new);
    }

    /** A project whose tables are of an earlier version has no uploads. */
    private static Optional<JsonNode> ifThere(Supplier<Optional<JsonNode>> statement) {
        try {
            return statement.get();
        } catch (SqlError e) {
            if (e.is(NO_TABLE)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static List<ContentKey> keys(Tenant tenant, JsonNode versions) {
        List<ContentKey> keys = new ArrayList<>();
        for (JsonNode version : versions) {
            StorageCall.uuid(version.asText()).ifPresent(id -> keys.add(new ContentKey(tenant.projectId(), id)));
        }
        return keys;
    }

    private static String text(OptionalLong length) {
        return length.isPresent() ? Long.toString(length.getAsLong()) : "";
    }

    private static String array(Collection<UUID> ids) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        ids.forEach(id -> all.add(id.toString()));
        return all.toString();
    }
}
