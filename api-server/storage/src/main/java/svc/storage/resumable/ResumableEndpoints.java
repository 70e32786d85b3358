package svc.storage.resumable;

import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import svc.platform.clientip.CallerAddress;
import svc.platform.memory.ByteBudget;
import svc.storage.body.BodyReader;
import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.http.StorageCall;
import svc.storage.object.Quota;
import svc.storage.rows.BucketRows;
import svc.storage.rows.ObjectRows;
import svc.storage.token.UrlTokens;

/** Puts the endpoints of resumable uploads together: those of callers, and those of signatures. */
public final class ResumableEndpoints {
    private final ResumableUploads ofCallers;
    private final ResumableUploads ofSignatures;

    /** What they are made of, which other endpoints share. */
    public record Parts(
            BucketRows buckets,
            ObjectRows objects,
            ResumableRows rows,
            ContentStore store,
            Disposal disposal,
            Quota quota,
            UrlTokens tokens,
            CallerAddress addresses,
            Function<String, ByteBudget.Account> memory,
            Executor threads,
            Clock clock) {}

    public ResumableEndpoints(Parts parts) {
        var ended = new EndedUploads(parts.rows(), parts.store(), parts.threads(), parts.clock());
        var completion = new Completion(parts.rows(), parts.store(), parts.disposal(), ended, parts.clock());
        var stores = new UploadStores(parts.rows(), parts.store(), parts.disposal(), parts.quota(), ended, completion);
        this.ofCallers = uploads(parts, stores, new UploadAccess.ByCaller(parts.objects()));
        this.ofSignatures =
                uploads(parts, stores, new UploadAccess.BySignature(parts.objects(), parts.rows(), parts.tokens()));
    }

    private static ResumableUploads uploads(Parts parts, UploadStores stores, UploadAccess access) {
        var appending = new Appending(stores, parts.memory(), parts.clock());
        var creation = new UploadCreation(
                access,
                parts.buckets(),
                stores,
                appending,
                new Concatenation(stores, parts.memory(), parts.threads()),
                new PublicAddress(parts.addresses()),
                parts.clock());
        return new ResumableUploads(access, parts.buckets(), stores, appending, creation);
    }

    /** The endpoints of one kind of access. */
    public record Endpoints(
            String prefix,
            Consumer<StorageCall> options,
            BiConsumer<StorageCall, BodyReader> create,
            BiConsumer<StorageCall, BodyReader> overridden,
            BiConsumer<StorageCall, BodyReader> patch,
            Consumer<StorageCall> head,
            Consumer<StorageCall> terminate) {}

    public Endpoints ofCallers() {
        return endpoints("/upload/resumable", ofCallers);
    }

    public Endpoints ofSignatures() {
        return endpoints("/upload/resumable/sign", ofSignatures);
    }

    private static Endpoints endpoints(String prefix, ResumableUploads uploads) {
        return new Endpoints(
                prefix,
                uploads::options,
                uploads::create,
                uploads::overridden,
                uploads::patch,
                uploads::head,
                uploads::terminate);
    }
}
