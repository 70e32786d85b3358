package svc.storage;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import javax.net.ssl.TrustManager;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import svc.platform.budget.BudgetMetrics;
import svc.platform.clientip.CallerAddress;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;
import svc.platform.config.S3Config;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.SessionTokens;
import svc.platform.egress.EgressClient;
import svc.platform.memory.MemoryBudget;
import svc.platform.process.SandboxHome;
import svc.platform.ratelimit.RateLimit;
import svc.platform.s3.PlatformBucket;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.flush.TenantTransactions;
import svc.storage.content.CachedContentReader;
import svc.storage.content.ContentCache;
import svc.storage.content.ContentStore;
import svc.storage.content.S3ContentReader;
import svc.storage.content.S3ContentStore;
import svc.storage.egress.Egress;
import svc.storage.egress.RedisSentBytes;
import svc.storage.image.ImageLimits;
import svc.storage.image.ImageRenderer;
import svc.storage.image.RenderStore;
import svc.storage.image.RenderedContents;
import svc.storage.rows.EventRows;
import svc.storage.rows.StorageTransactions;
import svc.storage.webhook.WebhookDispatcher;

/** Produces the service's beans from the process's connections and root keys. */
@ApplicationScoped
class StorageBeans {
    private static final Duration WEBHOOK_CALL = Duration.ofSeconds(5);

    /** The bucket with a client of this service's own: other services' calls wait for none of these connections. */
    record Store(
            PlatformBucket bucket,
            ContentStore contents,
            S3ContentReader reads,
            PlatformBucket images,
            RenderStore renders) {}

    @Produces
    @Singleton
    Store store(S3Config s3, StorageConfig config, Vertx vertx, MeterRegistry metrics) {
        var bucket = new PlatformBucket(s3, config.callTimeout(), config.connections());
        int connections = config.images().connections();
        var images = new PlatformBucket(s3, config.callTimeout(), connections);
        var renders = new RenderStore(images, connections);
        var contents = new S3ContentStore(bucket, config.connections());
        BudgetMetrics.register(contents.connections(), metrics);
        BudgetMetrics.register(renders.connections(), metrics);
        var reads =
                new S3ContentReader(vertx, contents, config.connections(), config.callTimeout(), authorities(bucket));
        return new Store(bucket, new RenderedContents(contents, renders), reads, images, renders);
    }

    /** A file of authorities that cannot be read fails the bucket's calls, and not the start of the process. */
    private static Optional<TrustManager> authorities(PlatformBucket bucket) {
        try {
            return bucket.authorities().map(trusted -> trusted.trustManagers()[0]);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    void close(@Disposes Store store) {
        store.reads().close();
        store.bucket().close();
        store.images().close();
    }

    @Produces
    @Singleton
    ImageRenderer images(
            Store store,
            StorageConfig config,
            @ConfigProperty(name = SandboxHome.SETTING) Optional<String> home,
            RedisAPI redis,
            MeterRegistry metrics,
            @VirtualThreads ExecutorService threads,
            Clock clock) {
        StorageConfig.Images images = config.images();
        var rule = new RateLimit.Rule("images", images.rate(), Duration.ofMinutes(1));
        var rate = new RateLimit(redis, rule, clock, metrics);
        var renderer = new ImageRenderer(
                store.contents(),
                store.renders(),
                () -> SandboxHome.find(home.map(Path::of)),
                ImageLimits.of(images.workers().orElseGet(ImageLimits::defaultWorkers), images.spare()),
                tenant -> rate.count(tenant.projectId()).allowed(),
                threads);
        renderer.turns().ifPresent(turns -> BudgetMetrics.register(turns, metrics));
        return renderer;
    }

    void close(@Disposes ImageRenderer images) {
        images.close();
    }

    @Produces
    @Singleton
    Egress egress(RedisAPI redis, Clock clock) {
        return new Egress(new RedisSentBytes(redis), clock);
    }

    @Produces
    @Singleton
    WebhookDispatcher webhooks(
            TenantTransactions transactions,
            TenantDirectory tenants,
            EgressClient client,
            PurposeRoots roots,
            @VirtualThreads ExecutorService threads,
            Clock clock) {
        return new WebhookDispatcher(
                new EventRows(new StorageTransactions(transactions.inBackground())),
                tenants,
                client,
                new ProjectSecrets(roots),
                WEBHOOK_CALL,
                threads,
                clock);
    }

    @Produces
    @Singleton
    StorageRequestHandler handler(
            TenantTransactions transactions,
            Store store,
            ImageRenderer images,
            PurposeRoots roots,
            SessionTokens tokens,
            CallerAddress proxies,
            MemoryBudget memory,
            ApiConfig config,
            StorageConfig storage,
            Egress egress,
            WebhookDispatcher webhooks,
            @VirtualThreads ExecutorService threads,
            Clock clock) {
        var reader = new CachedContentReader(
                store.reads(), new ContentCache(storage.cache().asLongValue()));
        var files = BodyRules.of(config.limits(), Long.MAX_VALUE, false);
        var protocols = StorageService.protocols(new StorageService.Platform(
                transactions,
                store.contents(),
                reader,
                images,
                roots,
                tokens,
                proxies,
                memory::ofProject,
                threads,
                threads,
                files,
                egress,
                webhooks::queued,
                clock));
        return new StorageRequestHandler(
                protocols,
                memory::ofProject,
                BodyRules.of(config.limits(), StorageRequestHandler.MAX_JSON, true),
                egress,
                threads);
    }
}
