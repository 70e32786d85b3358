package svc.management.organization;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import svc.management.organization.OrganizationResource.Details;
import svc.management.organization.OrganizationResource.View;
import svc.management.token.Principal;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/** The tools of organisations. A token sees its own. */
@ApplicationScoped
class OrganizationTools implements ToolGroup {
    private static final String TYPE = "type";
    private static final String BRANCH = "branch";
    private static final List<String> CREATED = List.of("project", BRANCH);
    private static final String HOURLY = "hourly";
    private static final String MONTHLY = "monthly";

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
                        call -> ToolResult.json(new Page(own(call.by())))),
                new Tool(
                        "get_organization",
                        Feature.ACCOUNT,
                        "Get organization",
                        "Gets an organisation with its plan.",
                        Effect.READS,
                        false,
                        List.of(Parameter.required("id", Kind.TEXT, "Its slug, from list_organizations")),
                        call -> ToolResult.json(own(call.by()).stream()
                                .filter(one -> one.slug().equals(call.text("id")))
                                .findFirst()
                                .map(OrganizationTools::details)
                                .orElseThrow(() -> Problem.of(
                                                ProblemCode.NOT_FOUND, "There is no such organisation for this token.")
                                        .asException()))),
                new Tool(
                        "get_cost",
                        Feature.ACCOUNT,
                        "Get cost",
                        "Tells what a new project or branch costs: nothing on this platform.",
                        Effect.READS,
                        false,
                        List.of(
                                Parameter.oneOf(TYPE, "What is to be created", CREATED),
                                Parameter.optional("organization_id", Kind.TEXT, "The token's organisation")),
                        call -> ToolResult.json(
                                new Cost(call.text(TYPE), 0, call.text(TYPE).equals(BRANCH) ? HOURLY : MONTHLY))),
                new Tool(
                        "confirm_cost",
                        Feature.ACCOUNT,
                        "Confirm cost",
                        "Returns an id for confirm_cost_id of create_project and create_branch, which do not need one.",
                        Effect.READS,
                        false,
                        List.of(
                                Parameter.oneOf(TYPE, "What is to be created", CREATED),
                                Parameter.oneOf("recurrence", "How often it costs that", List.of(HOURLY, MONTHLY)),
                                Parameter.required("amount", Kind.DECIMAL, "The amount that get_cost returned")),
                        call -> ToolResult.json(new Confirmation("free"))));
    }

    record Page(List<View> organizations) {}

    record Cost(String type, int amount, String recurrence) {}

    record Confirmation(String confirmationId) {}

    private static Details details(View own) {
        return new Details(own.id(), own.slug(), own.name(), own.createdAt(), "free", List.of(), List.of("ga"));
    }

    private List<View> own(Principal by) {
        return organizations.find(by.organization()).stream().map(View::of).toList();
    }
}
