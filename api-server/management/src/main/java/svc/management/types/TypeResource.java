package svc.management.types;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.query.SqlAuthorization;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;

/** {@code /v1/projects/{ref}/types/typescript}. */
@Path("/v1/projects/{ref}/types/typescript")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found")
public class TypeResource {
    private final SqlAuthorization authorization;
    private final ProjectTypes types;
    private final CurrentPrincipal caller;

    TypeResource(SqlAuthorization authorization, ProjectTypes types, CurrentPrincipal caller) {
        this.authorization = authorization;
        this.types = types;
        this.caller = caller;
    }

    /** @param types the text of a TypeScript module */
    public record View(String types) {}

    @GET
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-generate-typescript-types",
            summary = "Generate the TypeScript types of the database, for createClient<Database>")
    @APIResponse(responseCode = "200", description = "The module")
    public View typescript(
            @PathParam("ref") String ref,
            @Parameter(
                            description = "Schemas, separated by commas, by the names that applications use; those that"
                                    + " the REST API serves if omitted",
                            example = "public")
                    @QueryParam("included_schemas")
                    String schemas) {
        return new View(types.typescript(
                authorization.tenant(caller.get(), ref),
                Optional.ofNullable(schemas).map(TypeResource::names).orElse(List.of())));
    }

    private static List<String> names(String schemas) {
        return Arrays.stream(schemas.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
