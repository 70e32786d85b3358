package svc.management.migration;

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
import java.util.regex.Pattern;
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

/** Answers the history of migrations: {@code /v1/projects/{ref}/database/migrations}. */
@Path("/v1/projects/{ref}")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found, migration_not_found")
public class MigrationHistoryResource {
    private static final int MAX_LIMIT = 1000;
    private static final int USUAL = 100;
    private static final Pattern VERSION = Pattern.compile("\\d{14}");

    private final SqlAuthorization entrance;
    private final Migrations migrations;
    private final MigrationHistory history;
    private final CurrentPrincipal caller;
    private final String baseUrl;

    MigrationHistoryResource(
            SqlAuthorization entrance,
            Migrations migrations,
            MigrationHistory history,
            CurrentPrincipal caller,
            ApiConfig config) {
        this.entrance = entrance;
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
            summary = "The migrations of the project, in the order of their versions",
            description = "When there are more, the header Link leads to the next page.")
    @APIResponse(
            responseCode = "200",
            description = "The migrations, without their text",
            content = @Content(schema = @Schema(type = SchemaType.ARRAY, implementation = MigrationViews.View.class)))
    public Response list(
            @PathParam("ref") String ref,
            @Parameter(
                            description = "Most migrations of the answer, 1 to 1000; 100 when left out",
                            schema = @Schema(implementation = Integer.class))
                    @QueryParam("limit")
                    String limit,
            @Parameter(description = "Only versions behind this one") @QueryParam("cursor") String cursor) {
        int most =
                Optional.ofNullable(limit).map(MigrationHistoryResource::limit).orElse(USUAL);
        String after = Optional.ofNullable(cursor)
                .map(MigrationHistoryResource::cursor)
                .orElse("");
        Tenant tenant = entrance.tenant(caller.get(), ref);
        List<Migration> rows = history.page(tenant.projectId(), after, most + 1);
        Response.ResponseBuilder answer =
                Response.ok(migrations.known(tenant, rows.subList(0, Math.min(most, rows.size()))).stream()
                        .map(MigrationViews::of)
                        .toList());
        if (rows.size() > most) {
            answer.header(
                    HttpHeaders.LINK,
                    "<" + baseUrl + "/projects/" + tenant.ref() + "/database/migrations?limit=" + most + "&cursor="
                            + rows.get(most - 1).version() + ">; rel=\"next\"");
        }
        return answer.build();
    }

    @GET
    @Path("/database/migrations/{version}")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(operationId = "v1-get-a-migration", summary = "One migration, with its text")
    public MigrationViews.View get(@PathParam("ref") String ref, @PathParam("version") String version) {
        Tenant tenant = entrance.tenant(caller.get(), ref);
        return Optional.of(version)
                .filter(text -> VERSION.matcher(text).matches())
                .flatMap(text -> migrations.find(tenant, text))
                .map(known -> MigrationViews.withText(known, history.text(tenant.projectId(), version)))
                .orElseThrow(() -> MigrationProblems.notFound(version).asException());
    }

    private static int limit(String text) {
        if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX_LIMIT) {
            throw Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter limit does not fit.")
                    .withHint("It is a whole number from 1 to " + MAX_LIMIT + ".")
                    .asException();
        }
        return Integer.parseInt(text);
    }

    private static String cursor(String text) {
        if (!VERSION.matcher(text).matches()) {
            throw Problem.of(ProblemCode.INVALID_PARAMETER, "The parameter cursor is no version.")
                    .withHint("Follow the header Link of the page before, or leave it out for the first page.")
                    .asException();
        }
        return text;
    }
}
