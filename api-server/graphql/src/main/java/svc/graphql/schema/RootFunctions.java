package svc.graphql.schema;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Routine;
import svc.graphql.schema.FunctionField.Parameter;
import svc.graphql.schema.FunctionField.Result;

/** The functions that are fields of the root types. */
final class RootFunctions {
    /** Arguments of a collection, which parameters of a function that returns one must not have. */
    private static final Set<String> COLLECTION_ARGUMENTS =
            Set.of("first", "last", "before", "after", "offset", "filter", "orderBy");

    private final ProjectSchema project;
    private final Privileges privileges;
    private final SchemaNames names;
    private final ValueTypes types;
    private final Map<QualifiedIdentifier, Entity> entities;

    RootFunctions(
            ProjectSchema project,
            Privileges privileges,
            SchemaNames names,
            ValueTypes types,
            Map<QualifiedIdentifier, Entity> entities) {
        this.project = project;
        this.privileges = privileges;
        this.names = names;
        this.types = types;
        this.entities = entities;
    }

    /** @param reading those that are stable or immutable, fields of Query; otherwise the volatile ones */
    List<FunctionField> fields(boolean reading) {
        return project.routines().all().stream()
                .filter(overloads -> overloads.size() == 1)
                .map(List::getFirst)
                .filter(routine -> (routine.volatility() != Routine.Volatility.VOLATILE) == reading)
                .filter(routine -> project.exposed().contains(routine.id().schema()))
                .filter(routine -> privileges.mayExecute(routine.id(), routine.oid()))
                .sorted(Comparator.comparing(Routine::id))
                .flatMap(routine -> field(routine).stream())
                .toList();
    }

    private Optional<FunctionField> field(Routine routine) {
        CommentDirective directive = CommentDirective.of(routine.description());
        Naming naming = names.naming(routine.id().schema());
        String name = directive
                .text("name")
                .orElseGet(() -> naming.function(routine.id().name()));
        Optional<Result> result = result(routine);
        if (routine.variadic() || result.isEmpty() || !Naming.isValid(name)) {
            return Optional.empty();
        }
        return parameters(routine, naming)
                .filter(parameters -> !(result.get() instanceof Result.Rows)
                        || Collections.disjoint(parameters.keySet(), COLLECTION_ARGUMENTS))
                .map(parameters ->
                        new FunctionField(name, routine.id(), parameters, result.get(), directive.text("description")));
    }

    private Optional<Result> result(Routine routine) {
        Routine.ReturnType returns = routine.returns();
        return switch (returns.shape()) {
            case SCALAR ->
                returns.setOf()
                        ? Optional.empty()
                        : types.of(returns.type()).map(type -> new Result.Value(type, returns.type()));
            case COMPOSITE ->
                returns.relation()
                        .filter(entities::containsKey)
                        .map(relation -> returns.setOf() ? new Result.Rows(relation) : new Result.Row(relation));
            case VOID, COLUMNS, RECORD -> Optional.empty();
        };
    }

    /** Empty if one has no name or no GraphQL type. */
    private Optional<Map<String, Parameter>> parameters(Routine routine, Naming naming) {
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        for (Routine.Parameter parameter : routine.parameters()) {
            String name = naming.column(parameter.name());
            Optional<ValueType> type = types.of(parameter.type());
            if (type.isEmpty() || !Naming.isValid(name)) {
                return Optional.empty();
            }
            var made = new Parameter(
                    name,
                    parameter.name(),
                    parameter.type(),
                    type.get(),
                    parameter.required(),
                    parameter.defaultValue().flatMap(expression -> DefaultLiteral.of(expression, type.get())));
            if (parameters.put(name, made) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(Collections.unmodifiableMap(parameters));
    }
}
