package svc.management.function;

import com.google.re2j.Pattern;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import svc.crds.project.ProjectIdentity;
import svc.database.sql.SqlFragment;
import svc.management.token.Principal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.postgres.Row;
import svc.postgres.jdbc.PlatformDatabase;

/** Makes and redeems the links by which people enter values of secrets. A link is stored as its hash. */
@ApplicationScoped
class SecretEntries {
    static final Duration LIFETIME = Duration.ofMinutes(15);

    /** Unused ones of one token. */
    private static final int MAX_OPEN = 20;

    /** Unused ones of a personal access token and of all tokens that it made: an MCP client may renew its own at will. */
    private static final int MAX_OPEN_OF_PARENT = 100;

    /** How long a link that is over is recognised. */
    private static final Duration KEPT = Duration.ofDays(1);

    private static final int LINK_BYTES = 32;
    private static final Pattern LINK = Pattern.compile("[A-Za-z0-9_-]{43}");

    private static final SqlFragment INSERT =
            SqlFragment.of("INSERT INTO svc_platform.secret_entry (hash, organisation_id, project_id, ref, name,"
                    + " replaces, token_id, parent_id, grant_id, client, created_at, expires_at)"
                    + " SELECT ?, ?, ?, ?, ?, ?, one.id, coalesce(m.created_by, one.id), m.grant_id,"
                    + " coalesce(m.name, t.name), ?, ? FROM (SELECT ?::uuid AS id) one"
                    + " LEFT JOIN svc_platform.mcp_token m ON m.id = one.id"
                    + " LEFT JOIN svc_platform.token t ON t.id = one.id");
    private static final SqlFragment OPEN =
            SqlFragment.of("SELECT count(*) FILTER (WHERE e.token_id = one.id) AS own, count(*) AS every"
                    + " FROM (SELECT ?::uuid AS id) one LEFT JOIN svc_platform.mcp_token m ON m.id = one.id"
                    + " JOIN svc_platform.secret_entry e ON e.parent_id = coalesce(m.created_by, one.id)"
                    + " WHERE e.used_at IS NULL AND e.expires_at > ?");
    private static final SqlFragment PRUNE =
            SqlFragment.of("DELETE FROM svc_platform.secret_entry WHERE expires_at < ?");
    private static final SqlFragment BY_HASH =
            SqlFragment.of("SELECT e.*, t.revoked_at IS NULL AND coalesce(t.expires_at > n.now, true)"
                    + " AND CASE WHEN e.token_id = e.parent_id THEN true"
                    + " WHEN e.grant_id IS NOT NULL THEN EXISTS (SELECT FROM svc_platform.oauth_grant g"
                    + " WHERE g.id = e.grant_id AND g.revoked_at IS NULL AND g.expires_at > n.now)"
                    + " ELSE EXISTS (SELECT FROM svc_platform.mcp_token m WHERE m.id = e.token_id"
                    + " AND m.revoked_at IS NULL AND m.expires_at > n.now) END AS token_valid"
                    + " FROM svc_platform.secret_entry e JOIN svc_platform.token t ON t.id = e.parent_id"
                    + " CROSS JOIN (SELECT ?::timestamptz AS now) n WHERE e.hash = ?");
    private static final SqlFragment LATEST =
            SqlFragment.of("SELECT used_at IS NOT NULL AS used FROM svc_platform.secret_entry"
                    + " WHERE token_id = ? AND project_id = ? AND name = ? ORDER BY created_at DESC LIMIT 1");
    private static final SqlFragment USE = SqlFragment.of("UPDATE svc_platform.secret_entry SET used_at = ?"
            + " WHERE hash = ? AND used_at IS NULL AND expires_at > ?");
    private static final SqlFragment RELEASE =
            SqlFragment.of("UPDATE svc_platform.secret_entry SET used_at = NULL WHERE hash = ? AND used_at = ?");
    private static final SqlFragment CLOSE = SqlFragment.of("UPDATE svc_platform.secret_entry SET used_at = ?"
            + " WHERE token_id = ? AND project_id = ? AND name = ? AND used_at IS NULL");

    private final PlatformDatabase database;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    SecretEntries(PlatformDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Makes a link.
     *
     * @return its random part, which is shown once
     * @throws svc.platform.problem.ProblemException 429 when the token, or its parent, has too many unused ones
     */
    String open(Principal by, ProjectIdentity project, String name, boolean replaces) {
        Instant now = now();
        database.update(PRUNE, now.minus(KEPT));
        database.queryOne(OPEN, row -> new Unused(row.number("own"), row.number("every")), by.tokenId(), now)
                .ifPresent(SecretEntries::requireRoom);
        byte[] bytes = new byte[LINK_BYTES];
        random.nextBytes(bytes);
        String link = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        database.update(
                INSERT,
                hash(link),
                by.organization(),
                project.projectId(),
                project.ref(),
                name,
                replaces,
                now,
                now.plus(LIFETIME),
                by.tokenId());
        return link;
    }

    /** Unused links of a token, and of its parent with all that it made. */
    private record Unused(long own, long every) {}

    private static void requireRoom(Unused unused) {
        if (unused.own() >= MAX_OPEN || unused.every() >= MAX_OPEN_OF_PARENT) {
            String holder = unused.own() >= MAX_OPEN
                    ? "The token has " + MAX_OPEN
                    : "The personal access token and those that it made have " + MAX_OPEN_OF_PARENT;
            throw Problem.of(ProblemCode.RATE_LIMITED, holder + " unused links for secrets.")
                    .withHint("Ask the user to open one of them, or try again in " + LIFETIME.toMinutes()
                            + " minutes: then they are over.")
                    .retryAfter(LIFETIME)
                    .asException();
        }
    }

    Optional<SecretEntry> find(String link) {
        return Optional.of(link)
                .filter(text -> LINK.matcher(text).matches())
                .flatMap(text -> database.queryOne(BY_HASH, SecretEntries::read, now(), (Object) hash(text)));
    }

    /** Whether the newest link of a token for a name was used. */
    boolean wasUsed(Principal by, UUID project, String name) {
        return database.queryOne(LATEST, row -> row.flag("used"), by.tokenId(), project, name)
                .orElse(false);
    }

    /** A use of a link that has begun. */
    record Use(SecretEntry entry, Instant at) {}

    /** Begins the only use of a link; empty where another has it. */
    Optional<Use> use(SecretEntry entry) {
        Instant now = now();
        return database.update(USE, now, entry.hash(), now) == 1 ? Optional.of(new Use(entry, now)) : Optional.empty();
    }

    /** Nothing was stored: the link can be used again. */
    void release(Use use) {
        database.update(RELEASE, use.entry().hash(), use.at());
    }

    /** The value is stored: other links of the same token for it are over. */
    void complete(Use use) {
        SecretEntry entry = use.entry();
        database.update(CLOSE, use.at(), entry.token(), entry.projectId(), entry.name());
    }

    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private static SecretEntry read(Row row) {
        return new SecretEntry(
                row.bytes("hash"),
                row.uuid("project_id"),
                row.text("ref"),
                row.text("name"),
                row.flag("replaces"),
                row.uuid("token_id"),
                row.text("client"),
                row.instant("expires_at"),
                row.optional("used_at", Instant.class),
                row.flag("token_valid"));
    }

    private static byte[] hash(String link) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(link.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
