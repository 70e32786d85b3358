package svc.management.branch;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.database.name.SupabaseRef;
import svc.management.project.ProjectState;
import svc.management.supabase.SupabaseShape;

/** The bodies of branches, in the shapes of Supabase's Management API. */
public final class BranchBodies {
    private BranchBodies() {}

    /**
     * A new branch. {@code region} and what follows it are accepted and ignored, because Supabase's clients send them.
     *
     * @param branchName its name, 1 to 63 characters
     * @param gitBranch kept and returned
     * @param persistent kept and returned
     * @param withData whether it begins with the rows of the project
     * @param seed SQL that runs once, after the migrations
     */
    @Schema(name = "CreateBranchBody")
    public record Create(
            @Schema(required = true, maxLength = 63) String branchName,
            String gitBranch,
            Boolean persistent,
            Boolean withData,
            String seed,
            Boolean isDefault,
            String region,
            String desiredInstanceSize,
            String releaseChannel,
            String postgresEngine,

            @Schema(type = SchemaType.OBJECT, implementation = Object.class)
            JsonNode secrets,

            String notifyUrl) {}

    /**
     * Omitted fields keep their value.
     *
     * @param status the platform's to say: any other than the present one is refused
     */
    @Schema(name = "UpdateBranchBody")
    public record Change(
            @Schema(maxLength = 63) String branchName,
            String gitBranch,
            Boolean persistent,
            String status,
            Boolean resetOnPush,
            Boolean requestReview,
            String notifyUrl) {}

    /**
     * What a reset, rebase or merge takes; the body may be left out.
     *
     * @param migrationVersion the last migration to apply: of the project or, by a merge, of the branch
     * @param seed SQL that runs once, after the migrations of a reset
     */
    @Schema(name = "BranchActionBody")
    public record Work(String migrationVersion, String seed) {}

    /**
     * A branch.
     *
     * @param id of the branch's project
     * @param projectRef of the branch's project
     * @param statusMessage why the migrations failed, for example
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "BranchResponse")
    public record View(
            UUID id,
            String name,
            String projectRef,
            String parentProjectRef,
            boolean isDefault,
            String gitBranch,
            boolean persistent,
            BranchStatus status,
            String statusMessage,
            boolean withData,
            Instant createdAt,
            Instant updatedAt,
            ProjectState previewProjectStatus)
            implements SupabaseShape {
        @Override
        public View forSupabase(Deployment deployment) {
            return new View(
                    id,
                    name,
                    SupabaseRef.of(projectRef),
                    SupabaseRef.of(parentProjectRef),
                    isDefault,
                    gitBranch,
                    persistent,
                    status,
                    statusMessage,
                    withData,
                    createdAt,
                    updatedAt,
                    previewProjectStatus);
        }
    }

    /**
     * The project of a branch: what an application needs to use it.
     *
     * @param status of the project
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "BranchDetailResponse")
    public record Detail(
            UUID id,
            String ref,
            String name,
            String parentProjectRef,
            ProjectState status,
            BranchStatus branchStatus,
            String statusMessage,
            String postgresEngine,
            String releaseChannel,
            String url,
            String anonKey,
            String schema)
            implements SupabaseShape {
        @Override
        public SupabaseBranch forSupabase(Deployment deployment) {
            return SupabaseBranch.of(this, deployment);
        }
    }

    /**
     * What a call has done.
     *
     * @param message {@code ok}
     * @param migrations versions that were applied to the project by a merge
     * @param branch as it is now
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "BranchUpdateResponse")
    public record Done(String workflowRunId, String message, List<String> migrations, View branch)
            implements SupabaseShape {
        @Override
        public Done forSupabase(Deployment deployment) {
            return new Done(workflowRunId, message, migrations, branch == null ? null : branch.forSupabase(deployment));
        }
    }
}
