package svc.management.advisor;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import svc.management.mcp.tool.Feature;
import svc.management.mcp.tool.Parameter;
import svc.management.mcp.tool.Tool;
import svc.management.mcp.tool.Tool.Effect;
import svc.management.mcp.tool.ToolAnswer;
import svc.management.mcp.tool.ToolCall;
import svc.management.mcp.tool.ToolGroup;
import svc.management.query.SqlAuthorization;
import svc.management.token.Permission;
import svc.platform.tenancy.Tenant;

/** The tool of the advisors. */
@ApplicationScoped
class AdvisorTools implements ToolGroup {
    /** A model reads the answer; the worst come first. */
    private static final int MAX_SHOWN = 100;

    private final SqlAuthorization authorization;
    private final Advisors advisors;

    AdvisorTools(SqlAuthorization authorization, Advisors advisors) {
        this.authorization = authorization;
        this.advisors = advisors;
    }

    @Override
    public List<Tool> tools() {
        return List.of(new Tool(
                "get_advisors",
                Feature.DEBUGGING,
                "Get advisors",
                "Finds what is unsafe or slow in the project's database, the worst first, with the remedy of each. Read it"
                        + " after every change of the schema: row security is easily forgotten.",
                Effect.READS,
                true,
                List.of(Parameter.oneOf("type", "What to look for", List.of("security", "performance"))),
                this::advise));
    }

    /** A finding, without what only programs need. */
    record Finding(String name, String level, String detail, String remediation) {}

    /** @param more findings that are not shown */
    record Findings(List<Finding> lints, int more) {}

    private ToolAnswer advise(ToolCall call) {
        call.by().require(Permission.DATABASE_QUERY);
        Tenant tenant = authorization.tenant(call.by(), call.project());
        List<Lint> lints =
                call.text("type").equals("security") ? advisors.security(tenant) : advisors.performance(tenant);
        return ToolAnswer.data(new Findings(
                lints.stream()
                        .limit(MAX_SHOWN)
                        .map(lint -> new Finding(lint.name(), lint.level(), lint.detail(), lint.remediation()))
                        .toList(),
                Math.max(0, lints.size() - MAX_SHOWN)));
    }
}
