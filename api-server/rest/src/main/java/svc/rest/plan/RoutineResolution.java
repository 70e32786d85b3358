package svc.rest.plan;

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
import svc.rest.resolution.Hints;
import svc.rest.request.Arguments;
import svc.rest.request.Payload;

/**
 * Which function of a name a call means. The names of the arguments decide, never their values: all parameters without a
 * default must be given, and nothing that is no parameter. A function that takes a body whole is meant when there is no
 * other.
 */
record RoutineResolution(Routines routines, QualifiedIdentifier name, Arguments arguments, Set<String> names) {
    Routine routine() {
        List<Routine> overloads = routines.named(name);
        List<Routine> byNames = overloads.stream().filter(this::takesNames).toList();
        List<Routine> meant =
                byNames.isEmpty() ? overloads.stream().filter(this::takesWhole).toList() : byNames;
        if (meant.size() > 1) {
            throw RestError.ambiguousFunction(
                    meant.stream().map(RoutineResolution::signature).toList());
        }
        return meant.stream().findFirst().orElseThrow(this::unknown);
    }

    private boolean takesNames(Routine routine) {
        if (arguments instanceof Arguments.Whole
                || isUnlikeList()
                || routine.unnamedParameter().isPresent()) {
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
        };
    }

    /** A list that names no arguments, and no {@code columns=} that does. */
    private boolean isUnlikeList() {
        return arguments instanceof Arguments.Json json && !json.alike() && names.isEmpty();
    }

    private RestError unknown() {
        if (isUnlikeList()) {
            return Payload.unlike();
        }
        Optional<String> whole = switch (arguments) {
            case Arguments.Json unused -> Optional.of("json/jsonb");
            case Arguments.Whole body -> Optional.of(body.type());
            case Arguments.Texts unused -> Optional.empty();
        };
        Set<String> sorted = new TreeSet<>(names);
        return RestError.unknownFunction(
                name.toString(), sorted, whole, arguments instanceof Arguments.Whole, Hints.function(routines, name, sorted));
    }

    private static String signature(Routine routine) {
        return routine.id()
                + routine.parameters().stream()
                        .map(parameter ->
                                parameter.name() + " => " + parameter.type().displayed())
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
