package svc.management.bucket;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import svc.database.sql.SqlTemplate;
import svc.management.bucket.StorageBucketResource.Bucket;
import svc.management.json.StrictJson;
import svc.management.query.OwnerReads;
import svc.management.query.SqlAuthorization;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.Tenant;

/** The buckets of a project, in the form of Supabase's Management API and with their settings. */
@ApplicationScoped
class StorageBuckets {
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

    StorageBuckets(SqlAuthorization authorization, OwnerReads reads) {
        this.authorization = authorization;
        this.reads = reads;
    }

    /** By name, at most 10,000. */
    List<Bucket> list(Principal by, String ref) {
        by.require(Permission.DATABASE_QUERY);
        Tenant tenant = authorization.tenant(by, ref);
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
