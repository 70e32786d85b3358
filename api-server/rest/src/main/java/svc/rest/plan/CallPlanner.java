package svc.rest.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.catalog.ComputedColumn;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Relationship;
import svc.catalog.Routine;
import svc.catalog.Routine.Shape;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.platform.tenancy.RestSettings;
import svc.rest.error.ParameterErrors;
import svc.rest.error.RestError;
import svc.rest.plan.Plan.CallArguments;
import svc.rest.plan.Plan.Output;
import svc.rest.request.Accept;
import svc.rest.request.ApiRequest;
import svc.rest.request.Arguments;
import svc.rest.request.Condition;
import svc.rest.request.Field;
import svc.rest.request.Preferences.Count;
import svc.rest.request.ReadRequest;
import svc.rest.request.RowSelection;

/** Plans a function call: resolves the overload, binds the arguments, and plans how the result is read. Pure. */
final class CallPlanner {
    private static final Identifier CALLED = Identifier.of("pgrst_source");

    /** The column of a scalar function's result. */
    private static final String SCALAR = "pgrst_scalar";

    private final ProjectSchema known;
    private final RestSettings settings;
    private final MediaNegotiation media;

    CallPlanner(ProjectSchema known, RestSettings settings, MediaNegotiation media) {
        this.known = known;
        this.settings = settings;
        this.media = media;
    }

    /** @throws RestError PGRST202 or 203 if no function, or more than one, accepts the arguments */
    Plan.Call plan(ApiRequest request, QualifiedIdentifier name) {
        requireUnambiguous(request.ambiguousNames(), name);
        Arguments arguments = request.arguments().orElseThrow();
        Set<String> names = names(request, arguments);
        Routine routine = new RoutineResolution(known.routines(), name, arguments, names).routine();
        boolean values = routine.returnsScalar() || routine.returns().shape() == Shape.RECORD;
        if (request.preferences().strictMaxAffected().isPresent()
                && !routine.returns().setOf()) {
            throw RestError.maxAffectedOfCall();
        }
        Target target = target(routine, values);
        RowSelection rows = request.read().rows();
        ReadPlan read = new ReadPlanner(known, settings)
                .plan(
                        target,
                        new ReadRequest(
                                request.read().select(),
                                rows.withRange(rows.range().atMost(settings.maxRows())),
                                request.read().embedded()));
        return new Plan.Call(
                output(request, routine, read, values),
                routine,
                callArguments(routine, arguments, names),
                values,
                computed(read),
                read.embeddings().stream().anyMatch(one -> one.relationship() instanceof Relationship.Computed),
                request.preferences()
                        .counting()
                        .filter(count -> count != Count.PLANNED)
                        .isPresent());
    }

    private void requireUnambiguous(Set<String> reserved, QualifiedIdentifier function) {
        if (reserved.isEmpty()) {
            return;
        }
        known.routines().named(function).stream()
                .flatMap(overload -> overload.parameters().stream())
                .map(Routine.Parameter::name)
                .filter(reserved::contains)
                .findFirst()
                .ifPresent(name -> {
                    throw ParameterErrors.ambiguousArgument(name, function.name());
                });
    }

    /** {@code columns=} restricts the keys of a body. */
    private static Set<String> names(ApiRequest request, Arguments arguments) {
        return request.columns()
                .filter(unused -> arguments instanceof Arguments.Json)
                .<Set<String>>map(LinkedHashSet::new)
                .orElseGet(arguments::names);
    }

    private Output output(ApiRequest request, Routine routine, ReadPlan read, boolean values) {
        Accept accept = request.accept();
        Rendering rendering = values
                ? media.ofValues(accept, routine)
                : media.ofRows(
                        accept,
                        routine.returns().relation().orElse(routine.id()),
                        request.read().select());
        boolean body = !request.headOnly() && routine.returns().shape() != Shape.VOID;
        return new Output(body, rendering, read, List.of());
    }

    /** The relation whose rows the function returns, or a synthetic one with its output columns. */
    private Target target(Routine routine, boolean values) {
        Optional<Table> relation = routine.returns().relation().flatMap(known::table);
        Table table = relation.orElseGet(() -> made(routine, values));
        return new Target(
                new Target.Source.Rows(CALLED),
                table,
                known.routines().computedColumns(table.id()),
                Identifier.of(routine.id().name()));
    }

    private static Table made(Routine routine, boolean values) {
        List<Routine.Output> columns = values
                ? List.of(new Routine.Output(SCALAR, routine.returns().type()))
                : routine.returns().columns();
        return new Table(
                0,
                routine.id(),
                Table.Kind.VIEW,
                columns.stream()
                        .map(column -> new Table.Column(
                                column.name(),
                                column.type(),
                                true,
                                Table.Generation.NONE,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()))
                        .toList(),
                List.of(),
                List.of(),
                Table.Mutability.NONE,
                false,
                0,
                Optional.empty());
    }

    private static CallArguments callArguments(Routine routine, Arguments arguments, Set<String> names) {
        Optional<Routine.Parameter> unnamed = routine.unnamedParameter();
        return switch (arguments) {
            case Arguments.Json json ->
                unnamed.<CallArguments>map(one -> new CallArguments.Whole(one, whole(one, json.body())))
                        .orElseGet(() -> fields(routine, names, json.row().json(), false));
            case Arguments.Line line -> fields(routine, names, line.row().json(), true);
            case Arguments.Texts texts -> new CallArguments.Texts(texts(routine, texts.values()));
            case Arguments.Whole whole -> new CallArguments.Whole(unnamed.orElseThrow(), whole.value());
        };
    }

    private static CallArguments fields(Routine routine, Set<String> names, String json, boolean texts) {
        return new CallArguments.Fields(
                routine.parameters().stream()
                        .filter(parameter -> names.contains(parameter.name()))
                        .toList(),
                json,
                texts);
    }

    /** A JSON body for a parameter without a name, whatever its type: the body itself, as in PostgREST. */
    private static String whole(Routine.Parameter parameter, String body) {
        return parameter.type().isBuiltin("bytea") ? Arguments.hex(body.getBytes(StandardCharsets.UTF_8)) : body;
    }

    private static List<Plan.TextArgument> texts(Routine routine, Map<String, List<String>> values) {
        List<Plan.TextArgument> texts = new ArrayList<>();
        for (Routine.Parameter parameter : routine.parameters()) {
            List<String> given = values.getOrDefault(parameter.name(), List.of());
            if (!given.isEmpty()) {
                texts.add(new Plan.TextArgument(parameter, parameter.variadic() ? array(given) : given.getLast()));
            }
        }
        return texts;
    }

    /** An array literal of any element type. */
    private static String array(List<String> elements) {
        return elements.stream()
                .map(element -> "\"" + element.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** The computed columns that the request uses: they need the row as a value of its own type. */
    private static List<Identifier> computed(ReadPlan read) {
        Set<String> asked = new LinkedHashSet<>();
        read.select().forEach(item -> {
            if (item instanceof ReadPlan.Selected.Own own) {
                own.item().field().map(Field::column).ifPresent(asked::add);
            }
        });
        read.rows().order().stream()
                .filter(term -> term.relation().isEmpty())
                .forEach(term -> asked.add(term.field().column()));
        Condition.fields(read.rows().where()).forEach(field -> asked.add(field.column()));
        return read.target().computed().stream()
                .map(ComputedColumn::function)
                .map(QualifiedIdentifier::name)
                .filter(asked::contains)
                .filter(name -> read.target().table().column(name).isEmpty())
                .map(Identifier::of)
                .toList();
    }
}
