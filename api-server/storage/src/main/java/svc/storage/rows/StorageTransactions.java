package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import svc.database.name.DatabaseRole;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.database.sql.SqlValue;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.flush.Flush;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/**
 * Transactions on a project's storage schema, each one statement with one result, JSON or null. Whether a caller may do
 * something is always asked of PostgreSQL, by a statement of the caller's own role.
 *
 * <p>Hazard: tenants' triggers on these tables run in the statements, of which some are of the project's {@code system}
 * login. Names are qualified.
 */
public final class StorageTransactions {
    /** Waits for the operator to prepare the tables, which takes it a tenth of a second. */
    private static final RetryPolicy PROVISIONING = RetryPolicy.untilSuccess()
            .withDelay(Duration.ofMillis(25))
            .withTimeout(Duration.ofSeconds(8))
            .retryOn(failure -> false);

    private static final SqlTemplate REQUEST_TABLES =
            SqlTemplate.of("SELECT to_jsonb(w)::text FROM svc_statements.request_service('storage') w");
    private static final SqlTemplate PREPARED =
            SqlTemplate.of("SELECT to_jsonb(to_regclass(:'index') IS NOT NULL)::text");
    private static final String COOKIE = "cookie";
    private static final String AUTHORIZATION = "authorization";
    private static final String API_KEY = "apikey";
    private static final String SESSION_TOKEN = "x-amz-security-token";

    private static final int REMEMBERED = 10_000;

    /** Made with the others of the service, in one transaction. */
    static final String LAST_TABLE = "object_versions";

    private final TenantTransactions transactions;
    private final Consumer<Tenant> queued;
    private final Cache<UUID, Tenant> seen =
            Caffeine.newBuilder().maximumSize(REMEMBERED).build();

    public StorageTransactions(TenantTransactions transactions) {
        this(transactions, tenant -> {});
    }

    /** @param queued called after a commit that may have queued events for webhooks; returns at once */
    public StorageTransactions(TenantTransactions transactions, Consumer<Tenant> queued) {
        this.transactions = transactions;
        this.queued = queued;
    }

    /** Runs a statement with the caller's rights. */
    public Optional<JsonNode> asCaller(StorageCall call, Access access, SqlTemplate statement, String... binds) {
        return asCaller(call, access, bound(call, statement, Map.of()), binds);
    }

    Optional<JsonNode> asCaller(StorageCall call, Access access, SqlFragment statement, String... binds) {
        return textAsCaller(call, access, statement, binds).map(AnswerTree::of);
    }

    /** The same for an answer that is sent as it is. */
    Optional<String> textAsCaller(StorageCall call, Access access, SqlFragment statement, String... binds) {
        return caller(call, access, new TransactionEnd.Commit(), statement, binds);
    }

    /** Begins a statement with the caller's rights. Does not block; fails as {@link #asCaller} does. */
    CompletableFuture<Optional<JsonNode>> startAsCaller(StorageCall call, SqlFragment statement, String... binds) {
        return start(
                call.tenant(),
                call.caller().login(),
                new Flush(Access.READ, callerSettings(call), statement, List.of(binds), new TransactionEnd.Commit()));
    }

    /**
     * Begins a statement past policies that only reads. Does not block. It runs no code of the tenant's, and so has no
     * settings that such code could read.
     */
    CompletableFuture<Optional<JsonNode>> startAsSystem(StorageCall call, SqlFragment statement, String... binds) {
        return start(
                call.tenant(),
                DatabaseRole.SYSTEM,
                new Flush(Access.READ, system(call.tenant()), statement, List.of(binds), new TransactionEnd.Commit()));
    }

    private CompletableFuture<Optional<JsonNode>> start(Tenant tenant, DatabaseRole login, Flush flush) {
        return transactions
                .start(tenant, login, flush)
                .row()
                .thenApply(row -> row.text(0).map(AnswerTree::of));
    }

    /** Whether the caller may do this: it is done with its rights, and undone. */
    public void tryAsCaller(StorageCall call, SqlTemplate statement, String... binds) {
        caller(call, Access.WRITE, new TransactionEnd.Rollback(), bound(call, statement, Map.of()), binds);
    }

    private Optional<String> caller(
            StorageCall call, Access access, TransactionEnd end, SqlFragment statement, String... binds) {
        List<Setting> settings = callerSettings(call);
        boolean queues = queues(call.tenant(), access) && end instanceof TransactionEnd.Commit;
        if (queues) {
            settings.add(webhooks(call.tenant()));
        }
        Optional<String> answer = run(call.tenant(), call.caller().login(), access, settings, end, statement, binds);
        if (queues) {
            queued.accept(call.tenant());
        }
        return answer;
    }

    private static List<Setting> callerSettings(StorageCall call) {
        Tenant tenant = call.tenant();
        List<Setting> settings = new ArrayList<>();
        settings.add(Setting.of(
                "search_path", tenant.requestSearchPath(tenant.names().schema())));
        settings.add(Setting.of("role", call.caller().roleName(tenant)));
        settings.addAll(request(call));
        return settings;
    }

    /** Runs a statement past policies: for what the caller's right has been found for, and what is public. */
    public Optional<JsonNode> asSystem(StorageCall call, Access access, SqlTemplate statement, String... binds) {
        return asSystem(call, access, bound(call, statement, Map.of()), binds);
    }

    Optional<JsonNode> asSystem(StorageCall call, Access access, SqlFragment statement, String... binds) {
        List<Setting> settings = new ArrayList<>(system(call.tenant()));
        settings.addAll(request(call));
        boolean queues = queues(call.tenant(), access);
        if (queues) {
            settings.add(webhooks(call.tenant()));
        }
        Optional<String> answer = run(
                call.tenant(), DatabaseRole.SYSTEM, access, settings, new TransactionEnd.Commit(), statement, binds);
        if (queues) {
            queued.accept(call.tenant());
        }
        return answer.map(AnswerTree::of);
    }

    private static boolean queues(Tenant tenant, Access access) {
        return access == Access.WRITE && !tenant.storage().webhooks().isEmpty();
    }

    /** What the trigger queues events by. */
    private static Setting webhooks(Tenant tenant) {
        return Setting.of("storage.webhooks", EventRows.filters(tenant.storage().webhooks()));
    }

    /** The same without a request. */
    public Optional<JsonNode> asSystem(Tenant tenant, Access access, SqlTemplate statement, String... binds) {
        return run(
                        tenant,
                        DatabaseRole.SYSTEM,
                        access,
                        system(tenant),
                        new TransactionEnd.Commit(),
                        bound(tenant, statement, Map.of()),
                        binds)
                .map(AnswerTree::of);
    }

    /**
     * Waits until the project's tables can take files, which the operator prepares at the first use.
     *
     * @throws StorageError when that takes too long
     */
    public void prepare(Tenant tenant) {
        prepare(tenant, LAST_TABLE);
    }

    /**
     * The same, until a table or an index is there that projects of earlier versions have not.
     *
     * @param relation in the storage schema, a name without quotes
     */
    public void prepare(Tenant tenant, String relation) {
        asSystem(tenant, Access.WRITE, REQUEST_TABLES);
        try {
            if (!PROVISIONING.callUntil(() -> isPrepared(tenant, relation), prepared -> prepared)) {
                throw StorageError.databaseUnavailable();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StorageError.databaseUnavailable();
        }
    }

    /** A project that had a transaction here lately: for work beside a call, which knows the id alone. */
    Optional<Tenant> seen(UUID projectId) {
        return Optional.ofNullable(seen.getIfPresent(projectId));
    }

    /** Whether a table or an index of the storage schema is there. */
    boolean isPrepared(Tenant tenant, String relation) {
        String index = tenant.names().storage().sql() + "." + relation;
        return run(
                        tenant,
                        DatabaseRole.SYSTEM,
                        Access.READ,
                        system(tenant),
                        new TransactionEnd.Commit(),
                        PREPARED.bind(Map.of("index", Literal.of(index))),
                        new String[0])
                .orElseThrow()
                .equals("true");
    }

    private Optional<String> run(
            Tenant tenant,
            DatabaseRole login,
            Access access,
            List<Setting> settings,
            TransactionEnd end,
            SqlFragment statement,
            String[] binds) {
        seen.put(tenant.projectId(), tenant);
        return transactions
                .run(tenant, login, new Flush(access, settings, statement, List.of(binds), end))
                .text(0);
    }

    /** Fills in the storage schema, and other parts of the statement. */
    static SqlFragment bound(StorageCall call, SqlTemplate statement, Map<String, SqlFragment> parts) {
        return bound(call.tenant(), statement, parts);
    }

    private static SqlFragment bound(Tenant tenant, SqlTemplate statement, Map<String, SqlFragment> parts) {
        Map<String, SqlValue> values = new HashMap<>(parts);
        if (statement.places().contains("storage")) {
            values.put("storage", tenant.names().storage());
        }
        return statement.bind(values);
    }

    private static List<Setting> system(Tenant tenant) {
        String path = "pg_catalog, " + tenant.names().storage().name() + ", "
                + tenant.names().schemaName() + ", extensions";
        return List.of(Setting.of("search_path", path));
    }

    /** What policies and triggers read, under Supabase's names. */
    private static List<Setting> request(StorageCall call) {
        return List.of(
                Setting.of("timezone", "UTC"),
                Setting.of("request.jwt.claims", call.caller().claims()),
                Setting.of("request.method", call.request().method().name()),
                Setting.of("request.path", "/storage/v1" + call.exchange().path()),
                Setting.of("request.headers", headers(call)),
                Setting.of("storage.operation", call.operation()),
                Setting.of("storage.allow_delete_query", "true"));
    }

    /** One value per name, in lower case; without credentials, which policies have no use for. */
    private static String headers(StorageCall call) {
        Map<String, String> headers = new LinkedHashMap<>();
        call.request().headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
        headers.remove(COOKIE);
        headers.remove(AUTHORIZATION);
        headers.remove(API_KEY);
        headers.remove(SESSION_TOKEN);
        var json = StorageCall.newObject();
        headers.forEach(json::put);
        return json.toString();
    }
}
