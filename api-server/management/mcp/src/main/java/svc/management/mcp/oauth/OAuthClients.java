package svc.management.mcp.oauth;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.database.sql.SqlFragment;
import svc.postgres.Row;
import svc.postgres.jdbc.PlatformDatabase;

/**
 * The clients that registered themselves (RFC 7591). Anyone may: so one that no person has allowed is forgotten after a day, the
 * number of these is bounded at the cost of the network that has the most of them, and one that was allowed is forgotten when it
 * has had no grant for long.
 */
@ApplicationScoped
class OAuthClients {
    private static final Set<Integer> INVISIBLE = Set.of(
            (int) Character.CONTROL,
            (int) Character.FORMAT,
            (int) Character.PRIVATE_USE,
            (int) Character.UNASSIGNED,
            (int) Character.SURROGATE);

    private static final Duration UNUSED_FOR = Duration.ofDays(1);
    private static final Duration WITHOUT_GRANT_FOR = Duration.ofDays(90);

    /** Rows of about a kilobyte. */
    private static final int MAX_UNUSED = 10_000;

    private static final int MAX_NETWORK_LENGTH = 100;

    private static final int MAX_ADDRESSES = 10;
    private static final int MAX_NAME_LENGTH = 100;

    private static final SqlFragment SELECT =
            SqlFragment.of("SELECT id, name, redirect_uris, created_at FROM svc_platform.oauth_client WHERE id = ?");
    private static final SqlFragment INSERT = SqlFragment.of(
            "INSERT INTO svc_platform.oauth_client (id, name, redirect_uris, created_at, network) VALUES (?, ?, ?, ?, ?)");

    /** A flood must not keep others from registering: of the network with the most clients the oldest goes. */
    private static final SqlFragment MAKE_ROOM = SqlFragment.of(
            "DELETE FROM svc_platform.oauth_client WHERE id IN (SELECT c.id FROM ("
                    + "SELECT o.id, o.created_at, count(*) OVER (PARTITION BY o.network) AS clients"
                    + " FROM svc_platform.oauth_client o WHERE o.used_at IS NULL) c ORDER BY c.clients DESC, c.created_at"
                    + " LIMIT (SELECT greatest(0, count(*) - ?) FROM svc_platform.oauth_client WHERE used_at IS NULL))");

    private static final SqlFragment USED =
            SqlFragment.of("UPDATE svc_platform.oauth_client SET used_at = ?, network = NULL WHERE id = ?");
    private static final SqlFragment PRUNE = SqlFragment.of(
            "DELETE FROM svc_platform.oauth_client c WHERE c.used_at IS NULL AND c.created_at < ?"
                    + " OR c.used_at < ? AND NOT EXISTS (SELECT FROM svc_platform.oauth_grant g WHERE g.client_id = c.id)");

    private final PlatformDatabase database;
    private final Clock clock;

    OAuthClients(PlatformDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * @param network that the client registers from
     * @throws OAuthError for metadata that this server does not accept
     */
    OAuthClient register(JsonNode metadata, String network) {
        JsonNode addresses = metadata.path("redirect_uris");
        if (!addresses.isArray() || addresses.isEmpty() || addresses.size() > MAX_ADDRESSES) {
            throw OAuthError.of(
                    "invalid_redirect_uri", "redirect_uris is an array of 1 to " + MAX_ADDRESSES + " addresses.");
        }
        List<String> redirects = new ArrayList<>();
        addresses.forEach(address -> redirects.add(RedirectAddress.of(address.isTextual() ? address.asText() : null)
                .text()));
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var client = new OAuthClient(UUID.randomUUID(), name(metadata), redirects, now);
        database.update(PRUNE, now.minus(UNUSED_FOR), now.minus(WITHOUT_GRANT_FOR));
        database.update(
                INSERT,
                client.id(),
                client.name(),
                client.redirectUris(),
                client.createdAt(),
                network.length() <= MAX_NETWORK_LENGTH ? network : network.substring(0, MAX_NETWORK_LENGTH));
        database.update(MAKE_ROOM, MAX_UNUSED);
        return client;
    }

    private static String name(JsonNode metadata) {
        String text = metadata.path("client_name").asText("").strip();
        String name = text.codePoints()
                .filter(point -> !INVISIBLE.contains(Character.getType(point)))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        if (name.isEmpty()) {
            return "An MCP client";
        }
        return name.codePointCount(0, name.length()) > MAX_NAME_LENGTH
                ? name.substring(0, name.offsetByCodePoints(0, MAX_NAME_LENGTH))
                : name;
    }

    Optional<OAuthClient> find(String id) {
        UUID uuid;
        try {
            uuid = UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return database.queryOne(SELECT, OAuthClients::read, uuid);
    }

    /** A person allowed it: it is kept while it has a grant. */
    void used(OAuthClient client) {
        database.update(USED, clock.instant().truncatedTo(ChronoUnit.MICROS), client.id());
    }

    private static OAuthClient read(Row row) {
        return new OAuthClient(row.uuid("id"), row.text("name"), row.texts("redirect_uris"), row.instant("created_at"));
    }
}
