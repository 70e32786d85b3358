package svc.management.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.auth.AuthSpec;
import svc.database.name.SupabaseRef;
import svc.management.supabase.SupabaseShape;

/** The bodies of {@code /v1/projects}. */
public final class ProjectBodies {
    private ProjectBodies() {}

    /**
     * A new project. Fields of Supabase's API that have no meaning here are accepted, because its clients send them,
     * and listed in the response's {@code ignored}.
     *
     * @param organizationId the token's own organisation, if present; {@code organizationSlug} likewise
     */
    @Schema(name = "CreateProjectBody")
    public record Create(
            String name,
            String organizationId,
            String organizationSlug,
            DeletionPolicy deletionPolicy,
            String dbPass,
            String region,
            Object regionSelection,
            String plan,
            String desiredInstanceSize,
            Boolean kpsEnabled,
            String templateUrl) {}

    /** Omitted fields keep their value. */
    @Schema(name = "UpdateProjectBody")
    public record Change(
            String name,
            DeletionPolicy deletionPolicy,
            Boolean paused,
            RestChange rest,

            @Schema(
                    implementation = AuthSpec.class,
                    description = "A merge patch of the auth settings; null restores a default. In place of a"
                            + " reference to a Secret, send the value: {\"value\": \"…\"}.")
            JsonNode auth) {}

    /**
     * The keys to rotate; anon, service and signing if none is given.
     *
     * @param overlapSeconds how long the previous version stays valid; one day if omitted, 0 to end it at once
     */
    @Schema(name = "RotateProjectKeysBody")
    public record Rotate(List<String> keys, Integer overlapSeconds) {}

    /**
     * A project that is being deleted. Supabase's API has a number here and nowhere else: its generated clients fail at a text.
     *
     * @param id derived from the project's UUID; it names nothing
     */
    @Schema(name = "ProjectDeleted")
    public record Deleted(int id, String ref, String name, ProjectState status) implements SupabaseShape {
        static Deleted of(Project project) {
            ProjectIdentity identity = ProjectIdentity.of(project);
            return new Deleted(
                    identity.projectId().hashCode() & Integer.MAX_VALUE,
                    identity.ref(),
                    project.getSpec().name(),
                    ProjectState.GOING_DOWN);
        }

        /** With the members of Supabase's API alone. */
        record Named(int id, String ref, String name) {}

        @Override
        public Named forSupabase(Deployment deployment) {
            return new Named(id, SupabaseRef.of(ref), name);
        }
    }

    /** {@code {"project": …}}, as SPEC 4.2 has it. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @Schema(name = "CreateProjectResponse")
    public record Wrapped(View project, List<String> ignored) implements SupabaseShape {
        @Override
        public SupabaseProject forSupabase(Deployment deployment) {
            return project.forSupabase(deployment);
        }
    }

    /** A project (SPEC 2.1 and more). Fields that the operator has not written yet are omitted. */
    @Schema(name = "ProjectResponse")
    public record View(
            String id,
            String ref,
            String name,
            String organization,
            String organizationId,
            String organizationSlug,
            ProjectState status,
            Instant createdAt,
            String schema,
            String url,
            String restUrl,
            String authUrl,
            String storageUrl,
            String realtimeUrl,
            String graphqlUrl,
            String functionsUrl,
            String anonKey,
            Sdk sdk,
            DeletionPolicy deletionPolicy,
            Boolean paused,
            RestChange rest,
            @Schema(implementation = AuthSpec.class) JsonNode auth,
            List<ConditionView> conditions)
            implements SupabaseShape {
        @Override
        public SupabaseProject forSupabase(Deployment deployment) {
            return SupabaseProject.of(this, deployment);
        }
    }

    @Schema(name = "ProjectCondition")
    public record ConditionView(
            String type,
            String status,
            String reason,
            String message,
            Long observedGeneration,
            Instant lastTransitionTime) {}

    /**
     * Everything that a generated application needs.
     *
     * @param packageName of the client, on the public registry
     * @param env variables for the application's environment
     * @param snippet an example program
     */
    @Schema(name = "ProjectSdk")
    public record Sdk(
            @JsonProperty("package") String packageName,
            String url,
            String anonKey,
            String dbSchema,
            Map<String, String> env,
            String snippet) {}
}
