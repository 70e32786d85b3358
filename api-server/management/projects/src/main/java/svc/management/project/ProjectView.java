package svc.management.project;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import svc.crds.condition.Condition;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.ProjectSpec;
import svc.crds.project.ProjectStatus;
import svc.database.name.ProjectNames;
import svc.management.project.ProjectBodies.ConditionView;
import svc.management.project.ProjectBodies.Sdk;
import svc.management.project.ProjectBodies.View;

/** Renders a Project resource for the API. Pure. */
final class ProjectView {
    private static final String PACKAGE = "@supabase/supabase-js";

    private ProjectView() {}

    static View of(Project project) {
        ProjectSpec spec = project.getSpec();
        ProjectStatus status = project.getStatus() == null ? ProjectStatus.empty() : project.getStatus();
        ProjectIdentity identity = ProjectIdentity.of(project);
        String schema = spec.rest().anonRole() == null
                ? ProjectNames.shared(identity.projectId()).schemaName()
                : spec.rest().firstExposedSchema();
        return new View(
                identity.ref(),
                identity.ref(),
                spec.name(),
                spec.organization(),
                spec.organization(),
                spec.organization(),
                ProjectState.of(project),
                Instant.parse(project.getMetadata().getCreationTimestamp()),
                schema,
                status.url(),
                status.restUrl(),
                status.authUrl(),
                status.storageUrl(),
                status.realtimeUrl(),
                status.graphqlUrl(),
                status.functionsUrl(),
                status.anonKey(),
                status.url() == null || status.anonKey() == null ? null : sdk(status.url(), status.anonKey(), schema),
                spec.deletionPolicy(),
                spec.paused(),
                RestChange.of(spec.rest()),
                AuthChange.shown(spec.auth()),
                status.conditions().stream().map(ProjectView::condition).toList());
    }

    private static ConditionView condition(Condition condition) {
        String status = condition.status().name();
        return new ConditionView(
                condition.type(),
                status.charAt(0) + status.substring(1).toLowerCase(Locale.ROOT),
                condition.reason(),
                condition.message(),
                condition.observedGeneration(),
                condition.lastTransitionTime());
    }

    private static Sdk sdk(String url, String anonKey, String schema) {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("NEXT_PUBLIC_SVC_URL", url);
        env.put("NEXT_PUBLIC_SVC_ANON_KEY", anonKey);
        env.put("SVC_DB_SCHEMA", schema);
        String snippet = String.join(
                "\n",
                List.of(
                        "import { createClient } from '" + PACKAGE + "'",
                        "",
                        "const client = createClient(",
                        "  process.env.NEXT_PUBLIC_SVC_URL,",
                        "  process.env.NEXT_PUBLIC_SVC_ANON_KEY,",
                        "  { db: { schema: process.env.SVC_DB_SCHEMA } }",
                        ")",
                        ""));
        return new Sdk(PACKAGE, url, anonKey, schema, env, snippet);
    }
}
