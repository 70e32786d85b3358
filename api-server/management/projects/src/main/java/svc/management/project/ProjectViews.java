package svc.management.project;

import jakarta.enterprise.context.ApplicationScoped;
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
import svc.management.ClientUrls;
import svc.management.project.ProjectBodies.ConditionView;
import svc.management.project.ProjectBodies.Sdk;
import svc.management.project.ProjectBodies.View;

/** Renders Project resources for the API, with addresses that clients reach. */
@ApplicationScoped
class ProjectViews {
    private static final String PACKAGE = "@supabase/supabase-js";

    private final ClientUrls urls;

    ProjectViews(ClientUrls urls) {
        this.urls = urls;
    }

    View of(Project project) {
        ProjectSpec spec = project.getSpec();
        ProjectStatus status = project.getStatus() == null ? ProjectStatus.empty() : project.getStatus();
        ProjectIdentity identity = ProjectIdentity.of(project);
        String schema = spec.rest().anonRole() == null
                ? ProjectNames.shared(identity.projectId()).schemaName()
                : spec.rest().firstExposedSchema();
        String ref = identity.ref();
        String url = urls.of(status.url());
        return new View(
                ref,
                ref,
                spec.name(),
                spec.organization(),
                spec.organization(),
                spec.organization(),
                ProjectState.of(project),
                Instant.parse(project.getMetadata().getCreationTimestamp()),
                schema,
                url,
                urls.of(status.restUrl()),
                urls.of(status.authUrl()),
                urls.of(status.storageUrl()),
                urls.of(status.realtimeUrl()),
                urls.of(status.graphqlUrl()),
                urls.of(status.functionsUrl()),
                status.anonKey(),
                url == null || status.anonKey() == null ? null : sdk(url, status.anonKey(), schema),
                spec.deletionPolicy(),
                spec.paused(),
                RestChange.of(spec.rest()),
                AuthChange.shown(spec.auth()),
                status.conditions().stream().map(ProjectViews::condition).toList());
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
