package svc.rest.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Routine;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.platform.tenancy.RestSettings;
import svc.rest.error.ParameterErrors;
import svc.rest.error.RestError;
import svc.rest.request.ApiRequest;
import svc.rest.request.ApiRequest.Action;
import svc.rest.request.Preferences.Count;
import svc.rest.request.ReadRequest;
import svc.rest.request.RowSelection;
import svc.rest.resolution.Hints;

/** Second stage: an {@link ApiRequest} and a schema to a {@link Plan}. Pure. */
public final class Planner {
    private final Identifier schema;
    private final ProjectSchema known;
    private final RestSettings settings;
    private final MediaNegotiation media;

    public Planner(Identifier schema, ProjectSchema known, RestSettings settings) {
        this.schema = schema;
        this.known = known;
        this.settings = settings;
        this.media = new MediaNegotiation(known.handlers(), settings.plan());
    }

    /** The table of that name, or PGRST205 with a hint. */
    public Table table(String name) {
        return known.table(name)
                .orElseThrow(
                        () -> RestError.unknownTable(schema.name(), name, Hints.table(known, schema.name(), name)));
    }

    /** The overloads of that name, or PGRST202 with a hint. */
    public List<Routine> routines(String name) {
        QualifiedIdentifier qualified = new QualifiedIdentifier(schema.name(), name);
        List<Routine> routines = known.routines().named(qualified);
        if (routines.isEmpty()) {
            throw RestError.unknownFunction(
                    qualified.toString(),
                    List.of(),
                    Optional.empty(),
                    false,
                    Hints.function(known.routines(), qualified, List.of()));
        }
        return routines;
    }

    /** @throws RestError if the schema does not have what the request names, or no accepted media type is available */
    public Plan plan(ApiRequest request) {
        return switch (request.resource()) {
            case ApiRequest.Resource.Relation relation -> plan(request, relation.name());
            case ApiRequest.Resource.Routine routine ->
                new CallPlanner(known, settings, media)
                        .plan(request, new QualifiedIdentifier(schema.name(), routine.name()));
            case ApiRequest.Resource.Root unused -> throw new IllegalArgumentException("the root has no plan");
        };
    }

    private Plan plan(ApiRequest request, String relation) {
        Target target = Target.of(table(relation), known);
        request.ambiguousNames().stream()
                .filter(name -> target.table().column(name).isPresent())
                .findFirst()
                .ifPresent(name -> {
                    throw ParameterErrors.ambiguousColumn(name, relation);
                });
        Rendering rendering = media.ofRows(
                request.accept(), target.table().id(), request.read().select());
        var writes = new WritePlanner(request, target, readPlanner(), rendering);
        return switch (request.action()) {
            case READ -> read(request, target, rendering);
            case INSERT -> writes.insert();
            case UPDATE -> writes.update();
            case UPSERT -> writes.upsert();
            case DELETE -> writes.delete();
            case INFO, CALL, CALL_READ ->
                throw new IllegalArgumentException(request.action() + " of a relation has no plan");
        };
    }

    private Plan read(ApiRequest request, Target target, Rendering rendering) {
        RowSelection rows = request.read().rows();
        var capped = new ReadRequest(
                request.read().select(),
                rows.withRange(rows.range().atMost(settings.maxRows())),
                request.read().embedded());
        return new Plan.Read(
                new Plan.Output(!request.headOnly(), rendering, readPlanner().plan(target, capped), List.of()),
                request.preferences().counting(),
                // An estimate is exact up to max-rows; counting further would cost what it saves.
                settings.maxRows() > 0 && request.preferences().counting().equals(Optional.of(Count.ESTIMATED))
                        ? OptionalLong.of(settings.maxRows() + 1L)
                        : OptionalLong.empty());
    }

    /** Plans reads of relations and of function results. */
    public ReadPlanner readPlanner() {
        return new ReadPlanner(known, settings);
    }

    /** Whether a call runs in a read-only transaction. */
    public static boolean readsOnly(Action action, Routine routine) {
        return action == Action.CALL_READ || routine.volatility() != Routine.Volatility.VOLATILE;
    }
}
