package svc.rest.plan;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Routine;
import svc.catalog.Routine.Parameter;
import svc.catalog.Routines;
import svc.rest.error.RestError;
import svc.rest.request.Arguments;
import svc.rest.request.Payload;
import svc.rest.resolution.Hints;

/**
 * Resolves the overload of a call by the names of the arguments, never by their values: all parameters without a default
 * must be present, and no unknown ones. The name of an unnamed parameter is empty, which a JSON body may have as a key:
 * generated client types write {@code {"": …}}. A function with a single unnamed parameter is the fallback.
 */
record RoutineResolution(Routines routines, QualifiedIdentifier name, Arguments arguments, Set<String> names) {
    /** The order in which PostgREST lists ambiguous functions: by parameters, of equal ones by comment. */
    private static final Comparator<Routine> ORDER = Comparator.<Routine>comparingInt(
                    routine -> routine.parameters().size())
            .thenComparing(
                    routine -> routine.description().orElse(null), Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(RoutineResolution::signature);

    /** PostgreSQL's FUNC_MAX_ARGS. */
    private static final int MAX_PARAMETERS = 100;

    Routine routine() {
        List<Routine> overloads = routines.named(name);
        List<Routine> byNames = overloads.stream().filter(this::takesNames).toList();
        List<Routine> meant =
                byNames.isEmpty() ? overloads.stream().filter(this::takesWhole).toList() : byNames;
        if (meant.size() > 1) {
            throw RestError.ambiguousFunction(meant.stream()
                    .sorted(ORDER)
                    .map(RoutineResolution::signature)
                    .toList());
        }
        return meant.stream().findFirst().orElseThrow(this::unknown);
    }

    private boolean takesNames(Routine routine) {
        boolean unnamed = names.contains("");
        if (arguments instanceof Arguments.Whole
                || isNonUniformArray()
                || unnamed && !(arguments instanceof Arguments.Json)) {
            return false;
        }
        Set<String> all = routine.parameters().stream().map(Parameter::name).collect(Collectors.toSet());
        return all.containsAll(names)
                && routine.parameters().stream()
                        .filter(Parameter::required)
                        .allMatch(parameter -> names.contains(parameter.name()));
    }

    private boolean takesWhole(Routine routine) {
        Optional<String> type =
                routine.unnamedParameter().map(parameter -> parameter.type().name());
        return switch (arguments) {
            case Arguments.Json unused ->
                type.filter(Set.of("json", "jsonb")::contains).isPresent();
            case Arguments.Whole whole -> type.equals(Optional.of(whole.type()));
            case Arguments.Texts unused -> false;
            case Arguments.Line unused -> false;
        };
    }

    /** An array without uniform keys, and no {@code columns=} that names arguments. */
    private boolean isNonUniformArray() {
        return arguments instanceof Arguments.Json json && !json.uniform() && names.isEmpty();
    }

    private RestError unknown() {
        if (isNonUniformArray()) {
            return Payload.mismatchedKeys();
        }
        Optional<String> whole = switch (arguments) {
            case Arguments.Json unused -> Optional.of("json/jsonb");
            case Arguments.Whole body -> Optional.of(body.type());
            case Arguments.Texts unused -> Optional.empty();
            case Arguments.Line unused -> Optional.empty();
        };
        Set<String> sorted = new TreeSet<>(names);
        return RestError.unknownFunction(
                name.toString(),
                sorted,
                whole,
                arguments instanceof Arguments.Whole,
                sorted.size() > MAX_PARAMETERS ? Optional.empty() : Hints.function(routines, name, sorted));
    }

    private static String signature(Routine routine) {
        return routine.id()
                + routine.parameters().stream()
                        .map(parameter ->
                                parameter.name() + " => " + parameter.type().displayed())
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
