package svc.auth.rows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CompileTimeConstant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.auth.http.AuthErrorCode;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.json.ForeignJson;
import svc.platform.tenancy.Tenant;
import svc.postgres.Setting;
import svc.postgres.flush.TransactionSteps;

/**
 * A database session on one project's auth schema with an open transaction. The result of each statement is one row of one
 * column, JSON or null.
 *
 * <p>Hazard: tenants' triggers on users run in these statements, as the project's own {@code system} login. Names here are
 * qualified, and settings are sent again with each statement, so that a trigger cannot change them for the next one.
 * pg_temp stands last in the path: left out, it would come first, and a trigger's temporary table would be a type's name.
 */
public final class AuthSession {
    private static final ObjectMapper JSON = ForeignJson.mapper();

    private static final SqlTemplate REQUEST_TABLES =
            SqlTemplate.of("SELECT to_jsonb(w)::text FROM svc_statements.request_service(:'service') w");
    private static final SqlTemplate COMPLETE =
            SqlTemplate.of("SELECT to_jsonb(to_regclass(:'table') IS NOT NULL)::text");

    private final Tenant tenant;
    private final TransactionSteps steps;
    private final List<Setting> settings;

    public AuthSession(Tenant tenant, TransactionSteps steps) {
        this.tenant = tenant;
        this.steps = steps;
        this.settings = settings(tenant);
    }

    public static List<Setting> settings(Tenant tenant) {
        String path = "pg_catalog, " + tenant.names().auth().name() + ", "
                + tenant.names().schemaName() + ", extensions, pg_temp";
        return List.of(Setting.of("search_path", path), Setting.of("timezone", "UTC"));
    }

    /** Requests the tables of a service from the operator. */
    boolean requestTables(@CompileTimeConstant final String service) {
        ask(REQUEST_TABLES.bind(Map.of("service", Literal.of(service))));
        return true;
    }

    /** Whether the operator has created all tables: it creates them in one transaction, so one of them is enough. */
    boolean complete() {
        String last =
                tenant.names().auth().dot(Identifier.of("audit_log_entries")).sql();
        return ask(COMPLETE.bind(Map.of("table", Literal.of(last))))
                .orElseThrow()
                .booleanValue();
    }

    /** Binds the name of the auth schema to the placeholder {@code auth}. */
    // Hazard: the driver takes no null for a bind; statements say nullif(?, '') instead.
    public Optional<JsonNode> ask(SqlTemplate statement, String... binds) {
        return ask(statement.bind(Map.of("auth", tenant.names().auth())), binds);
    }

    public Optional<JsonNode> ask(SqlFragment statement, String... binds) {
        return steps.run(settings, List.of(), statement, List.of(binds)).text(0).map(AuthSession::read);
    }

    /** The query within this transaction. */
    public <T> Optional<T> ask(AuthQuery<T> query) {
        return ask(query.statement(), query.binds().toArray(String[]::new)).map(query.mapping());
    }

    public Tenant tenant() {
        return tenant;
    }

    public static ArrayNode array() {
        return JSON.createArrayNode();
    }

    public static ObjectNode object() {
        return JSON.createObjectNode();
    }

    static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            // A trigger of the project may have put anything into a row: endless keys, a thousand levels.
            throw AuthErrorCode.UNPROCESSABLE
                    .error("The row of a user cannot be read")
                    .withDetail(e.getOriginalMessage());
        }
    }
}
