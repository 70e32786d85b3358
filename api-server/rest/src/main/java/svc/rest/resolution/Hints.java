package svc.rest.resolution;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Relationships;
import svc.catalog.Routine;
import svc.catalog.Routines;

/** The hints of PostgREST's errors about names that the schema cache does not have. Pure. */
public final class Hints {
    private Hints() {}

    /** PGRST205: the name of a similar relation in the same schema. */
    public static Optional<String> table(ProjectSchema known, String schema, String name) {
        return FuzzySet.of(known.tables().stream()
                        .map(table -> table.id())
                        .filter(id -> id.schema().equals(schema))
                        .map(QualifiedIdentifier::name)
                        .toList())
                .closest(name, FuzzySet.MIN_NAME_SCORE);
    }

    /**
     * PGRST202: for an unknown name a similar one, for a known name the overload with the most similar parameters.
     *
     * @param arguments names that the caller gave
     */
    public static Optional<String> function(Routines routines, QualifiedIdentifier name, Collection<String> arguments) {
        List<Routine> overloads = routines.named(name);
        String meant = "Perhaps you meant to call the function " + name.schema() + ".";
        if (overloads.isEmpty()) {
            return FuzzySet.of(routines.names().stream()
                            .filter(known -> known.schema().equals(name.schema()))
                            .map(QualifiedIdentifier::name)
                            .toList())
                    .closest(name.name(), FuzzySet.MIN_NAME_SCORE)
                    .map(known -> meant + known);
        }
        List<String> signatures = overloads.stream()
                .map(routine -> signature(routine.parameters().stream()
                        .map(Routine.Parameter::name)
                        .toList()))
                .toList();
        return FuzzySet.of(signatures)
                .closest(signature(arguments), FuzzySet.MIN_RELATED_SCORE)
                .map(known -> meant + name.name() + known);
    }

    private static String signature(Collection<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", ", "(", ")"));
    }

    /** PGRST200: a similar origin for an origin without relationships, otherwise a similar relation among the related ones. */
    static Optional<String> relationship(Relationships relationships, QualifiedIdentifier origin, String target) {
        Set<String> related = names(relationships.relatedTo(origin), origin.schema());
        if (related.isEmpty()) {
            return FuzzySet.of(List.copyOf(names(relationships.tables(), origin.schema())))
                    .closest(origin.name(), FuzzySet.MIN_RELATED_SCORE)
                    .map(name -> "Perhaps you meant '" + name + "' instead of '" + origin.name() + "'.");
        }
        return related.contains(target)
                ? Optional.empty()
                : FuzzySet.of(List.copyOf(related))
                        .closest(target, FuzzySet.MIN_RELATED_SCORE)
                        .map(name -> "Perhaps you meant '" + name + "' instead of '" + target + "'.");
    }

    private static Set<String> names(Collection<QualifiedIdentifier> tables, String schema) {
        return tables.stream()
                .filter(name -> name.schema().equals(schema))
                .map(QualifiedIdentifier::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
