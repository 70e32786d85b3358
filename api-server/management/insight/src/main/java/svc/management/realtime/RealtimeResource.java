package svc.management.realtime;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;
import svc.management.json.Body;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlAuthorization;
import svc.management.query.SqlBudget;
import svc.management.query.SqlCalls;
import svc.management.token.CurrentPrincipal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.TransactionListener;

/**
 * {@code /v1/projects/{ref}/realtime}: the tables whose changes subscribers may get. Each call is SQL of the project's owner,
 * through the gate, counted and audited as such: it can do nothing that the SQL endpoint could not.
 */
@Path("/v1/projects/{ref}/realtime")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "200", description = "The published tables")
@APIResponse(responseCode = "400", description = "sql_error: a table does not exist; invalid_body, malformed_json")
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found")
@APIResponse(responseCode = "429", description = "rate_limit_exceeded, with Retry-After")
@APIResponse(responseCode = "503", description = "audit_unavailable, unavailable: nothing was applied")
public class RealtimeResource {
    private static final int MAX_TABLES = 1000;
    private static final Duration TIME = Duration.ofSeconds(10);

    private static final SqlFragment LIST = SqlFragment.of(
            "select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by tablename");
    private static final SqlFragment SET = SqlFragment.of("alter publication supabase_realtime set table ");
    private static final SqlFragment DROP = SqlFragment.of("alter publication supabase_realtime drop table ");

    private final SqlAuthorization authorization;
    private final SqlCalls calls;
    private final CurrentPrincipal caller;
    private final RealtimeActivities activities;

    RealtimeResource(
            SqlAuthorization authorization, SqlCalls calls, CurrentPrincipal caller, RealtimeActivities activities) {
        this.authorization = authorization;
        this.calls = calls;
        this.caller = caller;
        this.activities = activities;
    }

    /**
     * The body of a change, and the answer.
     *
     * @param publishedTables of the main schema, by name
     */
    @Schema(name = "RealtimePublication")
    public record Realtime(
            @Schema(
                    description = "Tables of the main schema whose changes are published, as in the publication"
                            + " supabase_realtime",
                    examples = "[\"todos\"]")
            @JsonProperty("published_tables")
            List<String> publishedTables) {}

    @GET
    @Operation(
            operationId = "v1-get-realtime",
            summary = "Show the tables whose changes subscribers may get, and what clients have open")
    public RealtimeStatus get(@PathParam("ref") String ref, @Context RoutingContext context) {
        AuthorizedCall call = authorization.byToken(caller.get(), ref, LIST.sql(), context);
        authorization.count(call, SqlBudget.MIGRATIONS, context);
        return RealtimeStatus.of(tables(call), activities.of(call.tenant().projectId()));
    }

    @PUT
    @Operation(
            operationId = "v1-update-realtime",
            summary = "Set the tables whose changes subscribers may get; it takes effect within two seconds")
    public Realtime put(@PathParam("ref") String ref, Realtime body, RoutingContext context) {
        AuthorizedCall call = authorization.byToken(caller.get(), ref, LIST.sql(), context);
        List<Identifier> wanted =
                identifiers(Body.required(Body.required(body).publishedTables(), "/published_tables"));
        authorization.count(call, SqlBudget.MIGRATIONS, context);
        if (!wanted.isEmpty()) {
            run(call, SET.append(SqlFragment.join(", ", wanted)));
        } else {
            List<Identifier> now = tables(call).stream().map(Identifier::of).toList();
            if (!now.isEmpty()) {
                run(call, DROP.append(SqlFragment.join(", ", now)));
            }
        }
        return new Realtime(tables(call));
    }

    private static List<Identifier> identifiers(List<String> names) {
        if (names.size() > MAX_TABLES || names.stream().anyMatch(name -> name == null || !Identifier.fits(name))) {
            throw Problem.of(ProblemCode.INVALID_BODY, "The field /published_tables is not a list of table names.")
                    .withError("/published_tables", "must be at most " + MAX_TABLES + " names of tables")
                    .asException();
        }
        return names.stream().distinct().map(Identifier::of).toList();
    }

    private void run(AuthorizedCall call, SqlFragment statement) {
        calls.run(call.with(statement.sql()), Mode.TRANSACTION, TIME, TransactionListener.NONE);
    }

    private List<String> tables(AuthorizedCall call) {
        return calls.run(call.with(LIST.sql()), Mode.READ_ONLY, TIME, TransactionListener.NONE).rows().stream()
                .map(ResultRows::rows)
                .flatMap(List::stream)
                .flatMap(row -> Stream.ofNullable(row[0]))
                .map(name -> new String(name, StandardCharsets.UTF_8))
                .toList();
    }
}
