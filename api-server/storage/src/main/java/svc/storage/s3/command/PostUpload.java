package svc.storage.s3.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.memory.ByteBudget;
import svc.storage.body.BodyReader;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;
import svc.storage.name.ObjectName;
import svc.storage.object.Uploads;
import svc.storage.object.Uploads.Content;
import svc.storage.object.Uploads.Target;
import svc.storage.rows.Bucket;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRow;
import svc.storage.s3.signature.PostPolicy;
import svc.storage.s3.signature.RequestSignatures;
import svc.storage.s3.signature.UriText;
import svc.storage.s3.signature.Verified;
import svc.storage.s3.xml.S3Error;
import svc.storage.s3.xml.XmlText;

/**
 * An upload by a form that a web page sends. Its signature is a field of the form: the fields are read first, a few KiB, and
 * of the file nothing before the signature and the policy are found right.
 */
public final class PostUpload {
    private static final String OPERATION = "storage.s3.upload";
    private static final Pattern REDIRECT = Pattern.compile("https?://[\\x21-\\x7e]+");
    private static final int MAX_REDIRECT = 2_000;

    private final RequestSignatures signatures;
    private final BucketRows buckets;
    private final Uploads uploads;
    private final Function<String, ByteBudget.Account> memory;
    private final Clock clock;

    /** @param memory of a project, by its ref */
    public PostUpload(
            RequestSignatures signatures,
            BucketRows buckets,
            Uploads uploads,
            Function<String, ByteBudget.Account> memory,
            Clock clock) {
        this.signatures = signatures;
        this.buckets = buckets;
        this.uploads = uploads;
        this.memory = memory;
        this.clock = clock;
    }

    /** @param exchange whose caller is anonymous: the form says who signs */
    public void serve(DataPlaneExchange exchange, String bucket, BodyReader body) {
        try (ByteBudget.Permit fields = memory.apply(exchange.tenant().ref()).open()) {
            body.begin();
            String type = exchange.request().getHeader("content-type");
            serve(exchange, bucket, body, PostForm.read(body, type, fields));
        }
    }

    private void serve(DataPlaneExchange exchange, String bucket, BodyReader body, PostForm form) {
        Map<String, String> fields = form.fields();
        fields.put("bucket", bucket);
        String key = form.key();
        fields.put("key", key);
        Verified verified = signatures.verifyPolicy(
                exchange.tenant(),
                form.required("policy"),
                form.required("x-amz-credential"),
                form.required("x-amz-signature"),
                Optional.ofNullable(fields.get("x-amz-security-token")));
        PostPolicy policy = PostPolicy.of(form.required("policy"));
        policy.require(fields, clock.instant());
        var admitted = new DataPlaneExchange(
                exchange.tenant(),
                verified.caller(),
                exchange.path(),
                exchange.query(),
                exchange.request(),
                exchange.requestId());
        var call = new StorageCall(admitted, OPERATION, bucket, key, StorageCall.nothing());
        answer(call, form, store(call, body, form, policy.length()));
    }

    private ObjectRow store(StorageCall call, BodyReader body, PostForm form, PostPolicy.Length length) {
        String name = ObjectName.accepted(call.object());
        Bucket bucket = buckets.prepared(call, call.bucket());
        Function<String, Optional<String>> fields =
                field -> Optional.ofNullable(form.fields().get(field));
        Optional<ObjectNode> userMetadata =
                ObjectHeaders.userMetadata(form.fields().entrySet());
        var content = new Content(
                new Bounded(form.file(), length),
                OptionalLong.empty(),
                ObjectHeaders.mimetype(fields),
                ObjectHeaders.cacheControl(fields),
                userMetadata,
                ObjectHeaders.more(fields));
        var target = new Target(bucket, name, call.user().orElse(""), true, false);
        return uploads.put(call, body, target, content);
    }

    private static void answer(StorageCall call, PostForm form, ObjectRow row) {
        HttpServerResponse response = call.response();
        String location = call.tenant().storageUrl() + "/s3/" + call.bucket() + "/" + UriText.encode(row.name(), "/");
        response.putHeader("etag", row.etag()).putHeader("location", location);
        Optional<String> redirect = Optional.ofNullable(form.fields().get("success_action_redirect"))
                .filter(url ->
                        url.length() <= MAX_REDIRECT && REDIRECT.matcher(url).matches());
        if (redirect.isPresent()) {
            String url = redirect.get();
            response.putHeader(
                    "location",
                    url + (url.contains("?") ? "&" : "?") + "bucket=" + UriText.encode(call.bucket(), "") + "&key="
                            + UriText.encode(row.name(), "") + "&etag=" + UriText.encode(row.etag(), ""));
            response.setStatusCode(303).end().onFailure(gone -> response.close());
            return;
        }
        String status = form.fields().getOrDefault("success_action_status", "204");
        if (status.equals("201")) {
            response.setStatusCode(201).putHeader("content-type", "application/xml");
            S3Call.end(
                    response,
                    call.request().method(),
                    XmlText.document(
                            "PostResponse",
                            xml -> xml.text("Location", location)
                                    .text("Bucket", call.bucket())
                                    .text("Key", row.name())
                                    .text("ETag", row.etag())));
        } else {
            response.setStatusCode(status.equals("200") ? 200 : 204).end().onFailure(gone -> response.close());
        }
    }

    /** A file with as many bytes as the policy allows. */
    private static final class Bounded extends InputStream {
        private final InputStream file;
        private final PostPolicy.Length length;
        private long count;

        Bounded(InputStream file, PostPolicy.Length length) {
            this.file = file;
            this.length = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int wanted) throws IOException {
            int read = file.read(target, offset, wanted);
            count += Math.max(0, read);
            if (count > length.most()) {
                throw StorageError.tooLarge();
            }
            if (read < 0 && count < length.least()) {
                throw S3Error.policyRefuses("the file has fewer bytes than content-length-range allows.");
            }
            return read;
        }
    }
}
