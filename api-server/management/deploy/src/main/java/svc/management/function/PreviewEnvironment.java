package svc.management.function;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.ProjectStatus;
import svc.database.key.KeyVariables;
import svc.database.name.ProjectNames;

/**
 * The environment of a function's dry boot: all variables of the deployed function with their values, except for the
 * service-role key, which is replaced by a placeholder.
 */
@ApplicationScoped
class PreviewEnvironment {
    private static final String WORTHLESS_KEY = "svc_service_not_given_before_deployment";

    private final SecretResources secrets;

    PreviewEnvironment(SecretResources secrets) {
        this.secrets = secrets;
    }

    Map<String, String> of(ClaimedProject claimed, String function) {
        Map<String, String> all = new HashMap<>(secrets.values(claimed.resource(), function));
        Map<String, String> platform = platform(claimed.resource());
        platform.forEach((name, value) -> {
            all.put("SVC_" + name, value);
            all.put("SUPABASE_" + name, value);
        });
        all.putAll(KeyVariables.of(platform.get("URL"), platform.get("ANON_KEY"), platform.get("SERVICE_ROLE_KEY")));
        return all;
    }

    private static Map<String, String> platform(Project project) {
        ProjectStatus status = project.getStatus();
        ProjectIdentity identity = ProjectIdentity.of(project);
        Map<String, String> values = new HashMap<>();
        values.put("URL", status.url() == null ? "http://" + identity.ref() + ".localhost" : status.url());
        values.put("ANON_KEY", status.anonKey() == null ? "" : status.anonKey());
        values.put("SERVICE_ROLE_KEY", WORTHLESS_KEY);
        values.put("PROJECT_REF", identity.ref());
        values.put(
                "DB_SCHEMA",
                project.getSpec().rest().anonRole() == null
                        ? ProjectNames.shared(identity.projectId()).schemaName()
                        : project.getSpec().rest().firstExposedSchema());
        return values;
    }
}
