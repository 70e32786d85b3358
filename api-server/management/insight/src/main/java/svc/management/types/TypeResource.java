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
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.query.SqlAuthorization;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.management.types.ProjectTypes.Language;
import svc.platform.tenancy.Tenant;

/** {@code /v1/projects/{ref}/types/…}: the types of the database in the languages of client libraries. */
@Path("/v1/projects/{ref}/types")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "400", description = "invalid_parameter: the project has no such schema")
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found")
public class TypeResource {
    private static final String SCHEMAS =
            "Schemas, separated by commas, by the names that applications use; those that the"
                    + " REST API serves if omitted";

    private final SqlAuthorization authorization;
    private final ProjectTypes types;
    private final CurrentPrincipal caller;

    TypeResource(SqlAuthorization authorization, ProjectTypes types, CurrentPrincipal caller) {
        this.authorization = authorization;
        this.types = types;
        this.caller = caller;
    }

    /** @param types the text of a module */
    @Schema(name = "GeneratedTypesResponse")
    public record View(String types) {}

    @GET
    @Path("/typescript")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-generate-typescript-types",
            summary = "Generate the TypeScript types of the database, for createClient<Database>")
    @APIResponse(responseCode = "200", description = "The types")
    public View typescript(
            @PathParam("ref") String ref,
            @Parameter(description = SCHEMAS, example = "public") @QueryParam("included_schemas") String schemas) {
        return new View(types.typescript(tenant(ref), names(schemas)));
    }

    @GET
    @Path("/go")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-generate-go-types",
            summary = "Generate the structs of rows, inserts and updates in Go")
    @APIResponse(responseCode = "200", description = "The types")
    public View go(
            @PathParam("ref") String ref,
            @Parameter(description = SCHEMAS, example = "public") @QueryParam("included_schemas") String schemas) {
        return generated(Language.GO, ref, schemas);
    }

    @GET
    @Path("/swift")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-generate-swift-types",
            summary = "Generate the structs of rows, inserts and updates in Swift")
    @APIResponse(responseCode = "200", description = "The types")
    public View swift(
            @PathParam("ref") String ref,
            @Parameter(description = SCHEMAS, example = "public") @QueryParam("included_schemas") String schemas) {
        return generated(Language.SWIFT, ref, schemas);
    }

    @GET
    @Path("/python")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-generate-python-types",
            summary = "Generate the classes of rows, inserts and updates in Python, for pydantic")
    @APIResponse(responseCode = "200", description = "The types")
    public View python(
            @PathParam("ref") String ref,
            @Parameter(description = SCHEMAS, example = "public") @QueryParam("included_schemas") String schemas) {
        return generated(Language.PYTHON, ref, schemas);
    }

    private View generated(Language language, String ref, String schemas) {
        return new View(types.of(language, tenant(ref), names(schemas)));
    }

    private Tenant tenant(String ref) {
        return authorization.tenant(caller.get(), ref);
    }

    private static List<String> names(String schemas) {
        return Stream.ofNullable(schemas)
                .flatMap(list -> Arrays.stream(list.split(",")))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
