package svc.management.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.auth.AuthSpec;

/** The bodies of {@code /v1/projects}. */
public final class ProjectBodies {
    private ProjectBodies() {}

    /**
     * What a project is made of. Beside the name, fields of Supabase's call that mean nothing here are accepted and named
     * in the answer's {@code ignored}, because its clients send them.
     *
     * @param organizationId the token's own organisation, if it is named at all; {@code organizationSlug} likewise
     */
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

    /** What is left out stays as it is. */
    public record Change(
            String name,
            DeletionPolicy deletionPolicy,
            Boolean paused,
            RestChange rest,

            @Schema(
                    implementation = AuthSpec.class,
                    description = "A merge patch of the auth settings; null takes back a default. In the place of a"
                            + " reference to a Secret the value is given: {\"value\": \"…\"}.")
            JsonNode auth) {}

    /**
     * Which keys get their next version; anon, service and signing when none is named.
     *
     * @param overlapSeconds how long the version before is accepted as well; a day when left out, 0 to end it at once
     */
    public record Rotate(List<String> keys, Integer overlapSeconds) {}

    /** {@code {"project": …}}, as SPEC 4.2 has it. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Wrapped(View project, List<String> ignored) {}

    /** A project (SPEC 2.1 and more). What the operator has not written yet is left out. */
    public record View(
            String id,
            String ref,
            String name,
            String organization,
            String organizationId,
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
            List<ConditionView> conditions) {}

    public record ConditionView(
            String type,
            String status,
            String reason,
            String message,
            Long observedGeneration,
            Instant lastTransitionTime) {}

    /**
     * All that a generated application needs.
     *
     * @param packageName of the client, on the public registry
     * @param env to be written into the application's environment
     * @param snippet a first program
     */
    public record Sdk(
            @JsonProperty("package") String packageName,
            String url,
            String anonKey,
            String dbSchema,
            Map<String, String> env,
            String snippet) {}
}
