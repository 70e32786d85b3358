package svc.management.migration;

import com.google.re2j.Pattern;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.query.SqlAuthorization;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.config.ApiConfig;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.Tenant;

/** Lists migrations: {@code /v1/projects/{ref}/database/migrations}. */
@Path("/v1/projects/{ref}")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found, migration_not_found")
public class MigrationHistoryResource {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");

    private static final int MAX_LIMIT = 1000;
    private static final int USUAL = 100;

    private final SqlAuthorization authorization;
    private final Migrations migrations;
    private final MigrationHistory history;
    private final CurrentPrincipal caller;
    private final String baseUrl;

    MigrationHistoryResource(
            SqlAuthorization authorization,
            Migrations migrations,
            MigrationHistory history,
            CurrentPrincipal caller,
            ApiConfig config) {
        this.authorization = authorization;
        this.migrations = migrations;
        this.history = history;
        this.caller = caller;
        this.baseUrl = config.hosts().baseUrl();
    }

    @GET
    @Path("/database/migrations")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-list-migration-history",
            summary = "List the migrations of the project by version",
            description = "The header Link refers to the next page, if there is one.")
    @APIResponse(
            responseCode = "200",
            description = "The migrations without their SQL",
            content = @Content(schema = @Schema(type = SchemaType.ARRAY, implementation = MigrationViews.View.class)))
    public Response list(
            @PathParam("ref") String ref,
            @Parameter(
                            description = "Maximum number of migrations to return, 1 to 1000 (default 100)",
                            schema = @Schema(implementation = Integer.class))
                    @QueryParam("limit")
                    String limit,
            @Parameter(description = "Only versions after this one") @QueryParam("cursor") String cursor) {
        int max =
                Optional.ofNullable(limit).map(MigrationHistoryResource::limit).orElse(USUAL);
        String after = Optional.ofNullable(cursor)
                .map(MigrationHistoryResource::cursor)
                .orElse("");
        Tenant tenant = authorization.tenant(caller.get(), ref);
        List<Migration> rows = history.page(tenant.projectId(), after, max + 1);
        Response.ResponseBuilder answer =
                Response.ok(migrations.known(tenant, rows.subList(0, Math.min(max, rows.size()))).stream()
                        .map(MigrationViews::of)
                        .toList());
        if (rows.size() > max) {
            answer.header(
                    HttpHeaders.LINK,
                    "<" + baseUrl + "/projects/" + tenant.ref() + "/database/migrations?limit=" + max + "&cursor="
                            + rows.get(max - 1).version() + ">; rel=\"next\"");
        }
        return answer.build();
    }

    @GET
    @Path("/database/migrations/{version}")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(operationId = "v1-get-a-migration", summary = "Get a migration with its SQL")
    @APIResponse(responseCode = "200", description = "The migration")
    public MigrationViews.View get(@PathParam("ref") String ref, @PathParam("version") String version) {
        Tenant tenant = authorization.tenant(caller.get(), ref);
        return Optional.of(version)
                .filter(MigrationRequest::isVersion)
                .flatMap(text -> migrations.find(tenant, text))
                .map(known -> MigrationViews.withText(
                        known,
                        history.text(tenant.projectId(), version),
                        history.rollback(tenant.projectId(), version)))
                .orElseThrow(() -> MigrationProblems.notFound(version).asException());
    }

    private static int limit(String text) {
        if (!NUMBER.matches(text) || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX_LIMIT) {
            throw Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter limit is invalid.")
                    .withHint("Use an integer from 1 to " + MAX_LIMIT + ".")
                    .asException();
        }
        return Integer.parseInt(text);
    }

    private static String cursor(String text) {
        if (!MigrationRequest.isVersion(text)) {
            throw Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter cursor is not a version.")
                    .withHint("Use the header Link of the previous page, or omit it for the first page.")
                    .asException();
        }
        return text;
    }
}
