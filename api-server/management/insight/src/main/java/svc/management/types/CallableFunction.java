package svc.management.types;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.management.introspection.ProjectFacts;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Routine;
import svc.management.introspection.ProjectFacts.Type;

/**
 * A function that the REST API can call, or that computes a column or a relationship of a relation. Pure.
 *
 * @param inputs IN, INOUT and VARIADIC parameters
 * @param outputs TABLE, OUT and INOUT parameters
 * @param source the relation whose row is the only parameter
 * @param target the relation, or composite type, whose rows are returned
 */
record CallableFunction(
        Routine routine,
        List<Parameter> inputs,
        List<Parameter> outputs,
        Optional<Relation> source,
        Optional<Relation> target) {
    private static final Set<String> UNNAMED_BODIES = Set.of("json", "jsonb", "text", "bytea", "xml");
    private static final Set<String> HANDLERS =
            Set.of("trigger", "event_trigger", "internal", "language_handler", "fdw_handler", "index_am_handler");

    record Parameter(String name, long type, boolean optional) {}

    /** Empty for one that no request can call: a trigger function, or one with several unnamed parameters. */
    static Optional<CallableFunction> of(Routine routine, ProjectFacts facts) {
        Type returned = facts.types().get(routine.returns());
        if (!Set.of("f", "a").contains(routine.kind())
                || facts.extensionMembers().contains(routine.oid())
                || returned != null && HANDLERS.contains(returned.name())) {
            return Optional.empty();
        }
        List<Parameter> inputs = new ArrayList<>();
        List<Parameter> outputs = new ArrayList<>();
        int count = (int)
                routine.modes().stream().filter(mode -> !"to".contains(mode)).count();
        int ins = routine.modes().isEmpty() ? routine.types().size() : count;
        for (int i = 0; i < routine.types().size(); i++) {
            String mode = routine.modes().isEmpty() ? "i" : routine.modes().get(i);
            String name = i < routine.names().size() ? routine.names().get(i) : "";
            if ("ibv".contains(mode)) {
                inputs.add(new Parameter(name, routine.types().get(i), inputs.size() >= ins - routine.defaults()));
            }
            if ("tbo".contains(mode)) {
                outputs.add(new Parameter(name, routine.types().get(i), false));
            }
        }
        Optional<Relation> source =
                inputs.size() == 1 ? relation(facts, inputs.getFirst().type()) : Optional.empty();
        Optional<Relation> target = relation(facts, routine.returns());
        var function = new CallableFunction(routine, List.copyOf(inputs), List.copyOf(outputs), source, target);
        return function.callable(facts) ? Optional.of(function) : Optional.empty();
    }

    private static Optional<Relation> relation(ProjectFacts facts, long type) {
        return Optional.ofNullable(facts.types().get(type))
                .filter(found -> found.relation() != 0)
                .map(found -> facts.relations().get(found.relation()));
    }

    private boolean callable(ProjectFacts facts) {
        if (inputs.stream().noneMatch(parameter -> parameter.name().isEmpty())) {
            return true;
        }
        if (inputs.size() > 1) {
            return false;
        }
        Type only = facts.types().get(inputs.getFirst().type());
        return source.isPresent() || only != null && UNNAMED_BODIES.contains(only.name());
    }

    /** Whether it is a column of its source: one value for each row. */
    boolean isComputedColumn() {
        return source.filter(relation -> !relation.kind().equals("c")).isPresent()
                && target.isEmpty()
                && outputs.isEmpty()
                && !routine.set();
    }
}
