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
import svc.database.sql.SqlFragment;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.DisplayedNames;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.FlushRow;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionSteps;
import svc.rest.batch.BatchItem;
import svc.rest.batch.BatchReader;
import svc.rest.batch.BatchResponses;
import svc.rest.error.PostgresErrors;
import svc.rest.error.RestError;
import svc.rest.plan.Plan;
import svc.rest.request.ApiRequest;
import svc.rest.request.ApiRequest.Resource;
import svc.rest.request.ApiRequestReader;
import svc.rest.response.ErrorResponses;
import svc.rest.response.Response;

/**
 * Runs the requests of a batch in one transaction: all take effect, or none. The batch request authenticates the caller;
 * credentials in the headers of a single item are ignored.
 */
final class BatchTransactions {
    /** Maximum total size of all responses, in bytes. */
    private static final int MAX_BYTES = 32 * 1024 * 1024;

    /** Headers that each item sets itself; those of the batch request describe the batch. */
    private static final Set<String> OWN_HEADERS = Set.of(
            "accept",
            "accept-profile",
            "content-length",
            "content-profile",
            "content-type",
            "prefer",
            "range",
            "range-unit");

    private static final Set<String> CREDENTIALS = Set.of("apikey", "authorization");

    private static final SqlFragment CHECK_CONSTRAINTS = SqlFragment.of("SET CONSTRAINTS ALL IMMEDIATE");
    private static final SqlFragment NOTHING = SqlFragment.of("SELECT 1");

    private final TenantTransactions transactions;
    private final SchemaCache schemas;

    BatchTransactions(TenantTransactions transactions, SchemaCache schemas) {
        this.transactions = transactions;
        this.schemas = schemas;
    }

    /** A planned item, with its headers merged into those of the batch request. */
    private record Step(DataPlaneRequest request, PreparedRequest prepared) {}

    /** @throws RestError for an invalid batch; an error of one item is a response */
    Response answer(DataPlaneRequest request, ApiRequest batch) {
        List<BatchItem> items = BatchReader.read(request.body().getBytes());
        // A batch is not planned again after a failure, unlike a single request, so that it needs the current schema.
        ProjectSchema schema = schemas.current(request.tenant());
        List<Step> steps = new ArrayList<>();
        for (BatchItem item : items) {
            try {
                steps.add(step(request, item, schema));
            } catch (RestError e) {
                return failed(request, e, steps.size());
            }
        }
        return steps.isEmpty() ? BatchResponses.of(List.of()) : run(request, batch, steps);
    }

    private static Step step(DataPlaneRequest batch, BatchItem item, ProjectSchema schema) {
        MultiMap headers = headers(batch.headers(), item.headers());
        var request = new DataPlaneRequest(
                batch.tenant(),
                batch.caller(),
                HttpMethod.valueOf(item.method()),
                item.path(),
                item.query(),
                headers,
                Buffer.buffer(item.body()),
                batch.peer(),
                batch.requestId(),
                batch.response());
        ApiRequest read = ApiRequestReader.read(item.method(), item.path(), item.query(), headers, item.body());
        SchemaProfiles.check(batch.tenant(), read);
        if (read.resource() instanceof Resource.Root) {
            throw RestError.invalidPath();
        }
        PreparedRequest prepared = PreparedRequest.of(request, read, schema);
        if (read.action() == ApiRequest.Action.CALL_READ
                && prepared.plan() instanceof Plan.Call call
                && call.routine().volatility() == Routine.Volatility.VOLATILE) {
            // Another item may make the transaction read-write, which GET must not be.
            throw RestError.rpcMethodNotAllowed(item.method());
        }
        return new Step(request, prepared);
    }

    private static MultiMap headers(MultiMap batch, List<Map.Entry<String, String>> own) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        batch.forEach((name, value) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                headers.add(name, value);
            }
        });
        own.stream()
                .filter(header -> !CREDENTIALS.contains(header.getKey().toLowerCase(Locale.ROOT)))
                .forEach(header -> headers.set(header.getKey(), header.getValue()));
        return headers;
    }

    private Response run(DataPlaneRequest request, ApiRequest batch, List<Step> steps) {
        TransactionEndDecision ending = TransactionEndDecision.of(
                request.tenant().rest().txEnd(), batch.preferences().transaction());
        boolean reads = steps.stream().allMatch(step -> step.prepared().readsOnly());
        var at = new AtomicInteger();
        try {
            return transactions.transact(
                    request.tenant(),
                    request.caller().login(),
                    reads ? Access.READ : Access.WRITE,
                    steps.getFirst().prepared().role().isolation(),
                    open -> runSteps(open, request, batch, steps, at, ending),
                    stop -> request.response().closeHandler(gone -> stop.run()));
        } catch (SqlError e) {
            if (!e.fromServer() || at.get() == steps.size()) {
                // An error of the connection or the commit belongs to no item.
                throw e;
            }
            boolean anonymous = request.caller().isAnonymous(request.tenant());
            RestError refused = RestTransactions.withoutPostgis(
                            e, steps.get(at.get()).prepared())
                    .orElseGet(() -> PostgresErrors.of(e, anonymous));
            return failed(request, refused, at.get());
        }
    }

    private static TransactionSteps.Outcome<Response> runSteps(
            TransactionSteps open,
            DataPlaneRequest request,
            ApiRequest batch,
            List<Step> steps,
            AtomicInteger at,
            TransactionEndDecision ending) {
        List<Response> responses = new ArrayList<>();
        long bytes = 0;
        for (Step step : steps) {
            try {
                Response response = runStep(open, batch, step);
                bytes += response.body().length;
                if (bytes > MAX_BYTES) {
                    throw RestError.invalidBody(
                            "The responses of the batch exceed the limit of " + MAX_BYTES + " bytes");
                }
                responses.add(response);
            } catch (RestError e) {
                return new TransactionSteps.Outcome<>(failed(request, e, at.get()), false);
            }
            at.incrementAndGet();
        }
        if (ending.rollsBack()) {
            // As before a commit, so that the answer is that of one.
            open.run(List.of(), List.of(CHECK_CONSTRAINTS), NOTHING, List.of());
        }
        return new TransactionSteps.Outcome<>(BatchResponses.of(responses), !ending.rollsBack());
    }

    private static Response failed(DataPlaneRequest request, RestError error, int item) {
        RestError shown = error.withNames(DisplayedNames.of(request.tenant()));
        return BatchResponses.failed(
                ErrorResponses.of(shown, request.tenant().rest().errorVerbosity()), item);
    }

    private static Response runStep(TransactionSteps open, ApiRequest batch, Step step) {
        PreparedRequest prepared = step.prepared();
        if (prepared.isEmptyWrite()) {
            return prepared.response().ofNothing();
        }
        FlushRow row = open.run(
                settings(step, batch),
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

    /** Each item begins with its own settings, and without the response settings of the items before it. */
    private static List<Setting> settings(Step step, ApiRequest batch) {
        List<Setting> settings =
                new ArrayList<>(RoleSettings.of(step.request(), step.prepared().role()));
        settings.add(Setting.of("response.headers", ""));
        settings.add(Setting.of("response.status", ""));
        settings.add(Setting.of("pgrst.merged", ""));
        batch.preferences().timezone().ifPresent(zone -> settings.add(Setting.of("timezone", zone)));
        return settings;
    }
}
