package svc.management.migration;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.idempotency.KeyedByResource;
import svc.management.json.Body;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlAuthorization;
import svc.management.query.SqlBudget;
import svc.management.query.SqlCalls;
import svc.management.token.CurrentPrincipal;
import svc.management.token.WithoutToken;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * Applies migrations: {@code /v1/projects/{ref}/database/migrations} and {@code
 * /api/projects/{ref}/migrate/service-role}.
 */
@Path("/v1/projects/{ref}")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "400", description = "As POST /database/query, and invalid_body for a name or version")
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …, service_key_invalid")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found, migration_not_found")
@APIResponse(
        responseCode = "409",
        description = "migration_exists, migration_changed, migration_running, migration_state_unknown")
@APIResponse(responseCode = "422", description = "idempotency_key_reused")
@APIResponse(responseCode = "429", description = "rate_limit_exceeded, with Retry-After")
public class MigrationResource {
    /** Header of a replayed response: an earlier call applied the migration, and nothing ran now. */
    static final String REPLAYED = "Idempotency-Replayed";

    private static final String KEY = "Idempotency-Key";
    private static final String FOLDER =
            " A folder (migrations, or an array of its files) is applied by version, each file as a migration of its own, up to"
                    + " the first that fails; files that are applied already are left out, and the problem of a file says in"
                    + " migrations what became of each.";
    private static final String DESCRIPTION =
            "The script is applied and recorded as a whole, or not at all. With an Idempotency-Key the same call may be sent"
                    + " again and is applied once. With dry_run everything runs and is rolled back."
                    + FOLDER;
    private static final String APPLIED = "The migration, or with dry_run the commands that would have run";

    private final SqlAuthorization authorization;
    private final Migrations migrations;
    private final MigrationFolders folders;
    private final MigrationRepair repair;
    private final SqlCalls calls;
    private final CurrentPrincipal caller;

    MigrationResource(
            SqlAuthorization authorization,
            Migrations migrations,
            MigrationFolders folders,
            MigrationRepair repair,
            SqlCalls calls,
            CurrentPrincipal caller) {
        this.authorization = authorization;
        this.migrations = migrations;
        this.folders = folders;
        this.repair = repair;
        this.calls = calls;
        this.caller = caller;
    }

    @POST
    @Path("/database/migrations")
    @Operation(
            operationId = "v1-apply-a-migration",
            summary = "Apply a migration once and record it",
            description = DESCRIPTION)
    @Parameter(name = KEY, in = ParameterIn.HEADER, description = "Identifies the call: a retry is not applied again")
    @APIResponse(
            responseCode = "200",
            description = APPLIED,
            content =
                    @Content(
                            schema =
                                    @Schema(
                                            oneOf = {
                                                MigrationViews.View.class,
                                                MigrationViews.DryRun.class,
                                                MigrationViews.Folder.class
                                            })))
    @KeyedByResource(because = "the history of migrations has the key")
    public Response apply(@PathParam("ref") String ref, MigrationBody body, RoutingContext context) {
        return apply(
                authorization.byToken(caller.get(), ref, MigrationBody.text(body), context),
                body,
                Response.Status.OK,
                context);
    }

    @PUT
    @Path("/database/migrations")
    @Operation(
            operationId = "v1-upsert-a-migration",
            summary = "Record migrations as applied without running them",
            description =
                    "For a database that has their objects already. One migration, without a version under the time of the"
                            + " call, or a folder; what is in the history with the same text is left as it is, but for a"
                            + " rollback that is sent. Without a version each call records another.")
    @APIResponse(responseCode = "200", description = "What became of each, by version")
    public MigrationViews.Folder record(@PathParam("ref") String ref, MigrationBody body, RoutingContext context) {
        AuthorizedCall authorized = authorization.byToken(caller.get(), ref, MigrationBody.text(body), context);
        if (Boolean.TRUE.equals(Body.required(body).dryRun())) {
            throw Problem.of(ProblemCode.INVALID_BODY, "Nothing runs, so there is no dry_run.")
                    .withError("/dry_run", "is not allowed here")
                    .asException();
        }
        MigrationText.storable(MigrationBody.text(body), body.isFolder() ? "/migrations" : "/query");
        if (!body.isFolder() && body.version() == null) {
            MigrationRequest file = MigrationRequest.of(body, null);
            authorization.count(authorized, SqlBudget.MIGRATIONS, context);
            return new MigrationViews.Folder(List.of(repair.record(authorized, file)));
        }
        MigrationFolder folder =
                body.isFolder() ? MigrationFolder.of(body) : MigrationFolder.ofOne(MigrationRequest.of(body, null));
        authorization.count(authorized, SqlBudget.MIGRATIONS, context);
        return new MigrationViews.Folder(repair.record(authorized, folder));
    }

    @PATCH
    @Path("/database/migrations/{version}")
    @Operation(
            operationId = "v1-patch-a-migration",
            summary = "Change the name of an applied migration, or what undoes it",
            description = "Its version and its SQL stay as they were applied.")
    @APIResponse(responseCode = "200", description = "The migration")
    public MigrationViews.View change(
            @PathParam("ref") String ref,
            @PathParam("version") String version,
            MigrationChange body,
            RoutingContext context) {
        AuthorizedCall authorized = authorization.byToken(caller.get(), ref, "", context);
        MigrationChange.check(body);
        authorization.count(authorized, SqlBudget.MIGRATIONS, context);
        return repair.change(authorized, version, body);
    }

    @POST
    @Path("/database/migrations/repair")
    @Operation(
            operationId = "repairMigrationHistory",
            summary = "Record versions as applied, or forget them, without running anything",
            description = "As migration repair --status applied|reverted of Supabase's command line.")
    @APIResponse(responseCode = "200", description = "What became of each version")
    public MigrationViews.Folder repair(@PathParam("ref") String ref, RepairBody body, RoutingContext context) {
        AuthorizedCall authorized = authorization.byToken(caller.get(), ref, "", context);
        RepairBody.check(body);
        authorization.count(authorized, SqlBudget.MIGRATIONS, context);
        return new MigrationViews.Folder(
                body.isRevert()
                        ? repair.reverted(authorized, body.versions())
                        : repair.applied(authorized, body.versions()));
    }

    @POST
    @Path("/migrate/service-role")
    @WithoutToken(
            because = "the project's service-role key, or a token with database_query, checked by SqlAuthorization")
    @Operation(
            operationId = "migrateServiceRole",
            summary = "Apply a migration with the service-role key of the project, or with a token that may run SQL",
            description = DESCRIPTION)
    @Parameter(name = KEY, in = ParameterIn.HEADER, description = "Identifies the call: a retry is not applied again")
    @APIResponse(
            responseCode = "201",
            description = APPLIED,
            content =
                    @Content(
                            schema =
                                    @Schema(
                                            oneOf = {
                                                MigrationViews.View.class,
                                                MigrationViews.DryRun.class,
                                                MigrationViews.Folder.class
                                            })))
    @KeyedByResource(because = "the history of migrations has the key")
    public Response applyAsServiceRole(@PathParam("ref") String ref, MigrationBody body, RoutingContext context) {
        return apply(
                authorization.byServiceKeyOrToken(ref, MigrationBody.text(body), context),
                body,
                Response.Status.CREATED,
                context);
    }

    private Response apply(
            AuthorizedCall authorized, MigrationBody body, Response.Status done, RoutingContext context) {
        if (body != null && body.isFolder()) {
            MigrationFolder folder = MigrationFolder.of(body);
            authorization.count(authorized, SqlBudget.MIGRATIONS, context);
            return Response.status(done)
                    .entity(new MigrationViews.Folder(folders.apply(authorized, folder)))
                    .build();
        }
        // Not a method parameter: the framework drops a header without a value, whose sender relies on its key.
        MigrationRequest request = MigrationRequest.of(body, context.request().getHeader(KEY));
        authorization.count(authorized, SqlBudget.MIGRATIONS, context);
        return switch (migrations.apply(authorized, request, calls.longest())) {
            case Migrations.Result.Applied applied ->
                Response.status(done)
                        .entity(MigrationViews.applied(applied.migration()))
                        .build();
            case Migrations.Result.Replayed replayed ->
                Response.status(done)
                        .header(REPLAYED, "true")
                        .entity(MigrationViews.applied(replayed.migration()))
                        .build();
            case Migrations.Result.DryRun would ->
                Response.status(done)
                        .entity(new MigrationViews.DryRun(
                                true, would.version(), request.name().orElse(null), would.commands()))
                        .build();
        };
    }
}
