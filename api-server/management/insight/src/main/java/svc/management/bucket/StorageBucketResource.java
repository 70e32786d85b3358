package svc.management.bucket;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** Lists buckets, in the form of Supabase's Management API and with their settings. */
@Path("/v1/projects/{ref}/storage/buckets")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class StorageBucketResource {
    private final StorageBuckets buckets;
    private final CurrentPrincipal caller;

    StorageBucketResource(StorageBuckets buckets, CurrentPrincipal caller) {
        this.buckets = buckets;
        this.caller = caller;
    }

    /**
     * A bucket.
     *
     * @param owner id of the user who made it; empty for a key
     * @param fileSizeLimit in bytes; omitted where the project's limit holds
     * @param allowedMimeTypes omitted where all are accepted
     * @param versioningStatus DISABLED, ENABLED or SUSPENDED
     */
    @Schema(name = "StorageBucketResponse")
    public record Bucket(
            String id,
            String name,
            String owner,
            @JsonProperty("public") boolean isPublic,
            Long fileSizeLimit,
            List<String> allowedMimeTypes,
            String versioningStatus,
            String createdAt,
            String updatedAt) {}

    @GET
    @Requires(Permission.DATABASE_QUERY)
    @Operation(operationId = "v1-list-all-buckets", summary = "List the buckets of the project by name, at most 10,000")
    @APIResponse(responseCode = "200", description = "The buckets")
    @APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    public List<Bucket> list(@PathParam("ref") String ref) {
        return buckets.list(caller.get(), ref);
    }
}
