package svc.storage.object;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.storage.body.BodyReader;
import svc.storage.http.Answers;
import svc.storage.http.BodyFields;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.image.transform.Transform;
import svc.storage.name.ObjectName;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRow;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.ObjectRows.Entry;
import svc.storage.token.UrlTokens;
import svc.storage.token.UrlTokens.Grant;
import svc.storage.token.UrlTokens.RenderGrant;
import svc.storage.token.UrlTokens.Scope;

/** Signs URLs of files, and takes uploads to signed ones. */
public final class Signatures {
    private static final int MAX_PATHS = 1_000;

    /** Hundred years: a URL that does not expire is asked for so. */
    private static final long MAX_SECONDS = 3_155_760_000L;

    /** As Supabase's. */
    private static final Duration UPLOAD_VALIDITY = Duration.ofHours(2);

    private static final String NOT_FOUND = "Either the object does not exist or you do not have access to it";

    private final BucketRows buckets;
    private final ObjectRows objects;
    private final Uploads uploads;
    private final UrlTokens tokens;
    private final Clock clock;

    public Signatures(BucketRows buckets, ObjectRows objects, Uploads uploads, UrlTokens tokens, Clock clock) {
        this.buckets = buckets;
        this.objects = objects;
        this.uploads = uploads;
        this.tokens = tokens;
        this.clock = clock;
    }

    /** {@code POST /object/sign/{bucket}/{path}}. */
    public void one(StorageCall call) {
        BodyFields fields = BodyFields.of(call);
        Instant expires = expires(fields);
        Optional<Transform> transform = Transform.of(fields.body().path("transform"));
        String name = ObjectName.normal(call.object());
        if (!objects.isReadable(call, call.bucket(), name)) {
            throw StorageError.noSuchObject();
        }
        String url = transform
                .map(wanted -> imageUrl(call, name, wanted, expires))
                .orElseGet(() -> url(call, name, expires));
        Answers.json(call, StorageCall.newObject().put("signedURL", url));
    }

    /** {@code POST /object/sign/{bucket}}: one entry for each path, in their order. */
    public void many(StorageCall call) {
        BodyFields fields = BodyFields.of(call);
        Instant expires = expires(fields);
        List<String> paths = fields.texts("paths", MAX_PATHS);
        Set<String> readable = new HashSet<>(objects.readable(
                call, call.bucket(), paths.stream().map(ObjectName::normal).toList()));
        var answers = JsonNodeFactory.instance.arrayNode();
        for (String path : paths) {
            String name = ObjectName.normal(path);
            ObjectNode entry = answers.addObject();
            if (readable.contains(name)) {
                entry.putNull("error").put("path", path).put("signedURL", url(call, name, expires));
            } else {
                entry.put("error", NOT_FOUND).put("path", path).putNull("signedURL");
            }
        }
        Answers.json(call, answers);
    }

    private Instant expires(BodyFields fields) {
        long seconds = fields.number("expiresIn", 1, MAX_SECONDS)
                .orElseThrow(() -> StorageError.invalidRequest("body must have required property 'expiresIn'"));
        return clock.instant().plusSeconds(seconds);
    }

    /** Not encoded: storage-js encodes what it gets. */
    private String url(StorageCall call, String name, Instant expires) {
        String path = call.bucket() + "/" + name;
        return "/object/sign/" + path + "?token=" + tokens.sign(call.tenant(), Grant.download(path, expires));
    }

    private String imageUrl(StorageCall call, String name, Transform wanted, Instant expires) {
        String path = call.bucket() + "/" + name;
        return "/render/image/sign/" + path + "?token="
                + tokens.sign(call.tenant(), new RenderGrant(path, wanted.text(), expires));
    }

    /** {@code POST /object/upload/sign/{bucket}/{path}}: whether the caller may upload is tried now. */
    public void upload(StorageCall call) {
        String name = ObjectName.accepted(call.object());
        Bucket bucket = buckets.prepared(call, call.bucket());
        String owner = call.user().orElse("");
        Refusals.refusing(
                () -> objects.tryWrite(call, new Entry(bucket.id(), name, owner, "", "{}", ""), call.upsert()));
        String path = bucket.id() + "/" + name;
        String token = tokens.sign(
                call.tenant(),
                new Grant(
                        Scope.UPLOAD,
                        path,
                        Optional.of(owner).filter(user -> !user.isEmpty()),
                        call.upsert(),
                        clock.instant().plus(UPLOAD_VALIDITY)));
        Answers.json(
                call,
                StorageCall.newObject()
                        .put("url", "/object/upload/sign/" + path + "?token=" + token)
                        .put("token", token));
    }

    /** {@code PUT /object/upload/sign/{bucket}/{path}?token=…}. */
    public void uploadTo(StorageCall call, BodyReader body) {
        String token = call.query("token")
                .orElseThrow(() -> StorageError.invalidRequest("querystring must have required property 'token'"));
        String name = ObjectName.accepted(call.object());
        Grant grant = tokens.verify(call.tenant(), Scope.UPLOAD, call.bucket() + "/" + name, token);
        Bucket bucket = buckets.prepared(call, call.bucket());
        if (!grant.upsert() && objects.findForAll(call, bucket.id(), name).isPresent()) {
            // Known before the body is read.
            throw StorageError.objectExists();
        }
        ObjectRow row = uploads.put(
                call, body, new Uploads.Target(bucket, name, grant.owner().orElse(""), grant.upsert(), true));
        Answers.json(call, StorageCall.newObject().put("Key", row.bucket() + "/" + row.name()));
    }
}
