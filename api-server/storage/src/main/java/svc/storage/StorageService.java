package svc.storage;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.HEAD;
import static io.vertx.core.http.HttpMethod.OPTIONS;
import static io.vertx.core.http.HttpMethod.PATCH;
import static io.vertx.core.http.HttpMethod.POST;
import static io.vertx.core.http.HttpMethod.PUT;
import static svc.storage.RouteTable.Parts.BUCKET;
import static svc.storage.RouteTable.Parts.BUCKET_TO_EMPTY;
import static svc.storage.RouteTable.Parts.ID;
import static svc.storage.RouteTable.Parts.NONE;
import static svc.storage.RouteTable.Parts.OBJECT;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import svc.platform.clientip.CallerAddress;
import svc.platform.config.PurposeRoots;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.SessionTokens;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.TenantTransactions;
import svc.storage.body.UploadBodies;
import svc.storage.bucket.Buckets;
import svc.storage.content.ContentReader;
import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.egress.Egress;
import svc.storage.folder.FolderCopies;
import svc.storage.folder.Folders;
import svc.storage.http.Answers;
import svc.storage.http.StorageCall;
import svc.storage.image.ImageRenderer;
import svc.storage.image.Images;
import svc.storage.image.RenderPurge;
import svc.storage.object.Downloads;
import svc.storage.object.FileTransfer;
import svc.storage.object.Listings;
import svc.storage.object.Moves;
import svc.storage.object.Quota;
import svc.storage.object.Removals;
import svc.storage.object.Signatures;
import svc.storage.object.Uploads;
import svc.storage.resumable.ResumableEndpoints;
import svc.storage.resumable.ResumableRows;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ContentRows;
import svc.storage.rows.EventRows;
import svc.storage.rows.FolderRows;
import svc.storage.rows.ListingRows;
import svc.storage.rows.MultipartRows;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.StorageTransactions;
import svc.storage.rows.VersionRows;
import svc.storage.s3.S3RequestHandler;
import svc.storage.s3.command.BucketCommands;
import svc.storage.s3.command.Commands;
import svc.storage.s3.command.ListCommands;
import svc.storage.s3.command.MultipartCommands;
import svc.storage.s3.command.MultipartLists;
import svc.storage.s3.command.MultipartServices;
import svc.storage.s3.command.ObjectCommands;
import svc.storage.s3.command.PartCommands;
import svc.storage.s3.command.PostUpload;
import svc.storage.s3.signature.AccessKeys;
import svc.storage.s3.signature.RequestSignatures;
import svc.storage.token.UrlTokens;
import svc.storage.version.Versions;
import svc.storage.webhook.Webhooks;

/** Puts the endpoints together. */
final class StorageService {
    /** What the service says of itself, to every caller. */
    static final List<String> OPEN_PATHS = List.of("/status", "/health", "/version");

    private StorageService() {}

    /**
     * What the service works with.
     *
     * @param memory of a project, by its ref
     * @param beside runs what calls do not wait for
     * @param threads of calls
     * @param files rules of bodies that are files
     * @param queued called when events for webhooks may have been queued
     */
    record Platform(
            TenantTransactions transactions,
            ContentStore store,
            ContentReader reader,
            ImageRenderer images,
            PurposeRoots roots,
            SessionTokens tokens,
            CallerAddress proxies,
            Function<String, ByteBudget.Account> memory,
            Executor beside,
            ExecutorService threads,
            BodyRules files,
            Egress egress,
            Consumer<Tenant> queued,
            Clock clock) {}

    /** The two protocols of the service. */
    record Protocols(RouteTable routes, S3RequestHandler s3, UploadBodies files) {}

    static Protocols protocols(Platform platform) {
        var rows = new StorageTransactions(platform.transactions(), platform.queued());
        var bucketRows = new BucketRows(rows);
        var objectRows = new ObjectRows(rows);
        var contentRows = new ContentRows(rows);
        var listingRows = new ListingRows(rows);
        var versionRows = new VersionRows(rows);
        var folderRows = new FolderRows(rows);
        var store = platform.store();
        var memory = platform.memory();
        var disposal = new Disposal(store, platform.beside(), contentRows::unnamed);
        var resumableRows = new ResumableRows(rows);
        var quota = new Quota(call -> contentRows.totalSize(call) + resumableRows.totalSize(call));
        var tokens = new UrlTokens(platform.roots(), platform.clock());
        var uploads = new Uploads(bucketRows, objectRows, store, disposal, quota, memory);
        var transfer = new FileTransfer(store, memory, platform.egress());
        var downloads = new Downloads(objectRows, platform.reader(), tokens, memory);
        var moves = new Moves(bucketRows, objectRows, store, disposal, quota);
        var removals = new Removals(bucketRows, objectRows, disposal, quota);
        var routes = new RouteTable();
        own(routes);
        buckets(routes, new Buckets(bucketRows, objectRows, versionRows, disposal));
        signatures(routes, new Signatures(bucketRows, objectRows, uploads, tokens, platform.clock()));
        listings(routes, new Listings(listingRows));
        var folders = new Folders(bucketRows, folderRows, disposal, quota);
        moves(
                routes,
                moves,
                folders,
                new FolderCopies(bucketRows, folderRows, store, disposal, quota, platform.clock()));
        downloads(routes, downloads);
        images(routes, new Images(objectRows, platform.images(), tokens, memory));
        versions(routes, new Versions(bucketRows, versionRows, transfer, disposal, quota));
        removals(routes, removals, folders);
        caches(routes, new RenderPurge(objectRows, contentRows, platform.images()));
        var webhooks = new Webhooks(new EventRows(rows));
        routes.whole(GET, "/webhooks", NONE, "storage.webhook.list", webhooks::list);
        resumable(
                routes,
                new ResumableEndpoints(new ResumableEndpoints.Parts(
                        bucketRows,
                        objectRows,
                        resumableRows,
                        store,
                        disposal,
                        quota,
                        tokens,
                        platform.proxies(),
                        memory,
                        platform.beside(),
                        platform.clock())));
        routes.streamed(POST, "/object", OBJECT, "storage.object.upload", uploads::create)
                .streamed(PUT, "/object", OBJECT, "storage.object.upload_update", uploads::update);
        var multipart =
                new MultipartServices(bucketRows, objectRows, new MultipartRows(rows), store, disposal, quota, memory);
        var commands = new Commands(
                new BucketCommands(bucketRows),
                new ListCommands(bucketRows, listingRows),
                new ObjectCommands(bucketRows, objectRows, uploads, transfer, moves, removals, memory),
                new MultipartCommands(multipart),
                new MultipartLists(multipart),
                new PartCommands(multipart));
        var signatures = new RequestSignatures(new AccessKeys(platform.roots(), platform.tokens()), platform.clock());
        var forms = new PostUpload(signatures, bucketRows, uploads, memory, platform.clock());
        var files = new UploadBodies(platform.files(), memory);
        var s3 = new S3RequestHandler(
                signatures,
                commands,
                forms,
                files,
                platform.proxies(),
                (failure, exchange) -> Failures.of(failure, exchange.tenant().ref()),
                platform.threads());
        return new Protocols(routes, s3, files);
    }

    private static void own(RouteTable routes) {
        for (String path : OPEN_PATHS) {
            routes.whole(
                    GET,
                    path,
                    NONE,
                    "storage.status",
                    call -> Answers.json(call, StorageCall.newObject().put("healthy", true)));
        }
    }

    private static void buckets(RouteTable routes, Buckets buckets) {
        routes.whole(POST, "/bucket", NONE, "storage.bucket.create", buckets::create)
                .whole(GET, "/bucket", NONE, "storage.bucket.list", buckets::list)
                .whole(GET, "/bucket", BUCKET, "storage.bucket.get", buckets::get)
                .whole(PUT, "/bucket", BUCKET, "storage.bucket.update", buckets::update)
                .whole(DELETE, "/bucket", BUCKET, "storage.bucket.delete", buckets::delete)
                .whole(POST, "/bucket", BUCKET_TO_EMPTY, "storage.bucket.empty", buckets::empty);
    }

    private static void signatures(RouteTable routes, Signatures signatures) {
        routes.whole(POST, "/object/upload/sign", OBJECT, "storage.object.sign_upload_url", signatures::upload)
                .streamed(PUT, "/object/upload/sign", OBJECT, "storage.object.upload_signed", signatures::uploadTo)
                .whole(POST, "/object/sign", OBJECT, "storage.object.sign", signatures::one)
                .whole(POST, "/object/sign", BUCKET, "storage.object.sign_many", signatures::many);
    }

    private static void listings(RouteTable routes, Listings listings) {
        routes.whole(POST, "/object/list", BUCKET, "storage.object.list", listings::byOffset)
                .whole(POST, "/object/list-v2", BUCKET, "storage.object.list_v2", listings::byCursor);
    }

    private static void moves(RouteTable routes, Moves moves, Folders folders, FolderCopies copies) {
        routes.whole(POST, "/object/move", NONE, "storage.object.move", Folders.orElse(folders::move, moves::move))
                .whole(POST, "/object/copy", NONE, "storage.object.copy", Folders.orElse(copies::copy, moves::copy));
    }

    private static void downloads(RouteTable routes, Downloads downloads) {
        for (var method : List.of(GET, HEAD)) {
            routes.whole(method, "/object/info/public", OBJECT, "storage.object.info_public", downloads::infoPublic)
                    .whole(
                            method,
                            "/object/info/authenticated",
                            OBJECT,
                            "storage.object.info_authenticated",
                            downloads::infoAuthenticated)
                    .whole(method, "/object/info", OBJECT, "storage.object.info_authenticated", downloads::info);
        }
        for (var method : List.of(GET, HEAD)) {
            routes.direct(method, "/object/public", OBJECT, "storage.object.get_public", downloads::inPublic)
                    .direct(
                            method,
                            "/object/authenticated",
                            OBJECT,
                            "storage.object.get_authenticated",
                            downloads::authenticated)
                    .direct(method, "/object/sign", OBJECT, "storage.object.get_signed", downloads::signed)
                    .direct(method, "/object", OBJECT, "storage.object.get_authenticated", downloads::any);
        }
    }

    private static void images(RouteTable routes, Images images) {
        for (var method : List.of(GET, HEAD)) {
            routes.whole(method, "/render/image/public", OBJECT, "storage.render.image_public", images::inPublic)
                    .whole(
                            method,
                            "/render/image/authenticated",
                            OBJECT,
                            "storage.render.image_authenticated",
                            images::authenticated)
                    .whole(method, "/render/image/sign", OBJECT, "storage.render.image_sign", images::signed);
        }
    }

    private static void versions(RouteTable routes, Versions versions) {
        routes.whole(GET, "/versions", OBJECT, "storage.version.list", versions::of)
                .whole(GET, "/versions", BUCKET, "storage.version.list_deleted", versions::deleted)
                .whole(POST, "/versions", OBJECT, "storage.version.restore", versions::restore)
                .whole(DELETE, "/versions", OBJECT, "storage.version.delete", versions::delete);
    }

    private static void caches(RouteTable routes, RenderPurge renderings) {
        for (RouteTable.Parts parts : List.of(NONE, BUCKET, OBJECT)) {
            routes.whole(DELETE, "/cdn", parts, "storage.cdn.purge", renderings::purge);
        }
    }

    private static void resumable(RouteTable routes, ResumableEndpoints uploads) {
        for (var of : List.of(uploads.ofSignatures(), uploads.ofCallers())) {
            for (var parts : List.of(NONE, ID)) {
                routes.whole(OPTIONS, of.prefix(), parts, "storage.tus.options", of.options());
            }
            routes.streamed(POST, of.prefix(), NONE, "storage.tus.upload.create", of.create())
                    .streamed(POST, of.prefix(), ID, "storage.tus.upload.part", of.overridden())
                    .streamed(PATCH, of.prefix(), ID, "storage.tus.upload.part", of.patch())
                    .whole(HEAD, of.prefix(), ID, "storage.tus.upload.get", of.head())
                    .whole(DELETE, of.prefix(), ID, "storage.tus.upload.delete", of.terminate());
        }
    }

    private static void removals(RouteTable routes, Removals removals, Folders folders) {
        routes.whole(DELETE, "/object", OBJECT, "storage.object.delete", removals::one)
                .whole(
                        DELETE,
                        "/object",
                        BUCKET,
                        "storage.object.delete_many",
                        Folders.orElse(folders::delete, removals::many));
    }
}
