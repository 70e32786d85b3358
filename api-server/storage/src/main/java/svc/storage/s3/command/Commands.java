package svc.storage.s3.command;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import svc.storage.s3.xml.S3Error;

/** Which command a request is: its method, whether it names a bucket and a key, its parameters and headers decide. */
public final class Commands {
    /** Parts of buckets and objects that the platform does not have. */
    private static final Set<String> UNSUPPORTED = Set.of(
            "accelerate",
            "acl",
            "analytics",
            "attributes",
            "cors",
            "encryption",
            "intelligent-tiering",
            "inventory",
            "legal-hold",
            "lifecycle",
            "logging",
            "metadataTable",
            "metrics",
            "notification",
            "object-lock",
            "ownershipControls",
            "policy",
            "policyStatus",
            "publicAccessBlock",
            "renameObject",
            "replication",
            "requestPayment",
            "restore",
            "retention",
            "select",
            "session",
            "torrent",
            "versions",
            "website");

    private final BucketCommands buckets;
    private final ListCommands lists;
    private final ObjectCommands objects;
    private final MultipartCommands uploads;
    private final MultipartLists uploadLists;
    private final PartCommands parts;

    public Commands(
            BucketCommands buckets,
            ListCommands lists,
            ObjectCommands objects,
            MultipartCommands uploads,
            MultipartLists uploadLists,
            PartCommands parts) {
        this.buckets = buckets;
        this.lists = lists;
        this.objects = objects;
        this.uploads = uploads;
        this.uploadLists = uploadLists;
        this.parts = parts;
    }

    /**
     * A command.
     *
     * @param operation what {@code storage.operation()} gives
     */
    public record Command(String operation, Consumer<S3Call> run) {}

    /**
     * The command of a request.
     *
     * @param bucket empty without one
     * @param key empty without one
     * @throws S3Error when it is none that the platform has
     */
    public Command of(HttpMethod method, String bucket, String key, Map<String, String> parameters, MultiMap headers) {
        for (String name : UNSUPPORTED) {
            if (parameters.containsKey(name)) {
                throw S3Error.notImplemented("The subresource " + name + " is not supported.");
            }
        }
        String version = parameters.getOrDefault("versionId", "null");
        if (!version.equals("null")) {
            throw S3Error.notImplemented("Versions of objects are not supported.");
        }
        if (bucket.isEmpty()) {
            return only(method, HttpMethod.GET, "bucket.list", buckets::list);
        }
        return key.isEmpty() ? ofBucket(method, parameters) : ofObject(method, parameters, headers);
    }

    private static Command only(HttpMethod method, HttpMethod wanted, String operation, Consumer<S3Call> run) {
        if (!method.equals(wanted)) {
            throw unknown();
        }
        return command(operation, run);
    }

    private static Command command(String operation, Consumer<S3Call> run) {
        return new Command("storage.s3." + operation, run);
    }

    private static S3Error unknown() {
        return S3Error.notImplemented(
                "A header or parameter you provided implies functionality that is not implemented.");
    }

    private Command ofBucket(HttpMethod method, Map<String, String> parameters) {
        if (parameters.containsKey("location")) {
            return only(method, HttpMethod.GET, "bucket.get_location", buckets::location);
        }
        if (parameters.containsKey("versioning")) {
            return only(method, HttpMethod.GET, "bucket.get_versioning", buckets::versioning);
        }
        if (parameters.containsKey("uploads")) {
            return only(method, HttpMethod.GET, "upload.list_multipart", uploadLists::listUploads);
        }
        if (parameters.containsKey("delete")) {
            return only(method, HttpMethod.POST, "object.delete_many", objects::deleteMany);
        }
        if (parameters.containsKey("tagging")) {
            throw unknown();
        }
        return switch (method.name()) {
            case "GET" ->
                command(
                        "object.list",
                        parameters.getOrDefault("list-type", "1").equals("2") ? lists::second : lists::first);
            case "HEAD" -> command("bucket.head", buckets::head);
            case "PUT" -> command("bucket.create", buckets::create);
            case "DELETE" -> command("bucket.delete", buckets::delete);
            default -> throw unknown();
        };
    }

    private Command ofObject(HttpMethod method, Map<String, String> parameters, MultiMap headers) {
        if (parameters.containsKey("tagging")) {
            return only(method, HttpMethod.GET, "object.get_tagging", objects::tagging);
        }
        if (parameters.containsKey("uploads")) {
            return only(method, HttpMethod.POST, "upload.create_multipart", uploads::create);
        }
        boolean copy = headers.contains("x-amz-copy-source");
        if (parameters.containsKey("uploadId")) {
            return switch (method.name()) {
                case "GET" -> command("upload.list_parts", uploadLists::listParts);
                case "POST" -> command("upload.complete_multipart", uploads::complete);
                case "DELETE" -> command("upload.abort_multipart", uploads::abort);
                case "PUT" -> copy ? command("upload.part_copy", parts::copy) : command("upload.part", parts::upload);
                default -> throw unknown();
            };
        }
        return switch (method.name()) {
            case "GET" -> command("object.get", objects::get);
            case "HEAD" -> command("object.info", objects::get);
            case "PUT" -> copy ? command("object.copy", objects::copy) : command("upload", objects::put);
            case "DELETE" -> command("object.delete", objects::delete);
            default -> throw unknown();
        };
    }
}
