package svc.storage;

import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.mutiny.redis.client.RedisAPI;
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
import svc.platform.dataplane.SessionTokens;
import svc.platform.memory.MemoryBudget;
import svc.platform.s3.PlatformBucket;
import svc.postgres.flush.TenantTransactions;
import svc.storage.content.ContentStore;
import svc.storage.content.S3ContentStore;
import svc.storage.egress.Egress;
import svc.storage.egress.RedisSentBytes;

/** Produces the service's beans from the process's connections and root keys. */
@ApplicationScoped
class StorageBeans {
    /** The bucket with a client of this service's own: other services' calls wait for none of these connections. */
    record Store(PlatformBucket bucket, ContentStore contents) {}

    @Produces
    @Singleton
    Store store(S3Config s3, StorageConfig config) {
        var bucket = new PlatformBucket(s3, config.callTimeout(), config.connections());
        return new Store(bucket, new S3ContentStore(bucket, config.connections()));
    }

    void close(@Disposes Store store) {
        store.bucket().close();
    }

    @Produces
    @Singleton
    Egress egress(RedisAPI redis, Clock clock) {
        return new Egress(new RedisSentBytes(redis), clock);
    }

    @Produces
    @Singleton
    StorageRequestHandler handler(
            TenantTransactions transactions,
            Store store,
            PurposeRoots roots,
            SessionTokens tokens,
            CallerAddress proxies,
            MemoryBudget memory,
            ApiConfig config,
            Egress egress,
            @VirtualThreads ExecutorService threads,
            Clock clock) {
        var files = BodyRules.of(config.limits(), Long.MAX_VALUE, false);
        var protocols = StorageService.protocols(new StorageService.Platform(
                transactions,
                store.contents(),
                roots,
                tokens,
                proxies,
                memory::ofProject,
                threads,
                threads,
                files,
                clock));
        return new StorageRequestHandler(
                protocols,
                memory::ofProject,
                BodyRules.of(config.limits(), StorageRequestHandler.MAX_JSON, true),
                files,
                egress,
                threads);
    }
}
