package svc.management.bucket;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.database.sql.SqlTemplate;
import svc.management.json.StrictJson;
import svc.management.query.OwnerReads;
import svc.management.query.SqlAuthorization;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.Tenant;

/** Lists buckets, in the form of Supabase's Management API and with their settings. */
@Path("/v1/projects/{ref}/storage/buckets")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class StorageBucketResource {
    private static final SqlTemplate LIST = SqlTemplate.of("""
            SELECT coalesce(json_agg(json_build_object('id', b.id, 'name', b.name,
                'owner', coalesce(b.owner_id, b.owner::text, ''), 'public', coalesce(b.public, false),
                'file_size_limit', b.file_size_limit, 'allowed_mime_types', b.allowed_mime_types,
                'versioning_status', coalesce(to_jsonb(b) ->> 'versioning_status', 'DISABLED'),
                'created_at', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'updated_at', to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]')::text
            FROM (SELECT * FROM :"storage".buckets ORDER BY name, id LIMIT 10000) b""");

    private final SqlAuthorization authorization;
    private final OwnerReads reads;
    private final CurrentPrincipal caller;

    StorageBucketResource(SqlAuthorization authorization, OwnerReads reads, CurrentPrincipal caller) {
        this.authorization = authorization;
        this.reads = reads;
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
        caller.get().require(Permission.DATABASE_QUERY);
        Tenant tenant = authorization.tenant(caller.get(), ref);
        if (tenant.adoption().isPresent()) {
            throw Problem.of(ProblemCode.NOT_IMPLEMENTED, "A project in an adopted database has no storage service.")
                    .asException();
        }
        String json =
                reads.value(tenant, LIST.bind(Map.of("storage", tenant.names().storage())));
        try {
            return StrictJson.get().readValue(json, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("while reading JSON that PostgreSQL wrote", e);
        }
    }
}
