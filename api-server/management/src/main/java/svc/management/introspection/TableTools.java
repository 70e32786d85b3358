package svc.management.introspection;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import svc.management.introspection.ProjectFacts.Column;
import svc.management.introspection.ProjectFacts.Extension;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.introspection.ProjectFacts.TableStatistics;
import svc.management.mcp.tool.Feature;
import svc.management.mcp.tool.Parameter;
import svc.management.mcp.tool.Parameter.Kind;
import svc.management.mcp.tool.Tool;
import svc.management.mcp.tool.Tool.Effect;
import svc.management.mcp.tool.ToolAnswer;
import svc.management.mcp.tool.ToolCall;
import svc.management.mcp.tool.ToolGroup;
import svc.management.query.SqlAuthorization;
import svc.management.token.Permission;

/** The tools that show tables and extensions. */
@ApplicationScoped
class TableTools implements ToolGroup {
    private static final int MAX_TABLES = 500;

    private final SqlAuthorization authorization;
    private final ProjectIntrospection introspection;

    TableTools(SqlAuthorization authorization, ProjectIntrospection introspection) {
        this.authorization = authorization;
        this.introspection = introspection;
    }

    @Override
    public List<Tool> tools() {
        return List.of(
                new Tool(
                        "list_tables",
                        Feature.DATABASE,
                        "List tables",
                        "Lists the tables and views of schemas, with their columns and keys if verbose.",
                        Effect.READS,
                        true,
                        List.of(
                                Parameter.optional("schemas", Kind.TEXTS, "Schemas to show; public if omitted"),
                                Parameter.optional("verbose", Kind.FLAG, "Whether to show columns and keys")),
                        this::tables),
                new Tool(
                        "list_extensions",
                        Feature.DATABASE,
                        "List extensions",
                        "Lists the extensions that the project can use.",
                        Effect.READS,
                        true,
                        List.of(),
                        this::extensions));
    }

    /** @param rows an estimate of the statistics collector; omitted where there is none */
    record TableView(
            String schema,
            String name,
            String kind,
            boolean rlsEnabled,
            Long rows,
            List<ColumnView> columns,
            List<String> primaryKeys,
            List<KeyView> foreignKeyConstraints) {}

    record ColumnView(String name, String dataType, boolean nullable, boolean hasDefault) {}

    record KeyView(String name, String source, String target) {}

    /** @param more tables that are not shown */
    record Tables(List<TableView> tables, int more) {}

    private ProjectFacts facts(ToolCall call) {
        call.by().require(Permission.DATABASE_QUERY);
        return introspection.read(authorization.tenant(call.by(), call.project()));
    }

    private ToolAnswer tables(ToolCall call) {
        ProjectFacts facts = facts(call);
        Set<String> schemas = call.texts("schemas").isEmpty() ? Set.of("public") : Set.copyOf(call.texts("schemas"));
        boolean verbose = call.optionalFlag("verbose").orElse(false);
        List<Relation> found = facts.relations().values().stream()
                .filter(relation -> !relation.kind().equals("c")
                        && !relation.partition()
                        && schemas.contains(facts.schemaOf(relation)))
                .sorted(Comparator.comparing((Relation relation) -> facts.schemaOf(relation))
                        .thenComparing(Relation::name))
                .toList();
        return ToolAnswer.json(new Tables(
                found.stream()
                        .limit(MAX_TABLES)
                        .map(relation -> view(facts, relation, verbose))
                        .toList(),
                Math.max(0, found.size() - MAX_TABLES)));
    }

    private static TableView view(ProjectFacts facts, Relation relation, boolean verbose) {
        TableStatistics statistics = facts.tableStatistics().get(relation.oid());
        return new TableView(
                facts.schemaOf(relation),
                relation.name(),
                switch (relation.kind()) {
                    case "v" -> "view";
                    case "m" -> "materialized view";
                    case "f" -> "foreign table";
                    default -> "table";
                },
                relation.rowSecurity(),
                statistics == null ? null : statistics.live(),
                verbose
                        ? facts.columnsOf(relation.oid()).stream()
                                .map(column -> view(facts, column))
                                .toList()
                        : null,
                verbose ? primaryKey(facts, relation) : null,
                verbose ? foreignKeys(facts, relation) : null);
    }

    private static ColumnView view(ProjectFacts facts, Column column) {
        return new ColumnView(
                column.name(),
                facts.typeName(column.type()),
                !column.notNull(),
                column.hasDefault() || !column.identity().isEmpty());
    }

    private static List<String> primaryKey(ProjectFacts facts, Relation relation) {
        return facts.constraints().stream()
                .filter(key -> key.relation() == relation.oid() && key.kind().equals("p"))
                .flatMap(key -> facts.columnNames(relation.oid(), key.columns()).stream())
                .toList();
    }

    private static List<KeyView> foreignKeys(ProjectFacts facts, Relation relation) {
        return facts.constraints().stream()
                .filter(key -> key.relation() == relation.oid() && key.kind().equals("f"))
                .map(key -> new KeyView(
                        key.name(),
                        end(facts, key.relation(), key.columns()),
                        end(facts, key.target(), key.targetColumns())))
                .toList();
    }

    private static String end(ProjectFacts facts, long oid, List<Integer> columns) {
        Relation relation = facts.relations().get(oid);
        String name = relation == null ? "?" : facts.schemaOf(relation) + "." + relation.name();
        return name + "(" + String.join(", ", facts.columnNames(oid, columns)) + ")";
    }

    record ExtensionView(String name, String schema, String installedVersion) {}

    private ToolAnswer extensions(ToolCall call) {
        return ToolAnswer.json(facts(call).extensions().stream()
                .sorted(Comparator.comparing(Extension::name))
                .map(one -> new ExtensionView(one.name(), one.schema(), one.version()))
                .toList());
    }
}
