package svc.catalog;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import svc.catalog.CatalogSnapshot.RelationRow;
import svc.catalog.CatalogSnapshot.RoutineRow;
import svc.catalog.Routine.Parameter;
import svc.catalog.Routine.ReturnType;
import svc.catalog.Routine.Shape;

/** The functions of a snapshot: callable ones, computed columns and computed relationships. */
final class SnapshotRoutines {
    /** Of a default, in characters: the literals that descriptions of the API show are shorter. */
    private static final int MAX_EXPRESSION = 256;

    private static final String IN = "i";
    private static final String INOUT = "b";
    private static final String VARIADIC = "v";
    private static final Set<String> INPUT_MODES = Set.of(IN, INOUT, VARIADIC);

    /** Types of a single unnamed parameter that takes a whole request body. */
    private static final Set<String> WHOLE_BODY = Set.of("bytea", "json", "jsonb", "text", "xml");

    private static final Pattern MEDIA_TYPE = Pattern.compile("[A-Za-z0-9.-]+/[A-Za-z0-9.+-]+|\\*/\\*");

    private final SnapshotTypes types;
    private final Map<Long, RelationRow> relations;
    private final List<RoutineRow> rows;

    SnapshotRoutines(List<RoutineRow> rows, SnapshotTypes types, Map<Long, RelationRow> relations) {
        this.rows = rows.stream()
                .filter(row -> types.has(row.returns()) && row.types().stream().allMatch(types::has))
                .toList();
        this.types = types;
        this.relations = relations;
    }

    Routines routines() {
        return Routines.of(callable(), computedColumns());
    }

    private List<Routine> callable() {
        return functions()
                .filter(RoutineRow::exposed)
                .filter(row -> !isTrigger(row))
                .filter(this::isCallable)
                .map(this::routine)
                .toList();
    }

    private Stream<RoutineRow> functions() {
        return rows.stream().filter(row -> !row.aggregate());
    }

    private boolean isTrigger(RoutineRow row) {
        DataType returned = types.type(row.returns());
        return returned.form() == DataType.Form.PSEUDO && returned.name().endsWith("trigger");
    }

    /** Arguments are passed by name, or as one whole request body. */
    private boolean isCallable(RoutineRow row) {
        List<Parameter> parameters = parameters(row);
        long unnamed = parameters.stream().filter(one -> one.name().isEmpty()).count();
        return unnamed == 0
                || unnamed == 1
                        && WHOLE_BODY.contains(parameters.getFirst().type().name());
    }

    private Routine routine(RoutineRow row) {
        return new Routine(
                row.oid(),
                row.id(),
                parameters(row),
                returns(row),
                Routine.Volatility.of(row.volatility()),
                row.settings().stream().map(SnapshotRoutines::setting).toList(),
                row.comment());
    }

    private List<Parameter> parameters(RoutineRow row) {
        List<Integer> given = IntStream.range(0, row.types().size())
                .filter(i -> INPUT_MODES.contains(mode(row, i)))
                .boxed()
                .toList();
        List<Parameter> parameters = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            int at = given.get(i);
            parameters.add(new Parameter(
                    name(row, at),
                    types.type(row.types().get(at)),
                    i < given.size() - row.defaults(),
                    row.expressions()
                            .flatMap(all -> Optional.ofNullable(all.get(at)))
                            .filter(expression -> expression.length() <= MAX_EXPRESSION),
                    mode(row, at).equals(VARIADIC)));
        }
        return parameters;
    }

    private ReturnType returns(RoutineRow row) {
        List<Routine.Output> columns = IntStream.range(0, row.types().size())
                .filter(i -> !mode(row, i).equals(IN) && !mode(row, i).equals(VARIADIC))
                .mapToObj(i ->
                        new Routine.Output(name(row, i), types.type(row.types().get(i))))
                .toList();
        DataType type = types.type(row.returns());
        Shape shape = shape(type, columns);
        Optional<QualifiedIdentifier> relation =
                shape == Shape.COMPOSITE ? Optional.of(type.underlying().id()) : Optional.empty();
        return new ReturnType(row.set(), shape, type, relation, columns);
    }

    private static Shape shape(DataType type, List<Routine.Output> columns) {
        if (!columns.isEmpty()) {
            return Shape.COLUMNS;
        }
        if (type.underlying().form() == DataType.Form.COMPOSITE) {
            return Shape.COMPOSITE;
        }
        if (type.isBuiltin("void")) {
            return Shape.VOID;
        }
        return type.isBuiltin("record") ? Shape.RECORD : Shape.SCALAR;
    }

    private List<ComputedColumn> computedColumns() {
        return functions()
                .filter(row -> !row.set() && types.relation(row.returns()).isEmpty())
                .filter(row -> shape(types.type(row.returns()), List.of()) == Shape.SCALAR)
                .flatMap(row -> argument(row)
                        .map(table -> new ComputedColumn(
                                row.id(), table.id(), types.type(row.returns()), row.oid(), row.comment()))
                        .stream())
                .toList();
    }

    List<Relationship.Computed> relationships() {
        return functions()
                .flatMap(row -> argument(row)
                        .flatMap(table -> types.relation(row.returns())
                                .map(relations::get)
                                .filter(RelationRow::exposed)
                                .map(foreign -> new Relationship.Computed(
                                        row.id(),
                                        table.id(),
                                        foreign.id(),
                                        !row.set() || row.single(),
                                        row.oid(),
                                        row.comment())))
                        .stream())
                .toList();
    }

    /** The exposed relation whose row is the function's only argument. */
    private Optional<RelationRow> argument(RoutineRow row) {
        return row.types().size() == 1 && mode(row, 0).equals(IN)
                ? types.relation(row.types().getFirst()).map(relations::get).filter(RelationRow::exposed)
                : Optional.empty();
    }

    List<MediaHandler> handlers() {
        return rows.stream()
                .filter(row -> row.aggregate() && row.exposed() && row.types().size() == 1)
                .filter(row -> types.type(row.returns()).form() == DataType.Form.DOMAIN)
                .filter(row ->
                        MEDIA_TYPE.matcher(types.type(row.returns()).name()).matches())
                .filter(row -> argument(row).isPresent()
                        || types.type(row.types().getFirst()).isBuiltin("anyelement"))
                .map(row -> new MediaHandler(
                        types.type(row.returns()).name().toLowerCase(Locale.ROOT),
                        row.id(),
                        argument(row).map(RelationRow::id),
                        types.type(row.returns())))
                .toList();
    }

    private static String mode(RoutineRow row, int at) {
        return row.modes().isEmpty() ? IN : row.modes().get(at);
    }

    private static String name(RoutineRow row, int at) {
        return row.names().isEmpty() ? "" : row.names().get(at);
    }

    private static Routine.Setting setting(String text) {
        int equals = text.indexOf('=');
        return new Routine.Setting(text.substring(0, equals), text.substring(equals + 1));
    }
}
