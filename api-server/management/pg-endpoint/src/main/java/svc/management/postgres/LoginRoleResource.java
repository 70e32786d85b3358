package svc.management.postgres;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.database.name.SupabaseRef;
import svc.management.query.SqlAuthorization;
import svc.management.supabase.SupabaseShape;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.config.ApiConfig;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.Tenant;

/** How clients of PostgreSQL reach a project, as Supabase's Management API has it. */
@Path("/v1/projects/{ref}")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found; not_enabled if the PostgreSQL endpoint is off")
public class LoginRoleResource {
    private final SqlAuthorization authorization;
    private final LoginRoles roles;
    private final PostgresEndpoint endpoint;
    private final PostgresEndpointConfig config;
    private final ApiConfig api;
    private final CurrentPrincipal caller;

    LoginRoleResource(
            SqlAuthorization authorization,
            LoginRoles roles,
            PostgresEndpoint endpoint,
            PostgresEndpointConfig config,
            ApiConfig api,
            CurrentPrincipal caller) {
        this.authorization = authorization;
        this.roles = roles;
        this.endpoint = endpoint;
        this.config = config;
        this.api = api;
        this.caller = caller;
    }

    /** @param readOnly whether the role may only read */
    public record LoginRoleBody(@JsonProperty("read_only") Boolean readOnly) {}

    /**
     * @param role the user's name, in front of a dot and the ref
     * @param password shown once
     */
    public record LoginRole(
            String role,
            String password,
            @JsonProperty("ttl_seconds") long ttlSeconds) {}

    /**
     * A way to the database, under the names of Supabase's connection pooler. Its command line ignores an answer that lacks
     * one of them.
     *
     * @param connectionStringOfOldClients the same as {@code connectionString}
     * @param defaultPoolSize always null: no connection is kept for a client
     * @param maxClientConn connections of the project at a time
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Pooler(
            String identifier,
            @JsonProperty("database_type") String databaseType,
            @JsonProperty("is_using_scram_auth") boolean isUsingScramAuth,
            @JsonProperty("db_user") String dbUser,
            @JsonProperty("db_host") String dbHost,
            @JsonProperty("db_port") int dbPort,
            @JsonProperty("db_name") String dbName,
            @JsonProperty("connection_string") String connectionString,
            @JsonProperty("connectionString") String connectionStringOfOldClients,

            @Schema(nullable = true) @JsonProperty("default_pool_size")
            Integer defaultPoolSize,

            @JsonProperty("max_client_conn") int maxClientConn,
            @JsonProperty("pool_mode") String poolMode)
            implements SupabaseShape {
        static Pooler of(String ref, String host, int port, int connections) {
            String user = SignIn.OWNER + "." + ref;
            String address = "postgresql://" + user + ":[YOUR-PASSWORD]@" + host + ":" + port + "/postgres";
            return new Pooler(
                    ref,
                    "PRIMARY",
                    false,
                    user,
                    host,
                    port,
                    "postgres",
                    address,
                    address,
                    null,
                    connections,
                    "session");
        }

        /** Supabase's command line takes the address only if its user ends in the ref that it knows. */
        @Override
        public Pooler forSupabase(Deployment deployment) {
            return of(SupabaseRef.of(identifier), dbHost, dbPort, maxClientConn);
        }
    }

    @POST
    @Path("/cli/login-role")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-create-login-role",
            summary = "Create a password for the PostgreSQL endpoint that ends after some minutes",
            description = "It ends earlier with the token of this call, and works at this endpoint alone.")
    @APIResponse(
            responseCode = "201",
            description = "The role and its password",
            content = @Content(schema = @Schema(implementation = LoginRole.class)))
    public Response create(@PathParam("ref") String ref, LoginRoleBody body) {
        Tenant tenant = authorization.tenant(caller.get(), ref);
        requireOn();
        boolean readOnly = body != null && Boolean.TRUE.equals(body.readOnly());
        return Response.status(Response.Status.CREATED)
                .entity(new LoginRole(
                        SignIn.role(readOnly),
                        roles.issue(tenant, caller.get(), readOnly),
                        roles.lifetime().toSeconds()))
                .build();
    }

    /** @param message {@code ok} */
    @Schema(name = "DeleteRolesResponse")
    public record LoginRolesDeleted(String message) {}

    @DELETE
    @Path("/cli/login-role")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-delete-login-roles",
            summary = "Confirm that no role is kept for the passwords of the PostgreSQL endpoint",
            description =
                    "Nothing is stored of them, so there is nothing to delete: a password ends after its ttl_seconds,"
                            + " and at once when its token is revoked.")
    @APIResponse(responseCode = "200", description = "There is no role")
    public LoginRolesDeleted delete(@PathParam("ref") String ref) {
        authorization.tenant(caller.get(), ref);
        requireOn();
        return new LoginRolesDeleted("ok");
    }

    @GET
    @Path("/config/database/pooler")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(operationId = "v1-get-pooler-config", summary = "Get where clients of PostgreSQL connect")
    @APIResponse(responseCode = "200", description = "One entry: the PostgreSQL endpoint")
    public List<Pooler> pooler(@PathParam("ref") String ref) {
        Tenant tenant = authorization.tenant(caller.get(), ref);
        requireOn();
        String host = config.publicHost().orElse(api.hosts().domain());
        int port = config.publicPort().orElseGet(endpoint::port);
        return List.of(Pooler.of(tenant.ref(), host, port, config.perProject()));
    }

    private void requireOn() {
        if (!endpoint.on()) {
            throw Problem.of(ProblemCode.NOT_ENABLED, "This installation has no endpoint for clients of PostgreSQL.")
                    .withHint(
                            "Apply migrations with svc db push or POST /v1/projects/{ref}/database/migrations, run SQL"
                                    + " with POST /v1/projects/{ref}/database/query.")
                    .asException();
        }
    }
}
