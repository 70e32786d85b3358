package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import svc.crds.project.service.StorageWebhookSpec;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.storage.http.StorageCall;

/**
 * The queue of events for webhooks. A trigger adds to it in the transaction that changes a file; a claim
 * hides a webhook's events from other instances for a while, so that one batch of a webhook is on its way at a time.
 */
public final class EventRows {
    /** Of one webhook, beyond which the oldest are given up. More than a call changes. */
    public static final int MAX_WAITING = 25_000;

    /** After that an event is given up. */
    public static final Duration MAX_AGE = Duration.ofHours(24);

    /** Longer than an attempt takes: an instance that ended in between delays a batch by this. */
    private static final Duration CLAIMED = Duration.ofSeconds(30);

    /** Binds: the webhook, twice; how many. */
    private static final SqlTemplate CLAIM = SqlTemplate.of("""
            WITH due AS MATERIALIZED (
                SELECT e.id FROM :"storage".object_events e
                WHERE e.webhook = ? AND NOT EXISTS (
                    SELECT FROM :"storage".object_events f WHERE f.webhook = ? AND f.next_at > clock_timestamp())
                ORDER BY e.created_at, e.id LIMIT ?::bigint FOR UPDATE SKIP LOCKED),
            claimed AS (
                UPDATE :"storage".object_events e
                SET next_at = clock_timestamp() + ?::bigint * interval '1 second', attempts = e.attempts + 1
                FROM due d WHERE e.id = d.id
                RETURNING e.id, e.event, e.created_at, e.attempts)
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'event', c.event, 'attempts', c.attempts,
                    'time', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                    'micros', (extract(epoch FROM c.created_at) * 1000000)::bigint)
                ORDER BY c.created_at, c.id), '[]')::text FROM claimed c""");

    private static final SqlTemplate DELETE = SqlTemplate.of("""
            WITH gone AS (
                DELETE FROM :"storage".object_events e
                WHERE e.id IN (SELECT g.id::uuid FROM jsonb_array_elements_text(?::jsonb) g(id)))
            SELECT '{}'""");

    private static final SqlTemplate POSTPONE = SqlTemplate.of("""
            WITH later AS (
                UPDATE :"storage".object_events e
                SET next_at = clock_timestamp() + ?::bigint * interval '1 second', error = ?
                WHERE e.id IN (SELECT g.id::uuid FROM jsonb_array_elements_text(?::jsonb) g(id)))
            SELECT '{}'""");

    /** Binds: the webhook, how many may wait less one, the webhook, seconds. */
    private static final SqlTemplate TRIM = SqlTemplate.of("""
            WITH surplus AS MATERIALIZED (
                SELECT f.created_at FROM :"storage".object_events f WHERE f.webhook = ?
                ORDER BY f.created_at DESC OFFSET ?::bigint LIMIT 1),
            gone AS (
                DELETE FROM :"storage".object_events e
                WHERE e.webhook = ? AND (e.created_at <= (SELECT s.created_at FROM surplus s)
                    OR e.created_at < clock_timestamp() - ?::bigint * interval '1 second')
                RETURNING 1)
            SELECT to_jsonb((SELECT count(*) FROM gone))::text""");

    /** Binds: the names of webhooks that there are, as a JSON array. */
    private static final SqlTemplate FORGET = SqlTemplate.of("""
            WITH gone AS (
                DELETE FROM :"storage".object_events e
                WHERE e.webhook NOT IN (SELECT jsonb_array_elements_text(?::jsonb)))
            SELECT '{}'""");

    private static final SqlTemplate WAITING = SqlTemplate.of("""
            SELECT coalesce(jsonb_object_agg(w.webhook, w.item), '{}')::text FROM (
                SELECT e.webhook, jsonb_build_object('pending', count(*), 'attempts', max(e.attempts),
                    'oldest_at', to_char(min(e.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                    'error', (array_agg(e.error ORDER BY e.created_at) FILTER (WHERE e.error IS NOT NULL))[1]) AS item
                FROM :"storage".object_events e GROUP BY e.webhook) w""");

    private final StorageTransactions transactions;

    public EventRows(StorageTransactions transactions) {
        this.transactions = transactions;
    }

    /**
     * An event on its way to a webhook.
     *
     * @param event {@code event}, {@code bucket}, {@code name} and what there is of {@code version}, {@code size}, {@code
     *     etag}, {@code type}, {@code owner}
     * @param time when it happened, in ISO 8601
     * @param micros the same since 1970
     * @param attempts this one counts
     */
    public record Event(UUID id, JsonNode event, String time, long micros, int attempts) {}

    /** What the trigger compares changes with: the value of {@code storage.webhooks}. */
    static String filters(List<StorageWebhookSpec> webhooks) {
        ArrayNode filters = JsonNodeFactory.instance.arrayNode();
        for (StorageWebhookSpec webhook : webhooks) {
            ObjectNode filter = filters.addObject().put("name", webhook.name());
            ArrayNode events = filter.putArray("events");
            webhook.events().forEach(events::add);
            if (webhook.bucket() != null) {
                filter.put("bucket", webhook.bucket());
            }
            if (webhook.prefix() != null) {
                filter.put("prefix", webhook.prefix());
            }
        }
        return filters.toString();
    }

    /** Whether the project has a queue: the tables come with its first file. */
    public boolean exists(Tenant tenant) {
        return transactions.isPrepared(tenant, "object_events");
    }

    /** The oldest events of a webhook; none while some of its events wait for their next attempt. */
    public List<Event> claim(Tenant tenant, String webhook, int most) {
        List<Event> events = new ArrayList<>();
        transactions
                .asSystem(
                        tenant,
                        Access.WRITE,
                        CLAIM,
                        webhook,
                        webhook,
                        Integer.toString(most),
                        Long.toString(CLAIMED.toSeconds()))
                .orElseThrow()
                .forEach(row -> events.add(new Event(
                        UUID.fromString(row.path("id").asText()),
                        row.path("event"),
                        row.path("time").asText(),
                        row.path("micros").asLong(),
                        row.path("attempts").asInt())));
        return events;
    }

    /** They were delivered. */
    public void delete(Tenant tenant, List<Event> events) {
        transactions.asSystem(tenant, Access.WRITE, DELETE, ids(events));
    }

    /** They were not; the webhook has its next attempt later. */
    public void postpone(Tenant tenant, List<Event> events, Duration delay, String error) {
        transactions.asSystem(
                tenant, Access.WRITE, POSTPONE, Long.toString(Math.max(1, delay.toSeconds())), error, ids(events));
    }

    /** Gives up the events of a webhook that are too old or too many; says how many. */
    public int trim(Tenant tenant, String webhook) {
        return transactions
                .asSystem(
                        tenant,
                        Access.WRITE,
                        TRIM,
                        webhook,
                        Integer.toString(MAX_WAITING),
                        webhook,
                        Long.toString(MAX_AGE.toSeconds()))
                .orElseThrow()
                .asInt();
    }

    /** Deletes the events of webhooks that are gone. */
    public void keepOnly(Tenant tenant, List<String> webhooks) {
        transactions.asSystem(tenant, Access.WRITE, FORGET, ObjectRows.array(webhooks));
    }

    /** What waits, by the name of the webhook: {@code pending}, {@code attempts}, {@code oldest_at}, {@code error}. */
    public JsonNode waiting(StorageCall call) {
        return transactions.asSystem(call, Access.READ, WAITING).orElseThrow();
    }

    private static String ids(List<Event> events) {
        return ObjectRows.array(
                events.stream().map(event -> event.id().toString()).toList());
    }
}
