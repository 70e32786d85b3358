package svc.management.organization;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import svc.management.mcp.tool.Feature;
import svc.management.mcp.tool.Parameter;
import svc.management.mcp.tool.Parameter.Kind;
import svc.management.mcp.tool.Tool;
import svc.management.mcp.tool.Tool.Effect;
import svc.management.mcp.tool.ToolAnswer;
import svc.management.mcp.tool.ToolGroup;
import svc.management.organization.OrganizationResource.View;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The tools of organisations. A token sees its own. */
@ApplicationScoped
class OrganizationTools implements ToolGroup {
    private final Organizations organizations;

    OrganizationTools(Organizations organizations) {
        this.organizations = organizations;
    }

    @Override
    public List<Tool> tools() {
        return List.of(
                new Tool(
                        "list_organizations",
                        Feature.ACCOUNT,
                        "List organizations",
                        "Lists the organisation of the token.",
                        Effect.READS,
                        false,
                        List.of(),
                        call -> ToolAnswer.json(own(call.by()))),
                new Tool(
                        "get_organization",
                        Feature.ACCOUNT,
                        "Get organization",
                        "Gets an organisation.",
                        Effect.READS,
                        false,
                        List.of(Parameter.required("id", Kind.TEXT, "Its slug, from list_organizations")),
                        call -> ToolAnswer.json(own(call.by()).stream()
                                .filter(one -> one.slug().equals(call.text("id")))
                                .findFirst()
                                .orElseThrow(() -> Problem.of(
                                                ProblemCode.NOT_FOUND, "There is no such organisation for this token.")
                                        .asException()))));
    }

    private List<View> own(Principal by) {
        return organizations.find(by.organization()).stream().map(View::of).toList();
    }
}
