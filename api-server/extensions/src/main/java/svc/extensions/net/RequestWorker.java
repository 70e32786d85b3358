package svc.extensions.net;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;
import svc.extensions.project.LiveProjects;
import svc.extensions.share.Ongoing;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;
import svc.postgres.jdbc.ExtensionDatabase;

/**
 * Sends the queued requests of one database, in the process that leads there: some of each project at once, so that the slow
 * receivers of one delay no other. A request is claimed in the database before it is sent, and removed in the transaction that
 * writes its response: what a process did not finish, another one sends again when the claim has ended. Turns are made by one
 * thread; requests are sent on threads of their own.
 */
public final class RequestWorker {
    private static final Logger LOG = Logger.getLogger(RequestWorker.class);

    /** Projects that one turn reads; the next turn goes on behind them. */
    private static final int PAGE = 500;

    /** Responses that are written at once: fewer than connections, so that turns find one. */
    private static final int WRITERS = 3;

    /** Responses of a project after which old ones are deleted; and the same in bytes. */
    private static final int TRIM_AFTER = 200;

    private static final int TRIM_AFTER_BYTES = 4 << 20;

    private static final RetryPolicy WRITE =
            RetryPolicy.maxAttempts(5).withExponentialBackoff(Duration.ofMillis(500), Duration.ofSeconds(5));

    private final RequestStore store;
    private final LiveProjects projects;
    private final RequestSender sender;
    private final RequestLimits limits;
    private final Ongoing ongoing;
    private final Semaphore writers = new Semaphore(WRITERS, true);
    private final Set<QueuedRequest.Key> underWay = ConcurrentHashMap.newKeySet();
    private final Map<String, Written> written = new ConcurrentHashMap<>();
    private String last = "";

    /** Since the last deletion of old responses. */
    private record Written(int responses, long bytes) {
        Written and(Written other) {
            return new Written(responses + other.responses, bytes + other.bytes);
        }

        boolean isMuch() {
            return responses >= TRIM_AFTER || bytes >= TRIM_AFTER_BYTES;
        }
    }

    /**
     * @param limits of the process, for all databases
     * @param threads runs what may block
     */
    public RequestWorker(
            ExtensionDatabase database,
            LiveProjects projects,
            RequestSender sender,
            RequestLimits limits,
            Executor threads) {
        this.store = new RequestStore(database);
        this.projects = projects;
        this.sender = sender;
        this.limits = limits;
        this.ongoing = new Ongoing(threads);
    }

    /** Begins to send what has a place. */
    public void turn() {
        if (limits.tight()) {
            return;
        }
        Map<String, Tenant> waiting = waiting();
        Map<String, Deque<Permit>> places = places(waiting);
        try {
            if (!places.isEmpty()) {
                claim(places)
                        .forEach(request -> begin(
                                waiting.get(request.schema()),
                                request,
                                places.get(request.schema()).remove()));
            }
        } finally {
            places.values().forEach(unused -> unused.forEach(Permit::close));
        }
    }

    /** Deletes responses whose time is over. */
    public void expire() {
        store.expire();
        written.keySet().forEach(this::trim);
    }

    /**
     * Waits for requests that are under way, and the writing of their responses.
     *
     * @return false when some had not ended after the time: they are sent again when their claims have ended
     */
    public boolean drain(Duration limit) throws InterruptedException {
        return ongoing.await(limit);
    }

    /** The next projects with requests that are served. */
    private Map<String, Tenant> waiting() {
        List<String> found = store.projects(last, PAGE);
        last = found.size() == PAGE ? found.getLast() : "";
        Map<String, Tenant> live = new HashMap<>();
        found.forEach(schema -> projects.find(schema).ifPresent(tenant -> live.put(schema, tenant)));
        return live;
    }

    /** What is free is given in equal parts, at least one to each as long as there is any. */
    private Map<String, Deque<Permit>> places(Map<String, Tenant> waiting) {
        long share = waiting.isEmpty() ? 0 : Math.max(1, limits.places().free() / waiting.size());
        Map<String, Deque<Permit>> places = new HashMap<>();
        waiting.forEach((schema, tenant) -> {
            Optional<Permit> place = limits.places().take(tenant);
            while (place.isPresent()) {
                Deque<Permit> taken = places.computeIfAbsent(schema, any -> new ArrayDeque<>());
                taken.add(place.get());
                place = taken.size() < share ? limits.places().take(tenant) : Optional.empty();
            }
        });
        return places;
    }

    private List<QueuedRequest> claim(Map<String, Deque<Permit>> places) {
        Map<String, Integer> counts = new HashMap<>();
        places.forEach((schema, taken) -> counts.put(schema, taken.size()));
        return store.claim(counts, underWay.stream().map(QueuedRequest.Key::id).toList());
    }

    private void begin(Tenant tenant, QueuedRequest request, Permit place) {
        if (!underWay.add(request.key())) {
            place.close();
            return;
        }
        boolean begun = false;
        try {
            ongoing.begin(() -> {
                try {
                    process(tenant, request);
                } finally {
                    end(request, place);
                }
            });
            begun = true;
        } finally {
            if (!begun) {
                end(request, place);
            }
        }
    }

    private void end(QueuedRequest request, Permit place) {
        underWay.remove(request.key());
        place.close();
    }

    private void process(Tenant tenant, QueuedRequest request) {
        try (Permit memory = limits.bytes(tenant)) {
            memory.charge(request.bytes());
            Optional<StoredResponse> response = response(tenant, request);
            if (response.isEmpty()) {
                writing(() -> store.postpone(request.key()));
            } else {
                keep(request, fitting(response.get(), memory));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warnf("a request of %s is tried again when its claim has ended: %s", tenant.ref(), e.getMessage());
        }
    }

    /** Empty when the project has as many calls under way as it may. */
    private Optional<StoredResponse> response(Tenant tenant, QueuedRequest request) throws InterruptedException {
        Optional<String> givenUp = request.givenUp();
        if (givenUp.isPresent()) {
            return Optional.of(StoredResponse.failed(givenUp.get(), false));
        }
        try {
            return ended(sender.send(tenant, request));
        } catch (RuntimeException e) {
            // Another attempt would end as this one did.
            LOG.errorf(e, "while sending a request of %s", tenant.ref());
            return Optional.of(StoredResponse.failed("it could not be sent", false));
        }
    }

    private static Optional<StoredResponse> ended(CompletableFuture<Optional<StoredResponse>> call)
            throws InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("while sending a request", e.getCause());
        }
    }

    /** Answers that arrive faster than they are written must not fill the memory. */
    private static StoredResponse fitting(StoredResponse response, Permit memory) {
        return memory.grow(response.bytes()) == Verdict.GRANTED
                ? response
                : StoredResponse.failed("the answer was dropped: too many wait to be stored", false);
    }

    /** A response that the database refuses must not have its request sent for ever. */
    private void keep(QueuedRequest request, StoredResponse response) throws InterruptedException {
        try {
            writing(() -> store.finish(request.key(), response));
        } catch (SqlError e) {
            if (e.infrastructure()) {
                throw e;
            }
            LOG.errorf(e, "a response of %s cannot be stored", request.schema());
            var failure = StoredResponse.failed("the answer could not be stored", false);
            writing(() -> store.finish(request.key(), failure));
        }
        Written more = new Written(1, response.bytes());
        if (written.merge(request.schema(), more, Written::and).isMuch()) {
            trim(request.schema());
        }
    }

    private void writing(Runnable work) throws InterruptedException {
        writers.acquire();
        try {
            WRITE.call(() -> {
                work.run();
                return true;
            });
        } finally {
            writers.release();
        }
    }

    private void trim(String schema) {
        if (written.remove(schema) != null) {
            store.trim(schema);
        }
    }
}
