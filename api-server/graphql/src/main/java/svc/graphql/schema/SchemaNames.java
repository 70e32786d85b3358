package svc.graphql.schema;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import svc.catalog.ProjectSchema;

/** What the comments of the exposed schemas decide for all their objects. */
final class SchemaNames {
    private final Map<String, CommentDirective> directives = new HashMap<>();
    private final ProjectSchema project;
    private final UnaryOperator<String> shown;
    private final Optional<String> inflected;

    private SchemaNames(ProjectSchema project, UnaryOperator<String> shown, Optional<String> inflected) {
        this.project = project;
        this.shown = shown;
        this.inflected = inflected;
        project.exposed()
                .forEach(schema -> directives.put(
                        schema,
                        CommentDirective.of(
                                Optional.ofNullable(project.descriptions().get(schema)))));
    }

    static SchemaNames of(ProjectSchema project, UnaryOperator<String> shown, Optional<String> inflected) {
        return new SchemaNames(project, shown, inflected);
    }

    Naming naming(String schema) {
        boolean byDefault = inflected.filter(schema::equals).isPresent();
        return new Naming(directive(schema).flag("inflect_names").orElse(byDefault));
    }

    OptionalInt maxRows(String schema) {
        return directive(schema).maxRows();
    }

    /** The exposed schemas whose comment does not switch introspection off. */
    Set<String> introspected() {
        return project.exposed().stream()
                .filter(schema -> directive(schema).flag("introspection").orElse(true))
                .collect(Collectors.toUnmodifiableSet());
    }

    String shown(String schema) {
        return shown.apply(schema);
    }

    /** The exposed schema that applications call so. */
    Optional<String> exposed(String name) {
        return project.exposed().stream()
                .filter(schema -> schema.equals(name) || shown.apply(schema).equals(name))
                .findFirst();
    }

    private CommentDirective directive(String schema) {
        return directives.getOrDefault(schema, CommentDirective.NONE);
    }
}
