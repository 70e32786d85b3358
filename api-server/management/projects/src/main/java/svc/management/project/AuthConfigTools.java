package svc.management.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import svc.crds.project.auth.AuthSpec;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.problem.ProblemException;

/** The tools of the auth service's settings, with the names of Supabase's Management API. */
@ApplicationScoped
class AuthConfigTools implements ToolGroup {
    private static final String CONFIG = "config";

    private final Projects projects;

    AuthConfigTools(Projects projects) {
        this.projects = projects;
    }

    @Override
    public List<Tool> tools() {
        return List.of(
                new Tool(
                        "get_auth_config",
                        Feature.DEVELOPMENT,
                        "Get auth config",
                        "Gets the settings of the auth service, without values of secrets.",
                        Effect.READS,
                        true,
                        List.of(),
                        call -> ToolResult.json(AuthConfig.shown(auth(call)))),
                new Tool(
                        "update_auth_config",
                        Feature.DEVELOPMENT,
                        "Update auth config",
                        "Changes settings of the auth service: mailer_autoconfirm (accounts need no confirmation by mail),"
                                + " site_url, uri_allow_list, disable_signup, external_anonymous_users_enabled,"
                                + " external_google_enabled, … as get_auth_config names them. Others keep their value;"
                                + " null restores a default.",
                        Effect.DESTROYS,
                        true,
                        List.of(Parameter.required(CONFIG, Kind.OBJECT, "The settings to change")),
                        this::update));
    }

    /** What the settings are now. */
    record Changed(boolean success, JsonNode config) {}

    private AuthSpec auth(ToolCall call) {
        // Of the API, not of the cache: a second change must not take back the first.
        return projects.current(call.by(), call.project()).getSpec().auth();
    }

    private ToolResult update(ToolCall call) {
        ObjectNode settings = (ObjectNode) call.arguments().get(CONFIG);
        try {
            var change = ProjectChange.of(AuthConfig.change(settings, auth(call)));
            AuthSpec changed =
                    projects.change(call.by(), call.project(), change).getSpec().auth();
            return ToolResult.json(new Changed(true, AuthConfig.shown(changed)));
        } catch (ProblemException e) {
            throw AuthConfig.TABLE.renamed(e);
        }
    }
}
