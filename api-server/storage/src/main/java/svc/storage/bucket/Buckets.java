package svc.storage.bucket;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import svc.postgres.SqlError;
import svc.storage.content.Disposal;
import svc.storage.http.Answers;
import svc.storage.http.BodyFields;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.BucketName;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.VersionRows;

/** The endpoints of {@code /bucket}. */
public final class Buckets {
    private static final String FOREIGN_KEY = "23503";
    private static final String UNIQUE = "23505";
    private static final int MAX_LISTED = 10_000;

    /** 300,000 files, where upstream has 200,000: a trigger of the tenant can add one for each that is deleted. */
    private static final int MAX_ROUNDS = 300;

    private final BucketRows buckets;
    private final ObjectRows objects;
    private final VersionRows versions;
    private final Disposal disposal;

    public Buckets(BucketRows buckets, ObjectRows objects, VersionRows versions, Disposal disposal) {
        this.buckets = buckets;
        this.objects = objects;
        this.versions = versions;
        this.disposal = disposal;
    }

    public void create(StorageCall call) {
        BodyFields fields = BodyFields.of(call);
        String name = fields.required("name");
        String id = BucketName.accepted(fields.text("id").orElse(name));
        fields.text("type").filter(type -> !type.equals("STANDARD")).ifPresent(type -> {
            throw StorageError.notBuilt("The bucket type " + type);
        });
        ObjectNode settings = BucketSettings.read(call);
        JsonNode types = settings.path("allowed_mime_types");
        JsonNode limit = settings.path("file_size_limit");
        try {
            buckets.create(
                    call,
                    id,
                    settings.path("public").asBoolean(false),
                    limit.isIntegralNumber() ? limit.asText() : "",
                    types.isArray() ? types.toString() : "",
                    settings.path(BucketSettings.VERSIONING).asText(""));
        } catch (SqlError e) {
            throw e.is(UNIQUE) ? StorageError.bucketExists() : e;
        }
        Answers.json(call, StorageCall.newObject().put("name", id));
    }

    public void list(StorageCall call) {
        BucketRows.Order order = call.query("sortColumn").map(Buckets::order).orElse(BucketRows.Order.NAME);
        String direction = call.query("sortOrder").orElse("asc").toLowerCase(Locale.ROOT);
        if (!direction.equals("asc") && !direction.equals("desc")) {
            throw StorageError.invalidRequest("querystring/sortOrder must be equal to one of the allowed values");
        }
        Answers.json(
                call,
                buckets.list(
                        call,
                        order,
                        direction.equals("desc"),
                        call.query("search").orElse(""),
                        number(call, "limit").orElse((long) MAX_LISTED),
                        number(call, "offset").orElse(0L)));
    }

    private static BucketRows.Order order(String column) {
        return switch (column) {
            case "id" -> BucketRows.Order.ID;
            case "name" -> BucketRows.Order.NAME;
            case "created_at" -> BucketRows.Order.CREATED_AT;
            case "updated_at" -> BucketRows.Order.UPDATED_AT;
            default ->
                throw StorageError.invalidRequest("querystring/sortColumn must be equal to one of the allowed values");
        };
    }

    private static Optional<Long> number(StorageCall call, String parameter) {
        return call.query(parameter).filter(text -> !text.isEmpty()).map(text -> {
            try {
                long value = Long.parseLong(text);
                if (value >= 0) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Refused as a negative one is.
            }
            throw StorageError.invalidRequest("querystring/" + parameter + " must be integer");
        });
    }

    public void get(StorageCall call) {
        Answers.json(call, buckets.get(call, call.bucket()));
    }

    public void update(StorageCall call) {
        ObjectNode changes = BucketSettings.read(call);
        if (changes.isEmpty()) {
            throw StorageError.invalidRequest("body must NOT have fewer than 1 properties");
        }
        buckets.update(call, call.bucket(), changes);
        Answers.message(call, "Successfully updated");
    }

    public void delete(StorageCall call) {
        try {
            buckets.delete(call, call.bucket());
        } catch (SqlError e) {
            throw e.is(FOREIGN_KEY) ? StorageError.bucketNotEmpty() : e;
        }
        Answers.message(call, "Successfully deleted");
    }

    /** Answers when all rows are gone, those of versions too; their bytes follow. */
    public void empty(StorageCall call) {
        if (!call.isService()) {
            throw StorageError.serviceRoleOnly();
        }
        Bucket bucket = buckets.look(call, call.bucket());
        if (bucket.prepared()) {
            untilNone(call, () -> objects.deleteSome(call, bucket.id()));
            untilNone(call, () -> versions.deleteSome(call, bucket.id()));
        }
        Answers.message(call, "Empty bucket has been queued. Completion may take up to an hour.");
    }

    private void untilNone(StorageCall call, Supplier<ObjectRows.Deleted> some) {
        boolean more = true;
        for (int round = 0; more && !call.response().closed(); round++) {
            if (round == MAX_ROUNDS) {
                throw StorageError.invalidRequest("The bucket has more files than are deleted in one call. Call again");
            }
            ObjectRows.Deleted gone = some.get();
            disposal.dispose(gone.contents());
            more = gone.rows() > 0;
        }
    }
}
