package svc.extensions.net;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import svc.extensions.project.LiveProjects;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;
import svc.postgres.jdbc.ExtensionDatabase;

/**
 * Sends the queued requests of one database, in the process that leads there: some of each project at once, so that the slow
 * receivers of one delay no other. A request is removed in the transaction that writes its response: what a process did not
 * finish, the next one sends again. Turns are made by one thread; requests are sent on threads of their own.
 */
public final class RequestWorker {
    private static final Logger LOG = Logger.getLogger(RequestWorker.class);

    /** Requests of one project that are under way at once; fewer than it may have calls, which other services make too. */
    static final int OF_PROJECT = 16;

    /** The same of all projects of the database: below the number of calls of an instance. */
    static final int OF_DATABASE = 256;

    /** Projects that one turn reads; the next turn goes on behind them. */
    private static final int PAGE = 500;

    /** Responses of a project after which old ones are deleted; and the same in bytes. */
    private static final int TRIM_AFTER = 200;

    private static final int TRIM_AFTER_BYTES = 4 << 20;

    /** What a project waits for whose calls all have slow receivers. */
    private static final Duration WHILE_BUSY = Duration.ofSeconds(1);

    private static final RetryPolicy WRITE =
            RetryPolicy.maxAttempts(5).withExponentialBackoff(Duration.ofMillis(500), Duration.ofSeconds(5));

    private final RequestStore store;
    private final LiveProjects projects;
    private final RequestSender sender;
    private final Executor threads;
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

    /** @param threads runs what may block */
    public RequestWorker(ExtensionDatabase database, LiveProjects projects, RequestSender sender, Executor threads) {
        this.store = new RequestStore(database);
        this.projects = projects;
        this.sender = sender;
        this.threads = threads;
    }

    /** Begins to send what has a place. */
    public void turn() {
        Map<String, Tenant> waiting = waiting();
        Map<String, Integer> places = places(waiting.keySet());
        if (!places.isEmpty()) {
            List<Long> ids = underWay.stream().map(QueuedRequest.Key::id).toList();
            store.requests(places, ids).forEach(request -> begin(waiting.get(request.schema()), request));
        }
    }

    /** Deletes responses whose time is over. */
    public void expire() {
        store.expire();
        written.keySet().forEach(this::trim);
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
    private Map<String, Integer> places(Set<String> waiting) {
        int free = OF_DATABASE - underWay.size();
        int share = waiting.isEmpty() ? 0 : Math.max(1, free / waiting.size());
        Map<String, Integer> held = new HashMap<>();
        underWay.forEach(request -> held.merge(request.schema(), 1, Integer::sum));
        Map<String, Integer> places = new HashMap<>();
        for (String schema : waiting) {
            int given = Math.min(Math.min(share, free), OF_PROJECT - held.getOrDefault(schema, 0));
            if (given > 0) {
                places.put(schema, given);
                free -= given;
            }
        }
        return places;
    }

    private void begin(Tenant tenant, QueuedRequest request) {
        if (underWay.add(request.key())) {
            threads.execute(() -> {
                try {
                    send(tenant, request);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException e) {
                    LOG.warnf("a request of %s is sent again: %s", tenant.ref(), e.getMessage());
                } finally {
                    underWay.remove(request.key());
                }
            });
        }
    }

    private void send(Tenant tenant, QueuedRequest request) throws InterruptedException {
        Optional<StoredResponse> response = ended(sender.send(tenant, request));
        if (response.isEmpty()) {
            Thread.sleep(WHILE_BUSY);
            return;
        }
        write(request.key(), response.get());
        Written more = new Written(1, response.get().bytes());
        if (written.merge(request.schema(), more, Written::and).isMuch()) {
            trim(request.schema());
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

    /** A response that the database refuses must not have its request sent for ever. */
    private void write(QueuedRequest.Key request, StoredResponse response) throws InterruptedException {
        try {
            WRITE.call(() -> finished(request, response));
        } catch (SqlError e) {
            if (e.infrastructure()) {
                throw e;
            }
            LOG.errorf(e, "a response of %s cannot be stored", request.schema());
            finished(request, StoredResponse.failed("the answer could not be stored", false));
        }
    }

    private boolean finished(QueuedRequest.Key request, StoredResponse response) {
        store.finish(request, response);
        return true;
    }

    private void trim(String schema) {
        if (written.remove(schema) != null) {
            store.trim(schema);
        }
    }
}
