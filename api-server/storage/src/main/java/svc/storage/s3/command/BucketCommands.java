package svc.storage.s3.command;

import com.fasterxml.jackson.databind.JsonNode;
import svc.postgres.SqlError;
import svc.storage.http.StorageError;
import svc.storage.name.BucketName;
import svc.storage.rows.BucketRows;
import svc.storage.s3.xml.XmlText;

/** Commands on buckets. */
public final class BucketCommands {
    private static final String UNIQUE = "23505";
    private static final String FOREIGN_KEY = "23503";
    private static final int MAX_LISTED = 10_000;

    private final BucketRows buckets;

    public BucketCommands(BucketRows buckets) {
        this.buckets = buckets;
    }

    /** ListBuckets: those that the caller may see. */
    void list(S3Call call) {
        JsonNode all = buckets.list(call.call(), BucketRows.Order.NAME, false, "", MAX_LISTED, 0);
        call.answer(XmlText.document(
                "ListAllMyBucketsResult",
                xml -> xml.element(
                                "Owner",
                                owner -> owner.text("ID", call.call().tenant().ref())
                                        .text(
                                                "DisplayName",
                                                call.call().tenant().ref()))
                        .element(
                                "Buckets",
                                list -> all.forEach(bucket -> list.element(
                                        "Bucket",
                                        one -> one.text(
                                                        "Name",
                                                        bucket.path("name").asText())
                                                .text(
                                                        "CreationDate",
                                                        bucket.path("created_at")
                                                                .asText()))))));
    }

    /** CreateBucket; a canned ACL {@code public-read} makes it public. Where it lies is not the client's choice. */
    void create(S3Call call) {
        String name = BucketName.accepted(call.bucket());
        boolean open = call.header("x-amz-acl").filter("public-read"::equals).isPresent();
        try {
            buckets.create(call.call(), name, open, "", "", "");
        } catch (SqlError e) {
            throw e.is(UNIQUE) ? StorageError.bucketExists() : e;
        }
        call.response().putHeader("location", "/" + name.replace(" ", "%20"));
        call.answer(200);
    }

    void head(S3Call call) {
        buckets.get(call.call(), call.bucket());
        call.answer(200);
    }

    void delete(S3Call call) {
        try {
            buckets.delete(call.call(), call.bucket());
        } catch (SqlError e) {
            throw e.is(FOREIGN_KEY) ? StorageError.bucketNotEmpty() : e;
        }
        call.answer(204);
    }

    /** GetBucketLocation: the default region, which S3 writes as nothing. */
    void location(S3Call call) {
        buckets.get(call.call(), call.bucket());
        call.answer(XmlText.document("LocationConstraint", xml -> {}));
    }

    /** GetBucketVersioning: never enabled, which S3 writes as nothing. */
    void versioning(S3Call call) {
        buckets.get(call.call(), call.bucket());
        call.answer(XmlText.document("VersioningConfiguration", xml -> {}));
    }
}
