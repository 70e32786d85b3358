package svc.management.introspection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Namespace;
import svc.management.introspection.ProjectFacts.Policy;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.Routine;

/**
 * What a language model needs to know of a database before it writes SQL, in as few words as possible.
 *
 * @param databases one, with its schemas, as Supabase's Management API has it
 * @param context a line for each table, view, function and enum; SQL comments and names are the project's own text
 * @param more lines that are left out because the text has its largest size
 */
@Schema(name = "GetProjectDbMetadataResponse")
public record DatabaseContext(List<Database> databases, String context, int more) {
    /** In characters: about 12,000 tokens. */
    static final int MAX_LENGTH = 48_000;

    /** They are the same in every project. */
    private static final Set<String> OF_THE_PLATFORM =
            Set.of("auth", "storage", "realtime", "extensions", "information_schema", "pg_catalog");

    private static final Map<String, String> COMMANDS =
            Map.of("r", "select", "a", "insert", "w", "update", "d", "delete", "*", "all");

    /** A database and its schemas. */
    @Schema(name = "DatabaseSchemas")
    public record Database(String name, List<DatabaseSchema> schemas) {}

    /** A schema, by the name that applications use. */
    @Schema(name = "DatabaseSchema")
    public record DatabaseSchema(String name) {}

    /** Pure. */
    static DatabaseContext of(ProjectFacts facts) {
        List<String> lines = new ArrayList<>();
        facts.relations().values().stream()
                .filter(relation -> !relation.kind().equals("c") && !relation.partition())
                .filter(relation -> isOwn(facts.schemaOf(relation)))
                .filter(relation -> !facts.extensionMembers().contains(relation.oid()))
                .sorted(Comparator.comparing((Relation relation) -> facts.schemaOf(relation))
                        .thenComparing(Relation::name))
                .forEach(relation -> describe(facts, relation, lines));
        facts.labels().keySet().stream()
                .map(facts.types()::get)
                .filter(type -> type != null && isOwn(type.schema()))
                .map(type -> "enum " + type.schema() + "." + type.name() + ": "
                        + String.join(", ", facts.labels().get(type.oid())))
                .sorted()
                .forEach(lines::add);
        facts.routines().stream()
                .filter(routine -> !facts.extensionMembers().contains(routine.oid()))
                .filter(routine -> isOwn(schema(facts, routine.namespace())))
                .map(routine -> function(facts, routine))
                .sorted()
                .forEach(lines::add);
        return cut(databases(facts), lines);
    }

    private static List<Database> databases(ProjectFacts facts) {
        return List.of(new Database(
                "postgres",
                facts.namespaces().values().stream()
                        .map(Namespace::name)
                        .filter(name -> !name.isEmpty())
                        .sorted()
                        .map(DatabaseSchema::new)
                        .toList()));
    }

    private static DatabaseContext cut(List<Database> databases, List<String> lines) {
        var text = new StringBuilder();
        int shown = 0;
        while (shown < lines.size() && text.length() + lines.get(shown).length() < MAX_LENGTH) {
            text.append(lines.get(shown++)).append('\n');
        }
        return new DatabaseContext(databases, text.toString(), lines.size() - shown);
    }

    private static void describe(ProjectFacts facts, Relation relation, List<String> lines) {
        String kind = switch (relation.kind()) {
            case "v" -> "view";
            case "m" -> "materialized view";
            case "f" -> "foreign table";
            default -> "table";
        };
        String name = facts.schemaOf(relation) + "." + relation.name();
        String columns = facts.columnsOf(relation.oid()).stream()
                .map(column -> column(facts, column))
                .collect(Collectors.joining(", "));
        lines.add(kind + " " + name + " (" + columns + ")" + (relation.rowSecurity() ? " with row security" : ""));
        facts.constraints().stream()
                .filter(key -> key.relation() == relation.oid())
                .filter(key -> key.kind().equals("p")
                        || key.kind().equals("u")
                        || key.kind().equals("f"))
                .map(key -> "  " + key(facts, key))
                .sorted()
                .forEach(lines::add);
        facts.policies().stream()
                .filter(policy -> policy.relation() == relation.oid())
                .map(DatabaseContext::policy)
                .sorted()
                .forEach(lines::add);
    }

    private static String column(ProjectFacts facts, Column column) {
        String generated = !column.identity().isEmpty() || !column.generated().isEmpty() ? " generated" : "";
        String given = generated.isEmpty() && column.hasDefault() ? " default" : "";
        return column.name() + " " + facts.typeName(column.type()) + (column.notNull() ? " not null" : "") + generated
                + given;
    }

    private static String key(ProjectFacts facts, ProjectFacts.Constraint key) {
        String columns = "(" + String.join(", ", facts.columnNames(key.relation(), key.columns())) + ")";
        if (!key.kind().equals("f")) {
            return (key.kind().equals("p") ? "primary key " : "unique ") + columns;
        }
        Relation target = facts.relations().get(key.target());
        String name = target == null ? "?" : facts.schemaOf(target) + "." + target.name();
        return "foreign key " + columns + " references " + name + " ("
                + String.join(", ", facts.columnNames(key.target(), key.targetColumns())) + ")";
    }

    private static String policy(Policy policy) {
        return "  policy " + policy.name() + " for " + COMMANDS.getOrDefault(policy.command(), policy.command())
                + policy.using().map(text -> " using " + text).orElse("")
                + policy.check().map(text -> " with check " + text).orElse("");
    }

    private static String function(ProjectFacts facts, Routine routine) {
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < routine.types().size(); i++) {
            String name = i < routine.names().size() ? routine.names().get(i) : "";
            parameters.add((name.isEmpty() ? "" : name + " ")
                    + facts.typeName(routine.types().get(i)));
        }
        return "function " + schema(facts, routine.namespace()) + "." + routine.name() + "("
                + String.join(", ", parameters) + ") returns " + (routine.set() ? "setof " : "")
                + facts.typeName(routine.returns());
    }

    private static String schema(ProjectFacts facts, long oid) {
        Namespace namespace = facts.namespaces().get(oid);
        return namespace == null ? "" : namespace.name();
    }

    private static boolean isOwn(String schema) {
        return !schema.isEmpty() && !OF_THE_PLATFORM.contains(schema);
    }
}
