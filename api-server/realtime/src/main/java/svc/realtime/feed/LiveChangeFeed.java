package svc.realtime.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import svc.database.name.Layout;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.realtime.change.ChangeFeed;
import svc.realtime.change.ChangeReceiver;
import svc.realtime.change.ChangeSubscription;
import svc.realtime.change.DatabaseLogs;
import svc.realtime.change.NumberedBinding;
import svc.realtime.feed.SubscriptionCheck.Outcome;
import svc.realtime.reader.DatabaseReader;

/**
 * The change feed of a process: one {@link ProjectFeed} for each project with subscribers, and one {@link DatabaseReader}
 * for each database that something follows.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What a future does at its end it does by tasks.
public final class LiveChangeFeed implements ChangeFeed, DatabaseLogs, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(LiveChangeFeed.class);
    private static final long RETRY_MILLIS = 300;
    private static final int MAX_BINDINGS = 100;

    private static final String UNAVAILABLE = "Unable to connect to the project database";
    private static final String NOT_SHARED = "Table changes are not available for this project's database";

    private static final String TOO_MANY_CONDITIONS = "Too many filters: the subscribers of a project have at most "
            + SharedFilters.MAX_CONDITIONS + " different conditions; close other channels, or use equal filters";

    private final FeedResources resources;
    private final Function<ReaderRequest, DatabaseReader> readers;
    private final Predicate<Tenant> served;
    private final Map<UUID, ProjectFeed> feeds = new ConcurrentHashMap<>();
    private final Map<DatabaseAddress, DatabaseReader> databases = new ConcurrentHashMap<>();

    /**
     * A database whose log is to be read.
     *
     * @param tenant a project in it
     * @param lost to be called when the log has lost changes
     */
    public record ReaderRequest(Tenant tenant, Runnable lost) {
        public DatabaseAddress database() {
            return tenant.database();
        }
    }

    /** The feed of shared databases. @param readers makes the reader of a database; it opens nothing until something follows */
    public LiveChangeFeed(FeedResources resources, Function<ReaderRequest, DatabaseReader> readers) {
        this(resources, readers, LiveChangeFeed::isShared);
    }

    /** @param served the projects whose databases' logs this process may read */
    public LiveChangeFeed(
            FeedResources resources, Function<ReaderRequest, DatabaseReader> readers, Predicate<Tenant> served) {
        this.resources = resources;
        this.readers = readers;
        this.served = served;
    }

    @Override
    public Following follow(Tenant tenant) {
        if (!served.test(tenant)) {
            return () -> {};
        }
        DatabaseReader reader = reader(tenant);
        reader.follow();
        var open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                reader.unfollow();
            }
        };
    }

    @Override
    public CompletableFuture<Void> ready(Tenant tenant) {
        if (!served.test(tenant)) {
            return CompletableFuture.failedFuture(new IllegalStateException(NOT_SHARED));
        }
        return reader(tenant)
                .position()
                .orTimeout(resources.settings().subscribeTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenAcceptAsync(position -> new MessagesPublication(resources, tenant).await(), resources.threads())
                .exceptionallyCompose(failure -> {
                    LOG.warnf("%s: messages of the database do not arrive: %s", tenant.ref(), failure);
                    return CompletableFuture.failedFuture(new IllegalStateException(UNAVAILABLE));
                });
    }

    @Override
    public Set<DatabaseAddress> read() {
        return databases.entrySet().stream()
                .filter(database -> database.getValue().isReading())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    @Override
    public long lagBytes(Tenant tenant) {
        DatabaseReader reader = databases.get(tenant.database());
        return reader == null ? 0 : reader.lagBytes();
    }

    @Override
    public ChangeSubscription subscribe(
            Tenant tenant, Caller caller, List<NumberedBinding> bindings, ChangeReceiver receiver) {
        List<ParsedBinding> parsed = new ArrayList<>();
        Optional<String> refusal = parse(tenant, bindings, parsed);
        if (refusal.isPresent()) {
            resources.threads().execute(() -> receiver.refused(refusal.get()));
            return new RefusedSubscription();
        }
        Following following = follow(tenant);
        ProjectFeed feed = join(tenant);
        Optional<List<ParsedBinding>> shared = feed.filters().share(parsed);
        if (shared.isEmpty()) {
            leave(feed);
            following.close();
            resources.threads().execute(() -> receiver.refused(TOO_MANY_CONDITIONS));
            return new RefusedSubscription();
        }
        var subscription = new FeedSubscription(feed, caller, shared.get(), receiver, () -> {
            feed.filters().release(shared.get());
            leave(feed);
            following.close();
        });
        resources.metrics().subscriptions(1);
        begin(subscription, feed, System.nanoTime());
        return subscription;
    }

    private Optional<String> parse(Tenant tenant, List<NumberedBinding> bindings, List<ParsedBinding> parsed) {
        if (!served.test(tenant)) {
            return Optional.of(NOT_SHARED);
        }
        if (bindings.size() > MAX_BINDINGS) {
            return Optional.of("Too many postgres_changes in one channel: at most " + MAX_BINDINGS);
        }
        for (NumberedBinding binding : bindings) {
            switch (ParsedBinding.parse(binding)) {
                case ParsedBinding.Parsed.Binding(ParsedBinding found) -> parsed.add(found);
                case ParsedBinding.Parsed.Refused(String message) -> {
                    return Optional.of(message);
                }
            }
        }
        return Optional.empty();
    }

    /** In a shared database, whose log a process may read that serves many projects. */
    public static boolean isShared(Tenant tenant) {
        return tenant.adoption().isEmpty()
                && tenant.database().server() == Server.PLATFORM
                && tenant.names().layout() == Layout.SHARED;
    }

    /** What was closed before it began. */
    private record RefusedSubscription() implements ChangeSubscription {
        @Override
        public void authorize(Caller caller) {}

        @Override
        public void close() {}
    }

    private DatabaseReader reader(Tenant tenant) {
        return databases.computeIfAbsent(
                tenant.database(), database -> readers.apply(new ReaderRequest(tenant, () -> lost(database))));
    }

    private void lost(DatabaseAddress database) {
        feeds.values().stream()
                .filter(feed -> feed.tenant().database().equals(database))
                .forEach(ProjectFeed::lost);
    }

    private ProjectFeed join(Tenant tenant) {
        return feeds.compute(tenant.projectId(), (id, known) -> {
            ProjectFeed feed = known == null ? new ProjectFeed(tenant, resources) : known;
            feed.is(tenant);
            if (feed.join(1) == 1 || feed.listening().isCompletedExceptionally()) {
                feed.listen(resources.bus());
            }
            return feed;
        });
    }

    private void leave(ProjectFeed feed) {
        feeds.compute(feed.tenant().projectId(), (id, known) -> {
            if (feed.join(-1) > 0) {
                return known;
            }
            feed.stopListening();
            return null;
        });
    }

    /** Registered with the bus first, then at a position of the log: nothing that commits from then on is missed. */
    private void begin(FeedSubscription subscription, ProjectFeed feed, long since) {
        if (subscription.isClosed()) {
            return;
        }
        CompletableFuture<Long> position = feed.listening()
                .thenCompose(listening -> reader(feed.tenant()).position())
                .orTimeout(resources.settings().subscribeTimeout().toMillis(), TimeUnit.MILLISECONDS);
        position.whenComplete((from, failure) -> feed.run(() -> {
            if (failure != null) {
                LOG.warnf(
                        "%s: table changes cannot be subscribed to: %s",
                        feed.tenant().ref(), failure);
                subscription.refused(UNAVAILABLE);
            } else {
                resources.threads().execute(() -> check(subscription, feed, from, since));
            }
        }));
    }

    private void check(FeedSubscription subscription, ProjectFeed feed, long position, long since) {
        Outcome outcome;
        try {
            outcome = new SubscriptionCheck(resources, feed).check(subscription);
        } catch (SqlError | PoolExhausted e) {
            LOG.warnf("%s: bindings cannot be checked: %s", feed.tenant().ref(), e.getMessage());
            outcome = new Outcome.Refused(UNAVAILABLE, true);
        } catch (RuntimeException e) {
            LOG.errorf(e, "%s: bindings cannot be checked", feed.tenant().ref());
            outcome = new Outcome.Refused(UNAVAILABLE, false);
        }
        boolean waiting = System.nanoTime() - since
                < resources.settings().publicationWait().toNanos();
        switch (outcome) {
            case Outcome.Served served -> feed.run(() -> feed.activate(subscription, position));
            case Outcome.Refused(String message, boolean later) -> {
                if (later && waiting) {
                    resources
                            .clock()
                            .schedule(() -> begin(subscription, feed, since), RETRY_MILLIS, TimeUnit.MILLISECONDS);
                } else {
                    feed.run(() -> subscription.refused(message));
                }
            }
        }
    }

    /** The project as it is now, for what its feed asks from here on. */
    public void changed(Tenant tenant) {
        ProjectFeed feed = feeds.get(tenant.projectId());
        if (feed != null) {
            feed.is(tenant);
        }
    }

    @Override
    public void close() {
        databases.values().forEach(DatabaseReader::close);
    }
}
