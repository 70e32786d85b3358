package svc.storage;

import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import svc.platform.clientip.CallerAddress;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;
import svc.platform.config.S3Config;
import svc.platform.dataplane.BodyRules;
import svc.platform.memory.MemoryBudget;
import svc.platform.s3.PlatformBucket;
import svc.postgres.flush.TenantTransactions;
import svc.storage.content.CachedContentReader;
import svc.storage.content.ContentCache;
import svc.storage.content.ContentStore;
import svc.storage.content.S3ContentReader;
import svc.storage.content.S3ContentStore;

/** Produces the service's beans from the process's connections and root keys. */
@ApplicationScoped
class StorageBeans {
    /** The bucket with a client of this service's own: other services' calls wait for none of these connections. */
    record Store(PlatformBucket bucket, ContentStore contents, S3ContentReader reads) {}

    @Produces
    @Singleton
    Store store(S3Config s3, StorageConfig config, Vertx vertx) {
        var bucket = new PlatformBucket(s3, config.callTimeout(), config.connections());
        var contents = new S3ContentStore(bucket, config.connections());
        var reads = new S3ContentReader(vertx, contents, config.connections(), config.callTimeout());
        return new Store(bucket, contents, reads);
    }

    void close(@Disposes Store store) {
        store.reads().close();
        store.bucket().close();
    }

    @Produces
    @Singleton
    StorageRequestHandler handler(
            TenantTransactions transactions,
            Store store,
            PurposeRoots roots,
            MemoryBudget memory,
            ApiConfig config,
            StorageConfig storage,
            @VirtualThreads ExecutorService threads,
            Clock clock,
            CallerAddress addresses) {
        var reader = new CachedContentReader(
                store.reads(), new ContentCache(storage.cache().asLongValue()));
        return new StorageRequestHandler(
                StorageService.routes(
                        transactions, store.contents(), reader, roots, memory::ofProject, threads, clock, addresses),
                memory::ofProject,
                BodyRules.of(config.limits(), StorageRequestHandler.MAX_JSON, true),
                BodyRules.of(config.limits(), Long.MAX_VALUE, false),
                threads);
    }
}
