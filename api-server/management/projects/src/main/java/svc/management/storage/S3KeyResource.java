package svc.management.storage;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.ResponseStatus;
import svc.crds.project.service.S3AccessKeySpec;
import svc.management.json.Body;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** {@code /v1/projects/{ref}/storage/s3-keys}: the access keys of the project's S3 protocol. */
@Path("/v1/projects/{ref}/storage/s3-keys")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class S3KeyResource {
    private final S3Keys keys;
    private final CurrentPrincipal caller;

    S3KeyResource(S3Keys keys, CurrentPrincipal caller) {
        this.keys = keys;
        this.caller = caller;
    }

    /** @param name what the key is for */
    @Schema(name = "CreateS3KeyBody")
    public record Create(String name) {}

    /**
     * A key.
     *
     * @param id the access key id
     * @param secret the secret access key; in the response to its creation alone
     * @param endpoint of the S3 protocol; as the secret
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "S3KeyResponse")
    public record View(String id, String name, Instant createdAt, String secret, String endpoint) {
        static View of(S3AccessKeySpec key) {
            return new View(key.id(), key.name(), key.createdAt(), null, null);
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "View[" + id + "]";
        }
    }

    @GET
    @Operation(operationId = "listS3Keys", summary = "List the access keys of the S3 protocol, without secrets")
    public List<View> list(@PathParam("ref") String ref) {
        return keys.list(caller.get(), ref).stream().map(View::of).toList();
    }

    @POST
    @ResponseStatus(201)
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "createS3Key",
            summary = "Create an access key, which acts as the service role; its secret is returned only once, in this"
                    + " response")
    @APIResponse(
            responseCode = "201",
            description = "The key with its secret",
            content = @Content(schema = @Schema(implementation = View.class)))
    public View create(@PathParam("ref") String ref, Create body) {
        Body.required(body);
        S3Keys.Created created = keys.create(caller.get(), ref, Body.required(body.name(), "/name"));
        return new View(
                created.key().id(),
                created.key().name(),
                created.key().createdAt(),
                created.secret(),
                created.endpoint());
    }

    @DELETE
    @Path("/{id}")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(operationId = "deleteS3Key", summary = "Delete an access key, permanently and at once")
    public View delete(@PathParam("ref") String ref, @PathParam("id") String id) {
        return View.of(keys.delete(caller.get(), ref, id));
    }
}
