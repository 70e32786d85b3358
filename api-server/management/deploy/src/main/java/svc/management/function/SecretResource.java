package svc.management.function;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import svc.crds.condition.Condition;
import svc.crds.condition.ConditionTypes;
import svc.crds.condition.Conditions;
import svc.crds.secret.FunctionSecret;
import svc.management.function.FunctionBodies.SecretValue;
import svc.management.function.FunctionBodies.SecretView;
import svc.management.json.Body;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** {@code /v1/projects/{ref}/functions/secrets}: environment variables of functions. No response contains a value. */
@Path("/v1/projects/{ref}/functions/secrets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class SecretResource {
    private final FunctionSecrets secrets;
    private final CurrentPrincipal caller;

    SecretResource(FunctionSecrets secrets, CurrentPrincipal caller) {
        this.secrets = secrets;
        this.caller = caller;
    }

    @PUT
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(operationId = "putFunctionSecret", summary = "Create or update a secret of a function")
    public SecretView put(@PathParam("ref") String ref, SecretValue body) {
        Body.required(body);
        return view(secrets.put(
                caller.get(),
                ref,
                Body.required(body.functionName(), "/functionName"),
                Body.required(body.key(), "/key"),
                Body.required(body.value(), "/value")));
    }

    @GET
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "listFunctionSecrets",
            summary = "List names and digests of the secrets of one or all functions, without values")
    public List<SecretView> list(@PathParam("ref") String ref, @QueryParam("functionName") String function) {
        return secrets.list(caller.get(), ref, Optional.ofNullable(function)).stream()
                .map(SecretResource::view)
                .toList();
    }

    @DELETE
    @Path("/{functionName}/{key}")
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(operationId = "deleteFunctionSecret", summary = "Delete a secret of a function")
    public SecretView delete(
            @PathParam("ref") String ref, @PathParam("functionName") String function, @PathParam("key") String key) {
        return view(secrets.delete(caller.get(), ref, function, key));
    }

    private static SecretView view(FunctionSecret secret) {
        Optional<Condition> ready = secret.getStatus() == null
                ? Optional.empty()
                : Conditions.in(secret.getStatus().conditions(), ConditionTypes.READY);
        return new SecretView(
                secret.getSpec().functionName(),
                secret.getSpec().key(),
                secret.getStatus() == null ? null : secret.getStatus().digest(),
                secret.isReady() ? "APPLIED" : "PENDING",
                ready.filter(condition -> !condition.isTrue())
                        .map(Condition::message)
                        .filter(message -> !message.isEmpty())
                        .orElse(null),
                Instant.parse(secret.getMetadata().getCreationTimestamp()));
    }
}
