package svc.management.advisor;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import svc.management.query.SqlAuthorization;
import svc.management.token.Permission;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
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

    /** What a rule found at one object. */
    record Finding(String detail, Map<String, Object> metadata) {}

    /** The findings of one rule: what the rule says of all of them is there once. */
    record Group(
            String name,
            String title,
            String level,
            String facing,
            List<String> categories,
            String description,
            String remediation,
            int count,
            List<Finding> findings) {}

    /** @param more findings that are not shown */
    record Findings(List<Group> lints, int more) {}

    private ToolResult advise(ToolCall call) {
        call.by().require(Permission.DATABASE_QUERY);
        Tenant tenant = authorization.tenant(call.by(), call.project());
        List<Lint> lints =
                call.text("type").equals("security") ? advisors.security(tenant) : advisors.performance(tenant);
        Map<String, List<Lint>> byRule = lints.stream()
                .limit(MAX_SHOWN)
                .collect(Collectors.groupingBy(Lint::name, LinkedHashMap::new, Collectors.toList()));
        return ToolResult.data(new Findings(
                byRule.values().stream().map(AdvisorTools::group).toList(), Math.max(0, lints.size() - MAX_SHOWN)));
    }

    private static Group group(List<Lint> lints) {
        Lint first = lints.getFirst();
        return new Group(
                first.name(),
                first.title(),
                first.level(),
                first.facing(),
                first.categories(),
                first.description(),
                first.remediation(),
                lints.size(),
                lints.stream()
                        .map(lint -> new Finding(lint.detail(), lint.metadata()))
                        .toList());
    }
}
