package svc.api.rest.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.api.rest.error.RestError;
import svc.api.rest.plan.Plan.Conflict;
import svc.api.rest.plan.Plan.Group;
import svc.api.rest.plan.Plan.Output;
import svc.api.rest.plan.Plan.Target;
import svc.api.rest.request.ApiRequest;
import svc.api.rest.request.Payload;
import svc.api.rest.request.Preferences.Missing;
import svc.api.rest.request.Preferences.Representation;
import svc.api.rest.request.Preferences.Resolution;
import svc.api.rest.schema.ProjectSchema;
import svc.api.rest.schema.Table;
import svc.database.sql.Identifier;

/** Second stage: an {@link ApiRequest} and a schema to a {@link Plan}. Pure. */
public final class Planner {
    /**
     * Rows of one body may leave out different keys; each set of keys is an INSERT of its own within the statement. More of
     * them than this is a body made to be expensive.
     */
    private static final int MAX_GROUPS = 100;

    private final Identifier schema;
    private final ProjectSchema known;
    private final int maxRows;

    /** @param maxRows most rows of one answer to a read; 0 for no limit */
    public Planner(Identifier schema, ProjectSchema known, int maxRows) {
        this.schema = schema;
        this.known = known;
        this.maxRows = maxRows;
    }

    /** The table of that name, or PGRST205 with a suggestion. */
    public Table table(String name) {
        return known.table(name).orElseThrow(() -> RestError.unknownTable(schema.name(), name, known.similar(name)));
    }

    /** @throws RestError when the schema has no such table, or no such column that the body names */
    public Plan plan(ApiRequest request, String relation) {
        var target = new Target(schema, table(relation));
        return switch (request.action()) {
            case READ ->
                new Plan.Read(
                        target,
                        read(request),
                        request.where(),
                        request.preferences().count());
            case INSERT -> insert(request, target);
            case UPDATE -> update(request, target);
            case DELETE -> new Plan.Delete(target, written(request, List.of()), request.where());
            case INFO -> throw new IllegalArgumentException("OPTIONS has no plan");
        };
    }

    private Output read(ApiRequest request) {
        return new Output(
                !request.headOnly(),
                request.answer().singular(),
                request.answer().nullsStripped(),
                request.select(),
                request.order(),
                request.range().atMost(maxRows),
                List.of());
    }

    private static Output written(ApiRequest request, List<Identifier> keyOf) {
        return new Output(
                request.preferences().returns(Representation.REPRESENTATION),
                request.answer().singular(),
                request.answer().nullsStripped(),
                request.select(),
                request.order(),
                request.range(),
                keyOf);
    }

    private static Plan insert(ApiRequest request, Target target) {
        List<Identifier> key =
                target.table().primaryKey().stream().map(Identifier::of).toList();
        boolean located = request.preferences().returns(Representation.HEADERS_ONLY);
        return new Plan.Insert(
                target,
                written(request, located ? key : List.of()),
                groups(request, target),
                conflict(request, target, key));
    }

    /** A table without a key and no on_conflict: a plain insert, as PostgREST has it. */
    private static Optional<Conflict> conflict(ApiRequest request, Target target, List<Identifier> primaryKey) {
        List<Identifier> key =
                request.onConflict().map(names -> columns(target, names)).orElse(primaryKey);
        return request.preferences()
                .resolution()
                .filter(resolution -> !key.isEmpty() || resolution == Resolution.IGNORE_DUPLICATES)
                .filter(resolution -> request.onConflict().isPresent() || !primaryKey.isEmpty())
                .map(resolution -> new Conflict(key, resolution));
    }

    private static List<Group> groups(ApiRequest request, Target target) {
        Payload payload = request.payload().orElseThrow();
        boolean defaults =
                request.preferences().missing().filter(Missing.DEFAULT::equals).isPresent();
        Set<String> wanted = request.columns().<Set<String>>map(TreeSet::new).orElseGet(payload::commonKeys);
        columns(target, wanted);
        Map<Set<String>, List<String>> byKeys = new LinkedHashMap<>();
        for (Payload.Row row : payload.rows()) {
            Set<String> keys = new TreeSet<>(wanted);
            if (defaults) {
                keys.retainAll(row.keys());
            }
            byKeys.computeIfAbsent(keys, unused -> new ArrayList<>()).add(row.json());
        }
        List<Group> groups = new ArrayList<>();
        byKeys.forEach((keys, rows) -> {
            if (keys.isEmpty()) {
                // INSERT … DEFAULT VALUES makes one row.
                rows.forEach(row -> groups.add(new Group(List.of(), "[]")));
            } else {
                groups.add(new Group(columns(target, keys), array(rows)));
            }
        });
        if (groups.size() > MAX_GROUPS) {
            throw RestError.body("The rows of one body may have " + MAX_GROUPS + " different sets of keys at most");
        }
        return List.copyOf(groups);
    }

    private static Plan update(ApiRequest request, Target target) {
        Payload payload = request.payload().orElseThrow();
        Set<String> wanted = request.columns().<Set<String>>map(TreeSet::new).orElseGet(payload::commonKeys);
        List<Identifier> columns = payload.rows().isEmpty() ? List.of() : columns(target, wanted);
        String json =
                array(payload.rows().stream().limit(1).map(Payload.Row::json).toList());
        return new Plan.Update(target, written(request, List.of()), columns, json, request.where());
    }

    private static List<Identifier> columns(Target target, Collection<String> names) {
        return names.stream()
                .map(name -> target.table()
                        .column(name)
                        .map(column -> Identifier.of(column.name()))
                        .orElseThrow(
                                () -> RestError.unknownColumn(target.table().name(), name)))
                .toList();
    }

    private static String array(List<String> rows) {
        return rows.stream().collect(Collectors.joining(",", "[", "]"));
    }
}
