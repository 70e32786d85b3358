package svc.api.rest.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.api.rest.error.RestError;
import svc.api.rest.plan.Plan.Conflict;
import svc.api.rest.plan.Plan.Group;
import svc.api.rest.plan.Plan.Output;
import svc.api.rest.request.ApiRequest;
import svc.api.rest.request.Condition;
import svc.api.rest.request.Payload;
import svc.api.rest.request.Preferences.Count;
import svc.api.rest.request.Preferences.Missing;
import svc.api.rest.request.Preferences.Representation;
import svc.api.rest.request.Preferences.Resolution;
import svc.api.rest.request.ReadRequest;
import svc.api.rest.request.RowSelection;
import svc.api.rest.schema.ProjectSchema;
import svc.api.rest.schema.Table;
import svc.api.tenancy.RestSettings;
import svc.database.sql.Identifier;

/** Second stage: an {@link ApiRequest} and a schema to a {@link Plan}. Pure. */
public final class Planner {
    /**
     * Rows of one body may leave out different keys; each set of keys is an INSERT of its own within the statement. More of
     * them than this is a body made to be expensive.
     */
    private static final int MAX_GROUPS = 100;

    /** The rows that a write touched. */
    private static final Identifier WRITTEN = Identifier.of("pgrst_source");

    private final Identifier schema;
    private final ProjectSchema known;
    private final RestSettings settings;

    public Planner(Identifier schema, ProjectSchema known, RestSettings settings) {
        this.schema = schema;
        this.known = known;
        this.settings = settings;
    }

    /** The table of that name, or PGRST205 with a suggestion. */
    public Table table(String name) {
        return known.table(name).orElseThrow(() -> RestError.unknownTable(schema.name(), name, known.similar(name)));
    }

    /** @throws RestError when the schema has no such table, or no such column that the body names */
    public Plan plan(ApiRequest request, String relation) {
        Target target = Target.of(table(relation), known);
        return switch (request.action()) {
            case READ -> read(request, target);
            case INSERT -> insert(request, target);
            case UPDATE -> update(request, target);
            case DELETE -> new Plan.Delete(written(request, target, List.of()), request.where());
            case INFO -> throw new IllegalArgumentException("OPTIONS has no plan");
        };
    }

    private Plan read(ApiRequest request, Target target) {
        RowSelection rows = request.read().rows();
        var capped = new ReadRequest(
                request.read().select(),
                rows.withRange(rows.range().atMost(settings.maxRows())),
                request.read().embedded());
        return new Plan.Read(
                output(request, !request.headOnly(), readPlanner().plan(target, capped), List.of()),
                request.preferences().counting(),
                // An estimate is exact up to the longest answer, and counting on would cost what it is there to save.
                settings.maxRows() > 0 && request.preferences().counting().equals(Optional.of(Count.ESTIMATED))
                        ? OptionalLong.of(settings.maxRows() + 1L)
                        : OptionalLong.empty());
    }

    /** Plans what is read of rows; for this planner's own use and for results of functions. */
    public ReadPlanner readPlanner() {
        return new ReadPlanner(known, settings);
    }

    /** The filters said which rows are written; all of those come back. */
    private Output written(ApiRequest request, Target target, List<Identifier> keyOf) {
        RowSelection rows = request.read().rows();
        var returned = new ReadRequest(
                request.read().select(),
                new RowSelection(Condition.ALWAYS, rows.having(), rows.order(), rows.range(), rows.distinct()),
                request.read().embedded());
        return output(
                request,
                request.preferences().returns(Representation.REPRESENTATION),
                readPlanner().plan(target.from(new Target.Source.Rows(WRITTEN)), returned),
                keyOf);
    }

    private static Output output(ApiRequest request, boolean body, ReadPlan read, List<Identifier> keyOf) {
        return new Output(body, request.answer().singular(), request.answer().nullsStripped(), read, keyOf);
    }

    private Plan insert(ApiRequest request, Target target) {
        List<Identifier> key =
                target.table().primaryKey().stream().map(Identifier::of).toList();
        boolean located = request.preferences().returns(Representation.HEADERS_ONLY);
        return new Plan.Insert(
                written(request, target, located ? key : List.of()),
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

    private Plan update(ApiRequest request, Target target) {
        Payload payload = request.payload().orElseThrow();
        Set<String> wanted = request.columns().<Set<String>>map(TreeSet::new).orElseGet(payload::commonKeys);
        List<Identifier> columns = payload.rows().isEmpty() ? List.of() : columns(target, wanted);
        String json =
                array(payload.rows().stream().limit(1).map(Payload.Row::json).toList());
        return new Plan.Update(written(request, target, List.of()), columns, json, request.where());
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
