package svc.realtime.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import svc.database.name.DatabaseRole;
import svc.database.name.Layout;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.dataplane.Caller;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.postgres.Setting;
import svc.postgres.SqlError;
import svc.postgres.flush.Flush;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.flush.TransactionEnd;
import svc.realtime.message.Broadcast;
import svc.realtime.message.JoinRefused;
import svc.realtime.policy.ChannelPolicies.Extension;
import svc.realtime.policy.ChannelPolicies.Readable;

/**
 * A project's {@code realtime.messages}. Blocks.
 *
 * <p>Which rows a caller may read is asked of rows that exist: a platform function inserts one for each extension, the
 * caller's role selects them, and the transaction is rolled back. Whether it may write is asked by an insert of its own.
 */
public final class MessagesTable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    /** Waits for the operator to prepare the table, which takes it a tenth of a second. */
    private static final RetryPolicy PROVISIONING = RetryPolicy.untilSuccess()
            .withDelay(Duration.ofMillis(25))
            .withTimeout(Duration.ofSeconds(8))
            .retryOn(failure -> false);

    private static final SqlTemplate REQUEST =
            SqlTemplate.of("SELECT to_jsonb(w)::text FROM svc_statements.request_service('realtime') w");
    private static final SqlTemplate PREPARED =
            SqlTemplate.of("SELECT to_jsonb(to_regclass(:'index') IS NOT NULL)::text");

    private static final SqlTemplate PROBE =
            SqlTemplate.of("SELECT svc_statements.probe_messages(:'topic', :'broadcast'::uuid, :'presence'::uuid)");

    private static final SqlTemplate READ = SqlTemplate.of("""
            SELECT jsonb_build_object(
                'broadcast', EXISTS (SELECT FROM :"realtime".messages m WHERE m.id = ?::uuid),
                'presence', EXISTS (SELECT FROM :"realtime".messages m WHERE m.id = ?::uuid))::text""");

    private static final SqlTemplate WRITE = SqlTemplate.of("""
            WITH made AS (
                INSERT INTO :"realtime".messages (id, topic, extension, private)
                VALUES (gen_random_uuid(), ?, ?, true))
            SELECT 'true'""");

    private static final SqlTemplate SINCE = SqlTemplate.of("""
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'event', r.event, 'payload', r.payload::text,
                'binary', encode(r.binary_payload, 'base64')) ORDER BY r.inserted_at, r.id), '[]')::text
            FROM (SELECT m.id, m.event, m.payload, m.binary_payload, m.inserted_at FROM :"realtime".messages m
                WHERE m.topic = ? AND m.private AND m.extension = 'broadcast' AND m.event IS NOT NULL
                    AND (m.payload IS NOT NULL OR m.binary_payload IS NOT NULL)
                    AND m.inserted_at >= timezone('utc', to_timestamp(?::bigint / 1000.0))
                    AND m.inserted_at > timezone('utc', now()) - interval '72 hours'
                ORDER BY m.inserted_at DESC, m.id DESC LIMIT ?::bigint) r""");

    private static final SqlTemplate SWEEP = SqlTemplate.of("""
            WITH old AS (
                SELECT m.id FROM :"realtime".messages m
                WHERE m.inserted_at < timezone('utc', now()) - ?::bigint * interval '1 second' LIMIT ?::bigint
            ), gone AS (DELETE FROM :"realtime".messages m USING old o WHERE m.id = o.id RETURNING 1)
            SELECT count(*)::text FROM gone""");

    private static final SqlTemplate PUBLISH =
            SqlTemplate.of("SELECT to_jsonb(w)::text FROM svc_statements.publish_messages() w");

    private final TenantTransactions transactions;
    private final TenantTransactions background;
    private final Set<UUID> prepared = ConcurrentHashMap.newKeySet();
    private final Set<UUID> used = ConcurrentHashMap.newKeySet();

    public MessagesTable(TenantTransactions transactions) {
        this.transactions = transactions;
        this.background = transactions.inBackground();
    }

    /** At a project's first use of the service: lets callers write to the table, and has its rows sent on. */
    void use(Tenant tenant) {
        if (tenant.adoption().isPresent()
                || tenant.names().layout() != Layout.SHARED
                || used.contains(tenant.projectId())) {
            return;
        }
        prepare(tenant);
        run(
                tenant,
                DatabaseRole.SYSTEM,
                new Flush(Access.WRITE, system(), in(tenant, PUBLISH), List.of(), new TransactionEnd.Commit()));
        used.add(tenant.projectId());
    }

    /** What policies let a caller read of a topic. */
    Readable readable(Tenant tenant, Caller caller, String topic) {
        if (tenant.adoption().isPresent()) {
            return new Readable(false, false);
        }
        if (caller.login() == DatabaseRole.SERVICE) {
            return Readable.ALL;
        }
        prepare(tenant);
        String broadcast = UUID.randomUUID().toString();
        String presence = UUID.randomUUID().toString();
        SqlFragment probe = PROBE.bind(Map.of(
                "topic", Literal.of(topic),
                "broadcast", Literal.of(broadcast),
                "presence", Literal.of(presence)));
        JsonNode answer = json(run(
                tenant,
                caller.login(),
                new Flush(
                        Access.WRITE,
                        settings(tenant, caller, topic),
                        List.of(probe),
                        in(tenant, READ),
                        List.of(broadcast, presence),
                        new TransactionEnd.Rollback())));
        return new Readable(
                answer.path("broadcast").asBoolean(), answer.path("presence").asBoolean());
    }

    /** Whether policies let a caller write to a topic. */
    boolean writable(Tenant tenant, Caller caller, String topic, Extension extension) {
        if (tenant.adoption().isPresent()) {
            return false;
        }
        if (caller.login() == DatabaseRole.SERVICE) {
            return true;
        }
        prepare(tenant);
        try {
            run(
                    tenant,
                    caller.login(),
                    new Flush(
                            Access.WRITE,
                            settings(tenant, caller, topic),
                            in(tenant, WRITE),
                            List.of(topic, extension.name().toLowerCase(Locale.ROOT)),
                            new TransactionEnd.Rollback()));
            return true;
        } catch (SqlError e) {
            if (e.is(INSUFFICIENT_PRIVILEGE)) {
                return false;
            }
            throw e;
        }
    }

    /** @param since milliseconds since 1970 */
    List<Broadcast> since(Tenant tenant, String topic, long since, int limit) {
        String rows = run(
                tenant,
                DatabaseRole.SYSTEM,
                new Flush(
                        Access.READ,
                        system(),
                        in(tenant, SINCE),
                        List.of(topic, Long.toString(since), Integer.toString(limit)),
                        new TransactionEnd.Commit()));
        List<Broadcast> messages = new ArrayList<>();
        for (JsonNode row : json(rows)) {
            boolean binary = row.path("binary").isTextual();
            Buffer payload = binary
                    ? Buffer.buffer(
                            Base64.getMimeDecoder().decode(row.path("binary").asText()))
                    : Buffer.buffer(row.path("payload").asText());
            String meta = JSON.createObjectNode()
                    .put("replayed", true)
                    .put("id", row.path("id").asText())
                    .toString();
            messages.add(new Broadcast(topic, true, row.path("event").asText(), binary, meta, payload, 0));
        }
        return messages;
    }

    /** Deletes messages of a certain age, in seconds, a bounded number of them; how many they were. For a loop. */
    public long sweep(Tenant tenant, long age, int most) {
        if (tenant.adoption().isPresent() || !isPrepared(tenant)) {
            return 0;
        }
        var flush = new Flush(
                Access.WRITE,
                system(),
                in(tenant, SWEEP),
                List.of(Long.toString(age), Integer.toString(most)),
                new TransactionEnd.Commit());
        return background
                .run(tenant, DatabaseRole.SYSTEM, flush)
                .text(0)
                .map(Long::parseLong)
                .orElse(0L);
    }

    /** Waits until callers may write to the table, which the operator lets them at the first use of the service. */
    private void prepare(Tenant tenant) {
        if (isPrepared(tenant)) {
            return;
        }
        run(
                tenant,
                DatabaseRole.SYSTEM,
                new Flush(Access.WRITE, system(), in(tenant, REQUEST), List.of(), new TransactionEnd.Commit()));
        try {
            if (PROVISIONING.callUntil(() -> isPrepared(tenant), there -> there)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new JoinRefused("InitializingProjectConnection: Connecting to the project database");
    }

    private boolean isPrepared(Tenant tenant) {
        if (prepared.contains(tenant.projectId())) {
            return true;
        }
        String index = tenant.names().realtime().sql() + ".messages_pkey";
        boolean there = run(
                        tenant,
                        DatabaseRole.SYSTEM,
                        new Flush(
                                Access.READ,
                                system(),
                                PREPARED.bind(Map.of("index", Literal.of(index))),
                                List.of(),
                                new TransactionEnd.Commit()))
                .equals("true");
        if (there) {
            prepared.add(tenant.projectId());
        }
        return there;
    }

    private String run(Tenant tenant, DatabaseRole login, Flush flush) {
        return transactions.run(tenant, login, flush).text(0).orElse("");
    }

    private static SqlFragment in(Tenant tenant, SqlTemplate statement) {
        return statement.places().contains("realtime")
                ? statement.bind(Map.of("realtime", tenant.names().realtime()))
                : statement.bind(Map.of());
    }

    private static List<Setting> system() {
        return List.of(Setting.of("search_path", "pg_catalog"));
    }

    /** What policies read, under Supabase's names. */
    private static List<Setting> settings(Tenant tenant, Caller caller, String topic) {
        return List.of(
                Setting.of(
                        "search_path", tenant.requestSearchPath(tenant.names().schema())),
                Setting.of("role", caller.roleName(tenant)),
                Setting.of("timezone", "UTC"),
                Setting.of("request.jwt.claims", caller.claims()),
                Setting.of("request.headers", "{}"),
                Setting.of("request.method", "GET"),
                Setting.of("request.path", "/realtime/v1/websocket"),
                Setting.of("realtime.topic", topic));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("PostgreSQL sends valid JSON", e);
        }
    }
}
