package svc.storage;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import svc.embedded.s3.EmbeddedS3;
import svc.platform.clientip.CallerAddress;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.egress.AddressRules;
import svc.platform.egress.EgressClient;
import svc.platform.memory.ByteBudget;
import svc.platform.process.SandboxHome;
import svc.platform.s3.PlatformBucket;
import svc.platform.secret.ProjectSecrets;
import svc.platform.tenancy.Tenant;
import svc.postgres.flush.ProjectPools;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.pool.PoolSettings;
import svc.storage.content.CachedContentReader;
import svc.storage.content.ContentCache;
import svc.storage.content.ProjectSweep;
import svc.storage.content.S3ContentReader;
import svc.storage.content.S3ContentStore;
import svc.storage.egress.Egress;
import svc.storage.image.ImageLimits;
import svc.storage.image.ImageRenderer;
import svc.storage.image.RenderStore;
import svc.storage.image.RenderedContents;
import svc.storage.rows.EventRows;
import svc.storage.rows.StorageTransactions;
import svc.storage.webhook.WebhookDispatcher;

/**
 * The storage service over HTTP, on real projects and the embedded S3. A short form of the gateway: the bearer
 * {@code service} is the service role, any other bearer is a signed-in user of that id, none is anonymous.
 */
final class StorageForTests extends StorageProjects implements AutoCloseable {
    static final String SERVICE = "service";
    static final String ALICE = "00000000-0000-4000-8000-00000000000a";
    static final String BOB = "00000000-0000-4000-8000-00000000000b";

    /** Calls come from the loopback interface, as by a proxy of ours. */
    private static final CallerAddress PROXIES = new CallerAddress(List.of("127.0.0.1"));

    private static final Duration WEBHOOK_CALL = Duration.ofSeconds(3);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final int CONNECTIONS = 16;
    private static final long MEMORY = 200 << 20;
    private static final long CACHE = 4 << 20;

    static {
        // On a busy machine, what is awaited may take longer than the ten seconds of the library.
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }

    private final EmbeddedS3 s3 = EmbeddedS3.forTests();
    private final FaultyS3 network = new FaultyS3(s3.endpoint());
    private final PlatformBucket bucket;
    private final StoppingStore store;
    private final S3ContentReader reads;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Vertx vertx = Vertx.vertx();
    private final ContentCache cache = new ContentCache(CACHE);
    private final ByteBudget budget = new ByteBudget(MEMORY);
    private final MovableClock clock = new MovableClock();
    private final AtomicInteger beside = new AtomicInteger();
    private final RenderStore renders;
    private final Set<String> withoutImages = ConcurrentHashMap.newKeySet();
    private final AtomicInteger newImages = new AtomicInteger();
    private final ImageRenderer images;
    private final Map<String, Long> sent = new ConcurrentHashMap<>();
    private final Egress egress = new Egress(this::addSent, clock);
    private final TenantTransactions transactions;
    private final EgressClient calls =
            new EgressClient(vertx, new AddressRules(List.of(), List.of("127.0.0.1/32")), WEBHOOK_CALL);
    private final WebhookDispatcher webhooks;
    private volatile StorageRequestHandler handler;
    private final HttpServer server;
    private volatile boolean sentIsAway;

    StorageForTests() {
        this(GRACE);
    }

    /** @param grace how long a body may be slow */
    StorageForTests(Duration grace) {
        this(grace, Optional.empty(), ImageLimits.of(0, false), () -> SandboxHome.find(Optional.empty()));
    }

    /** With a network before S3 that fails on demand. */
    static StorageForTests withNetwork(Duration callLimit) {
        return new StorageForTests(GRACE, Optional.of(callLimit), ImageLimits.of(0, false), () -> null);
    }

    /** Transforms images. */
    StorageForTests(ImageLimits limits) {
        this(limits, () -> SandboxHome.find(Optional.empty()));
    }

    StorageForTests(ImageLimits limits, Supplier<SandboxHome> sandbox) {
        this(GRACE, Optional.empty(), limits, sandbox);
    }

    private StorageForTests(
            Duration grace, Optional<Duration> callLimit, ImageLimits limits, Supplier<SandboxHome> sandbox) {
        URI endpoint = callLimit.isPresent() ? network.endpoint() : s3.endpoint();
        Duration limit = callLimit.orElse(Duration.ofSeconds(20));
        this.bucket = new PlatformBucket(new S3ForStore(endpoint, s3.credentials()), limit, CONNECTIONS);
        this.renders = new RenderStore(bucket, CONNECTIONS);
        var contents = new S3ContentStore(bucket, CONNECTIONS);
        this.store = new StoppingStore(new RenderedContents(contents, renders));
        this.reads = new S3ContentReader(vertx, contents, CONNECTIONS, limit, Optional.empty());
        this.images = new ImageRenderer(store, renders, sandbox, limits, this::countImage, this::beside);
        this.transactions = new TenantTransactions(
                new ProjectPools(PoolSettings.defaults().withCap(30), projects().roots()), Duration.ofSeconds(15));
        this.webhooks = dispatcher();
        startAgain(grace);
        this.server = vertx.createHttpServer()
                .requestHandler(request -> handle(handler, request))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    /** Of another instance. */
    WebhookDispatcher dispatcher() {
        return new WebhookDispatcher(
                new EventRows(backgroundTransactions()),
                directory(),
                calls,
                new ProjectSecrets(projects().purposeRoots()),
                WEBHOOK_CALL,
                threads,
                clock);
    }

    WebhookDispatcher webhooks() {
        return webhooks;
    }

    private long addSent(UUID projectId, YearMonth month, long bytes) {
        if (sentIsAway) {
            throw new IllegalStateException("the sums are away");
        }
        return sent.merge(projectId + " " + month, bytes, Long::sum);
    }

    /** Counts what answers have sent, and adds it to the sums, as it is done every few seconds. */
    void countSent() {
        egress.look();
        egress.flush();
    }

    /** What another instance has sent. */
    void sendElsewhere(String ref, long bytes) {
        addSent(tenant(ref).projectId(), YearMonth.from(clock.instant().atZone(ZoneOffset.UTC)), bytes);
    }

    void loseSums(boolean away) {
        sentIsAway = away;
    }

    /** From now on requests are answered by another process; those before go on in the old one. */
    void startAgain() {
        startAgain(GRACE);
    }

    /** @param grace how long a body may be slow */
    void startAgain(Duration grace) {
        var files = new BodyRules(Long.MAX_VALUE, false, grace, 1024);
        var protocols = StorageService.protocols(new StorageService.Platform(
                transactions,
                store,
                new CachedContentReader(reads, cache),
                images,
                projects().purposeRoots(),
                new TestingCallers.PlainTokens(),
                PROXIES,
                budget::account,
                this::beside,
                threads,
                files,
                egress,
                webhooks::queued,
                clock));
        handler = new StorageRequestHandler(
                protocols,
                budget::account,
                new BodyRules(StorageRequestHandler.MAX_JSON, true, grace, 1024),
                egress,
                threads);
    }

    /** Runs what is done beside a call, and knows when it is done. */
    private void beside(Runnable work) {
        beside.incrementAndGet();
        threads.execute(() -> {
            try {
                work.run();
            } finally {
                beside.decrementAndGet();
            }
        });
    }

    /** Whether nothing is being done. */
    boolean idle() {
        return beside.get() == 0 && budget.held() == 0;
    }

    private void handle(StorageRequestHandler handler, HttpServerRequest request) {
        request.pause();
        String[] parts = request.path().split("/", 3);
        String bearer = request.getHeader("Authorization");
        handler.serve(new DataPlaneExchange(
                tenant(parts[1]),
                TestingCallers.caller(bearer == null ? "" : bearer.substring("Bearer ".length())),
                "/" + parts[2],
                Objects.requireNonNullElse(request.query(), ""),
                request,
                "test"));
    }

    private boolean countImage(Tenant tenant) {
        newImages.incrementAndGet();
        return !withoutImages.contains(tenant.ref());
    }

    /** Images that were to be made, not those that are cached. */
    int newImages() {
        return newImages.get();
    }

    ImageRenderer images() {
        return images;
    }

    RenderStore renders() {
        return renders;
    }

    /** The project has used up its new images of a minute. */
    void withoutImages(String ref) {
        withoutImages.add(ref);
    }

    @Override
    StorageTransactions transactions() {
        return new StorageTransactions(transactions);
    }

    /** As loops have them. */
    StorageTransactions backgroundTransactions() {
        return new StorageTransactions(transactions.inBackground());
    }

    @Override
    StoppingStore store() {
        return store;
    }

    FaultyS3 network() {
        return network;
    }

    List<ProjectSweep> sweeps(Duration grace, Clock clock) {
        return StorageSweeps.of(transactions.inBackground(), store, grace, clock);
    }

    ByteBudget budget() {
        return budget;
    }

    /** Bytes of files that are kept in memory. */
    long cached() {
        return cache.held();
    }

    @Override
    int port() {
        return server.actualPort();
    }

    /** S3 is unavailable from now on. */
    void loseStore() {
        s3.close();
    }

    /** The disk of S3 has no space from now on, or has again. */
    void fillStore(boolean full) {
        s3.fill(full);
    }

    void pass(Duration time) {
        clock.pass(time);
    }

    @Override
    PlatformBucket bucket() {
        return bucket;
    }

    @Override
    Executor beside() {
        return threads;
    }

    @Override
    Clock clock() {
        return clock;
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
        images.close();
        threads.shutdownNow();
        transactions.close();
        calls.close();
        reads.close();
        bucket.close();
        network.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        try {
            s3.close();
        } catch (IllegalStateException e) {
            // A test has closed it.
        }
    }
}
