package svc.management.introspection;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import svc.management.introspection.ProjectFacts.Relation;
import svc.management.json.StrictJson;
import svc.management.query.SqlAuthorization;
import svc.management.token.Permission;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.tenancy.Tenant;

/** The tools that show tables and extensions. */
@ApplicationScoped
class TableTools implements ToolGroup {
    private static final int MAX_TABLES = 500;

    /** Of the tables in JSON, in characters: a model reads the answer. The first one is shown whatever its size. */
    private static final int MAX_LENGTH = 48 << 10;

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
                        "Lists the extensions of the project's database. Those without installed_version are not installed.",
                        Effect.READS,
                        true,
                        List.of(),
                        this::extensions));
    }

    /**
     * The list.
     *
     * @param more tables that are not shown
     * @param hint how to see them
     */
    record Tables(List<TableView> tables, int more, String hint) {}

    private Tenant tenant(ToolCall call) {
        call.by().require(Permission.DATABASE_QUERY);
        return authorization.tenant(call.by(), call.project());
    }

    private ToolResult tables(ToolCall call) {
        boolean verbose = call.optionalFlag("verbose").orElse(false);
        TableCatalog catalog = introspection.readTables(tenant(call), verbose);
        ProjectFacts facts = catalog.facts();
        Set<String> schemas = call.texts("schemas").isEmpty() ? Set.of("public") : Set.copyOf(call.texts("schemas"));
        List<Relation> found = facts.relations().values().stream()
                .filter(relation -> !relation.kind().equals("c")
                        && !relation.partition()
                        && schemas.contains(facts.schemaOf(relation)))
                .sorted(Comparator.comparing((Relation relation) -> facts.schemaOf(relation))
                        .thenComparing(Relation::name))
                .toList();
        List<TableView> shown = shown(catalog, found, verbose);
        int more = found.size() - shown.size();
        return ToolResult.json(new Tables(
                shown,
                more,
                more == 0
                        ? null
                        : "The answer has its largest size. Leave out verbose, name one schema, or ask"
                                + " information_schema by execute_sql."));
    }

    private static List<TableView> shown(TableCatalog catalog, List<Relation> found, boolean verbose) {
        List<TableView> shown = new ArrayList<>();
        int length = 0;
        for (Relation relation : found) {
            TableView view = TableView.of(catalog, relation, verbose);
            length += StrictJson.get().valueToTree(view).toString().length();
            if (shown.size() == MAX_TABLES || !shown.isEmpty() && length > MAX_LENGTH) {
                break;
            }
            shown.add(view);
        }
        return shown;
    }

    record Extensions(List<ExtensionView> extensions) {}

    /** What an extension does not have is null. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record ExtensionView(String name, String schema, String defaultVersion, String installedVersion, String comment) {}

    private ToolResult extensions(ToolCall call) {
        return ToolResult.json(new Extensions(introspection.extensions(tenant(call)).stream()
                .map(one -> new ExtensionView(
                        one.name(), one.schema(), one.defaultVersion(), one.installedVersion(), one.comment()))
                .toList()));
    }
}
