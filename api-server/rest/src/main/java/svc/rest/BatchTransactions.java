package svc.rest;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import svc.catalog.ProjectSchema;
import svc.catalog.Routine;
import svc.catalog.SchemaCache;
import svc.platform.dataplane.DataPlaneRequest;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionSteps;
import svc.rest.batch.BatchAnswers;
import svc.rest.batch.BatchItem;
import svc.rest.batch.BatchReader;
import svc.rest.error.PostgresErrors;
import svc.rest.error.RestError;
import svc.rest.plan.Plan;
import svc.rest.request.ApiRequest;
import svc.rest.request.ApiRequest.Resource;
import svc.rest.request.ApiRequestReader;
import svc.rest.response.ErrorResponses;
import svc.rest.response.Response;

/**
 * Several requests of one caller in one transaction: all of them take effect, or none. Who calls is decided by the request
 * that carries them; credentials among the headers of a single one mean nothing.
 */
final class BatchTransactions {
    /** Most bytes of all answers together. */
    private static final int MOST_BYTES = 32 * 1024 * 1024;

    /** What each request of a batch says itself: the carrying request's own are about the batch. */
    private static final Set<String> OF_ONE_REQUEST = Set.of(
            "accept",
            "accept-profile",
            "content-length",
            "content-profile",
            "content-type",
            "prefer",
            "range",
            "range-unit");

    private static final Set<String> CREDENTIALS = Set.of("apikey", "authorization");

    private final TenantTransactions transactions;
    private final SchemaCache schemas;

    BatchTransactions(TenantTransactions transactions, SchemaCache schemas) {
        this.transactions = transactions;
        this.schemas = schemas;
    }

    /** A request that was understood, and the carrying request's words for it. */
    private record Step(DataPlaneRequest request, PreparedRequest prepared) {}

    /** @throws RestError for a body that is no batch; what is wrong with one of the requests is an answer */
    Response answer(DataPlaneRequest request, ApiRequest carrying) {
        List<BatchItem> items = BatchReader.read(request.body().getBytes());
        // Not planned again after a failure, as a request of its own is: so it is planned by the schema of now.
        ProjectSchema schema = schemas.current(request.tenant());
        List<Step> steps = new ArrayList<>();
        for (BatchItem item : items) {
            try {
                steps.add(step(request, item, schema));
            } catch (RestError e) {
                return BatchAnswers.failed(ErrorResponses.of(e), steps.size());
            }
        }
        return steps.isEmpty() ? BatchAnswers.of(List.of()) : run(request, carrying, steps);
    }

    private static Step step(DataPlaneRequest carrying, BatchItem item, ProjectSchema schema) {
        MultiMap headers = headers(carrying.headers(), item.headers());
        var request = new DataPlaneRequest(
                carrying.tenant(),
                carrying.caller(),
                HttpMethod.valueOf(item.method()),
                item.path(),
                item.query(),
                headers,
                Buffer.buffer(item.body()),
                carrying.peer(),
                carrying.requestId(),
                carrying.response());
        ApiRequest read = ApiRequestReader.read(item.method(), item.path(), item.query(), headers, item.body());
        Profiles.check(carrying.tenant(), read);
        if (read.resource() instanceof Resource.Root) {
            throw RestError.path();
        }
        PreparedRequest prepared = PreparedRequest.of(request, read, schema);
        if (read.action() == ApiRequest.Action.CALL_READ
                && prepared.plan() instanceof Plan.Call call
                && call.routine().volatility() == Routine.Volatility.VOLATILE) {
            // The transaction may write for the sake of others: what GET promises could not be kept.
            throw RestError.callMethod(item.method());
        }
        return new Step(request, prepared);
    }

    private static MultiMap headers(MultiMap carrying, List<Map.Entry<String, String>> own) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        carrying.forEach((name, value) -> {
            if (!OF_ONE_REQUEST.contains(name.toLowerCase(Locale.ROOT))) {
                headers.add(name, value);
            }
        });
        own.stream()
                .filter(header -> !CREDENTIALS.contains(header.getKey().toLowerCase(Locale.ROOT)))
                .forEach(header -> headers.set(header.getKey(), header.getValue()));
        return headers;
    }

    private Response run(DataPlaneRequest request, ApiRequest carrying, List<Step> steps) {
        TransactionEnding ending = TransactionEnding.of(
                request.tenant().rest().txEnd(), carrying.preferences().transaction());
        boolean reads = steps.stream().allMatch(step -> step.prepared().readsOnly());
        var at = new AtomicInteger();
        try {
            return transactions.transact(
                    request.tenant(),
                    request.caller().login(),
                    reads ? Access.READ : Access.WRITE,
                    steps.getFirst().prepared().role().isolation(),
                    open -> inside(open, carrying, steps, at, ending),
                    stop -> request.response().closeHandler(gone -> stop.run()));
        } catch (SqlError e) {
            if (!e.fromServer() || at.get() == steps.size()) {
                // About the connection, or about the commit: about no request in particular.
                throw e;
            }
            boolean anonymous = request.caller().isAnonymous(request.tenant());
            RestError refused = RestTransactions.withoutPostgis(
                            e, steps.get(at.get()).prepared())
                    .orElseGet(() -> PostgresErrors.of(e, anonymous));
            return BatchAnswers.failed(ErrorResponses.of(refused), at.get());
        }
    }

    private static TransactionSteps.Outcome<Response> inside(
            TransactionSteps open, ApiRequest carrying, List<Step> steps, AtomicInteger at, TransactionEnding ending) {
        List<Response> answers = new ArrayList<>();
        long bytes = 0;
        for (Step step : steps) {
            try {
                Response answer = one(open, carrying, step);
                bytes += answer.body().length;
                if (bytes > MOST_BYTES) {
                    throw RestError.body("The answers of a batch may have " + MOST_BYTES + " bytes at most");
                }
                answers.add(answer);
            } catch (RestError e) {
                return new TransactionSteps.Outcome<>(BatchAnswers.failed(ErrorResponses.of(e), at.get()), false);
            }
            at.incrementAndGet();
        }
        return new TransactionSteps.Outcome<>(BatchAnswers.of(answers), !ending.rollsBack());
    }

    private static Response one(TransactionSteps open, ApiRequest carrying, Step step) {
        PreparedRequest prepared = step.prepared();
        if (prepared.writesNothing()) {
            return prepared.response().ofNothing();
        }
        FlushRow row = open.run(
                settings(step, carrying),
                prepared.before(),
                prepared.query().text(),
                prepared.query().binds());
        if (prepared.explained()) {
            return prepared.response().ofExplained(row);
        }
        Optional<Long> total = prepared.estimate(row)
                .map(query -> open.run(List.of(), List.of(), query.text(), query.binds()))
                .map(explained -> prepared.estimated(row, explained))
                .orElseGet(() -> prepared.counted(row));
        return prepared.response().of(row, total);
    }

    /** Each request begins with its own settings, and without what functions of those before it said of their answers. */
    private static List<Setting> settings(Step step, ApiRequest carrying) {
        List<Setting> settings = new ArrayList<>(
                RequestSettings.of(step.request(), step.prepared().role()));
        settings.add(Setting.of("response.headers", ""));
        settings.add(Setting.of("response.status", ""));
        settings.add(Setting.of("pgrst.merged", ""));
        carrying.preferences().timezone().ifPresent(zone -> settings.add(Setting.of("timezone", zone)));
        return settings;
    }
}
