package svc.management.types;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
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

/** The tool that generates types. */
@ApplicationScoped
class TypeTools implements ToolGroup {
    private final SqlAuthorization authorization;
    private final ProjectTypes types;

    TypeTools(SqlAuthorization authorization, ProjectTypes types) {
        this.authorization = authorization;
        this.types = types;
    }

    /** As {@code /v1} answers it. */
    record Generated(String types) {}

    @Override
    public List<Tool> tools() {
        return List.of(new Tool(
                "generate_typescript_types",
                Feature.DEVELOPMENT,
                "Generate TypeScript types",
                "Generates the TypeScript types of the project's database, for createClient<Database>.",
                Effect.READS,
                true,
                List.of(Parameter.optional(
                        "schemas", Kind.TEXTS, "Schemas to describe; those that the API serves if omitted")),
                this::generate));
    }

    private ToolResult generate(ToolCall call) {
        call.by().require(Permission.DATABASE_QUERY);
        return ToolResult.json(new Generated(
                types.typescript(authorization.tenant(call.by(), call.project()), call.texts("schemas"))));
    }
}
