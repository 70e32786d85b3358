package svc.management.function;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolCall.Consent;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.config.ApiConfig;

/** The tool that asks a person for a secret: the value never passes through the client and its model. */
@ApplicationScoped
class SecretTools implements ToolGroup {
    private final Functions functions;
    private final FunctionSecrets secrets;
    private final SecretEntries entries;
    private final String page;

    SecretTools(Functions functions, FunctionSecrets secrets, SecretEntries entries, ApiConfig config) {
        this.functions = functions;
        this.secrets = secrets;
        this.entries = entries;
        this.page = SecretEntryResource.address(config);
    }

    @Override
    public List<Tool> tools() {
        return List.of(new Tool(
                "create_edge_function_secret",
                Feature.FUNCTIONS,
                "Create edge function secret",
                "Asks the user for the value of a secret, which all edge functions of the project read as an environment"
                        + " variable. The user enters it on a page of the platform: it never passes through you, so never ask"
                        + " for it in the conversation. Call the tool again without replace to see whether it is stored.",
                Effect.SETS,
                true,
                List.of(
                        Parameter.required(
                                "name", Kind.TEXT, "The variable's name, such as STRIPE_KEY; not SUPABASE_… or SVC_…"),
                        Parameter.optional(
                                "replace",
                                Kind.FLAG,
                                "Whether the value may replace an existing one; false if omitted")),
                this::create));
    }

    /** Whether the value was stored. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record State(String name, boolean stored, String note) {}

    private ToolResult create(ToolCall call) {
        Project project = functions.project(call.by(), call.project());
        ProjectIdentity identity = ProjectIdentity.of(project);
        String name = FunctionSecrets.checkedName(call.text("name"), "/name");
        boolean replace = call.optionalFlag("replace").orElse(false);
        boolean exists = secrets.exists(project, name);
        // A use of the link is not enough: its process may have died before it stored the value.
        boolean entered = exists && entries.wasUsed(call.by(), identity.projectId(), name);
        if (call.consent() == Consent.GIVEN) {
            return ToolResult.json(
                    entered
                            ? new State(name, true, null)
                            : new State(
                                    name,
                                    false,
                                    "The user has not stored it yet. When they say that they have, call the tool again"
                                            + " without replace."));
        }
        if (!replace && exists) {
            if (entered) {
                return ToolResult.json(new State(name, true, null));
            }
            throw FunctionProblems.secretExists(name);
        }
        String link = entries.open(call.by(), identity, name, replace);
        return new ToolResult.UrlElicitation(
                "store_secret",
                "Enter the value of the secret " + name + " of the project " + identity.ref()
                        + " on this page of the platform. It works once, within "
                        + SecretEntries.LIFETIME.toMinutes() + " minutes, and asks for a personal access token.",
                page + "?request=" + link);
    }
}
