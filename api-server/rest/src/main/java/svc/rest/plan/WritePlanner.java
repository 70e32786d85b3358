package svc.rest.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.catalog.DataType;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.rest.error.RestError;
import svc.rest.plan.Plan.Conflict;
import svc.rest.plan.Plan.Group;
import svc.rest.plan.Plan.Output;
import svc.rest.plan.Plan.Rows;
import svc.rest.request.ApiRequest;
import svc.rest.request.Condition;
import svc.rest.request.Operator;
import svc.rest.request.Payload;
import svc.rest.request.Preferences.Missing;
import svc.rest.request.Preferences.Representation;
import svc.rest.request.Preferences.Resolution;
import svc.rest.request.ReadRequest;
import svc.rest.request.RowSelection;

/** Plans writes: POST, PATCH, PUT and DELETE of a relation. Pure. */
final class WritePlanner {
    /**
     * Rows of a body may have different keys; each set of keys is a separate INSERT within the statement, so that their
     * number must be limited.
     */
    private static final int MAX_GROUPS = 100;

    /** The common table expression with the affected rows. */
    private static final Identifier WRITTEN = Identifier.of("pgrst_source");

    private final ApiRequest request;
    private final Target target;
    private final ReadPlanner reads;
    private final Rendering rendering;

    WritePlanner(ApiRequest request, Target target, ReadPlanner reads, Rendering rendering) {
        this.request = request;
        this.target = target;
        this.reads = reads;
        this.rendering = rendering;
    }

    Plan insert() {
        List<Identifier> key = primaryKey();
        boolean located = request.preferences().returns(Representation.HEADERS_ONLY);
        return new Plan.Insert(written(located ? key : List.of()), groups(), conflict(key));
    }

    Plan update() {
        Payload payload = payload();
        Set<String> wanted = wanted(payload);
        if (payload.size() == 0) {
            return new Plan.Update(written(List.of()), List.of(), List.of(), rows(wanted, "[]"), request.where());
        }
        Payload.Row row = payload.first();
        Set<String> given = new TreeSet<>(wanted);
        Set<String> absent = new TreeSet<>(wanted);
        absent.removeAll(defaultsMissing() ? row.keys() : wanted);
        given.removeAll(absent);
        return new Plan.Update(
                written(List.of()),
                columns(given),
                columns(absent),
                rows(given, array(List.of(row.json()))),
                request.where());
    }

    Plan delete() {
        return new Plan.Delete(written(List.of()), request.where());
    }

    /** @throws RestError PGRST114, 105, 115 if the request does not select one row by exactly its primary key */
    Plan upsert() {
        if (!request.read().rows().range().isAll()) {
            throw RestError.upsertRange();
        }
        Set<String> key = Set.copyOf(target.table().primaryKey());
        if (key.isEmpty() || !key.equals(comparedForEquality(request.where()))) {
            throw RestError.upsertFilters();
        }
        Set<String> wanted = wanted(payload());
        List<Identifier> columns = columns(wanted);
        if (payload().size() != 1 || !wanted.containsAll(key)) {
            throw RestError.upsertKey();
        }
        return new Plan.Upsert(
                written(List.of()),
                new Group(columns, rows(wanted, payload().json())),
                new Conflict(primaryKey(), Resolution.MERGE_DUPLICATES, columns),
                request.where());
    }

    /** The columns of a condition that consists of eq filters only; otherwise empty. */
    private static Set<String> comparedForEquality(Condition condition) {
        Set<String> columns = new HashSet<>();
        List<Condition> parts = condition instanceof Condition.And all ? all.parts() : List.of(condition);
        for (Condition part : parts) {
            if (!(part instanceof Condition.Compare compare)
                    || compare.operator() != Operator.EQ
                    || compare.quantifier() != Condition.Quantifier.NONE
                    || !compare.field().path().isEmpty()) {
                return Set.of();
            }
            columns.add(compare.field().column());
        }
        return columns;
    }

    /** The filters select the rows to write; the result has all affected rows. */
    private Output written(List<Identifier> keyOf) {
        RowSelection rows = request.read().rows();
        var returned = new ReadRequest(
                request.read().select(),
                new RowSelection(Condition.ALWAYS, rows.having(), rows.order(), rows.range(), rows.distinct()),
                request.read().embedded());
        boolean body = request.preferences().returns(Representation.REPRESENTATION);
        ReadPlan read = reads.plan(target.from(new Target.Source.Rows(WRITTEN)), returned);
        return new Output(body, rendering, body ? read : read.rowsOnly(), keyOf);
    }

    private Payload payload() {
        return request.payload().orElseThrow();
    }

    private Set<String> wanted(Payload payload) {
        return request.columns().<Set<String>>map(TreeSet::new).orElseGet(payload::commonKeys);
    }

    private List<Identifier> primaryKey() {
        return target.table().primaryKey().stream().map(Identifier::of).toList();
    }

    /** Without a primary key and on_conflict it is a plain insert, as in PostgREST. */
    private Optional<Conflict> conflict(List<Identifier> primaryKey) {
        List<Identifier> key = request.onConflict()
                .map(names -> names.stream().map(WritePlanner::named).toList())
                .orElse(primaryKey);
        return request.preferences()
                .resolution()
                .filter(resolution -> !key.isEmpty() || resolution == Resolution.IGNORE_DUPLICATES)
                .filter(resolution -> request.onConflict().isPresent() || !primaryKey.isEmpty())
                .map(resolution -> new Conflict(key, resolution, columns(new TreeSet<>(wanted(payload())))));
    }

    /** Whether an absent key means the column's default rather than null. */
    private boolean defaultsMissing() {
        return request.preferences().missing().filter(Missing.DEFAULT::equals).isPresent();
    }

    /** Only {@code missing=default} needs the keys of each row; otherwise the rows are sent as they are. */
    private List<Group> groups() {
        Payload payload = payload();
        Set<String> wanted = new TreeSet<>(wanted(payload));
        columns(wanted);
        if (payload.size() == 0) {
            return List.of();
        }
        List<Payload.KeyGroup> byKeys = defaultsMissing()
                ? payload.groups(wanted, MAX_GROUPS)
                : List.of(new Payload.KeyGroup(wanted, payload.size(), payload.json()));
        List<Group> groups = new ArrayList<>();
        for (Payload.KeyGroup group : byKeys) {
            if (!group.keys().isEmpty()) {
                groups.add(new Group(columns(group.keys()), rows(group.keys(), group.json())));
            } else if (group.size() + byKeys.size() > MAX_GROUPS + 1) {
                throw Payload.tooManyGroups(MAX_GROUPS);
            } else {
                // INSERT … DEFAULT VALUES makes one row.
                groups.addAll(
                        Collections.nCopies(group.size(), new Group(List.of(), new Rows("[]", List.of(), false))));
            }
        }
        return List.copyOf(groups);
    }

    /**
     * Parsed as rows of the table, unless a NOT NULL domain, a domain representation or the text of a JSON value requires a
     * column list.
     */
    private Rows rows(Set<String> given, String json) {
        boolean texts = payload().texts();
        boolean named = target.table().columns().stream()
                .anyMatch(column -> given.contains(column.name())
                        ? column.dataType().representations().fromJson().isPresent()
                                || texts && column.dataType().isJson()
                        : column.dataType().form() == DataType.Form.DOMAIN);
        return new Rows(
                json,
                named
                        ? target.table().columns().stream()
                                .filter(column -> given.contains(column.name()))
                                .toList()
                        : List.<Table.Column>of(),
                texts);
    }

    private List<Identifier> columns(Collection<String> names) {
        return names.stream()
                .map(name -> target.table()
                        .column(name)
                        .map(column -> Identifier.of(column.name()))
                        .orElseThrow(
                                () -> RestError.unknownColumn(target.table().name(), name)))
                .toList();
    }

    /** PostgreSQL reports columns that are unknown or not unique. */
    private static Identifier named(String column) {
        if (!Identifier.fits(column)) {
            throw RestError.undefinedColumn("\"" + column + "\"");
        }
        return Identifier.of(column);
    }

    private static String array(List<String> rows) {
        return rows.stream().collect(Collectors.joining(",", "[", "]"));
    }
}
