package svc.server.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import svc.database.key.KeyKind;
import svc.platform.config.PurposeRoots;
import svc.platform.dataplane.TokenFault;
import svc.platform.egress.CallOwner;
import svc.platform.tenancy.Tenant;

/**
 * Reads the two credentials of a request and classifies each for its project. Verifying derives keys, so accepted
 * credentials are cached; rejected ones never are, so that garbage cannot fill memory.
 */
@ApplicationScoped
class CredentialReader {
    private static final String API_KEY = "apikey";
    private static final String BEARER = "bearer";
    private static final String KEY_PREFIX = "svc_";

    /** Of {@code isdistinct}. */
    private static final int MAX_OPERATOR_LENGTH = 10;

    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final int MAX_TENANTS = 10_000;

    /** A cache's maintenance costs less than waking a thread for it. */
    private static final Executor SAME_THREAD = Runnable::run;

    private final PurposeRoots roots;
    private final Clock clock;
    private final PublishedKeys published;
    private final UserTokens tokens;
    // Keyed by identity: a tenant's new state is a new object, and keys of the old state must not be used again.
    private final Cache<Tenant, TenantKeys> keys = Caffeine.newBuilder()
            .weakKeys()
            .executor(SAME_THREAD)
            .maximumSize(MAX_TENANTS)
            .expireAfterAccess(IDLE)
            .build();
    private final AcceptedCredentials accepted = new AcceptedCredentials();

    CredentialReader(PurposeRoots roots, Clock clock, PublishedKeys published) {
        this.roots = roots;
        this.clock = clock;
        this.published = published;
        this.tokens = new UserTokens(clock);
    }

    /** Completes when the key sets of this tenant's other token issuers are loaded; at once for nearly every tenant. */
    Future<Void> ready(Tenant tenant) {
        List<String> urls = tenant.tokens().verifyKeys().stream()
                .flatMap(key -> key.url().stream())
                .toList();
        return urls.isEmpty() ? Future.succeededFuture() : published.fresh(CallOwner.of(tenant), urls);
    }

    /**
     * The header {@code apikey} or, for links and websockets, the query parameter. A parameter in the form of a filter belongs
     * to the service: tables may have a column of that name.
     */
    Credential apiKey(HttpServerRequest request, Tenant tenant) {
        String header = request.getHeader(API_KEY);
        String text = header != null && !header.isBlank()
                ? header
                : RequestTarget.parameter(Objects.requireNonNullElse(request.query(), ""), API_KEY)
                        .filter(value -> !isFilter(value))
                        .findFirst()
                        .orElse("");
        if (text.isBlank()) {
            return new Credential.None();
        }
        return read(text.strip(), tenant).orElseGet(Credential.WrongKey::new);
    }

    /**
     * Whether a value begins as a filter of a table does, {@code eq.} or {@code like(any).}. No credential does: a key has no
     * dot, and the first part of a token is the base64 of a JSON object, which is longer than a word.
     */
    private static boolean isFilter(String value) {
        int end = 0;
        while (end < value.length()
                && end <= MAX_OPERATOR_LENGTH
                && value.charAt(end) >= 'a'
                && value.charAt(end) <= 'z') {
            end++;
        }
        return end > 0
                && end <= MAX_OPERATOR_LENGTH
                && end < value.length()
                && (value.charAt(end) == '.' || value.charAt(end) == '(');
    }

    /** The text after {@code Bearer}; other schemes are ignored. */
    Credential bearer(HttpServerRequest request, Tenant tenant) {
        String header = request.getHeader("Authorization");
        if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return new Credential.None();
        }
        String after = header.substring(BEARER.length());
        if (!after.isEmpty() && !after.startsWith(" ")) {
            return new Credential.None();
        }
        // The HTTP server strips white space at the end of a header, so that an empty token leaves the word alone.
        String text = after.strip();
        return text.isEmpty()
                ? new Credential.BadToken(TokenFault.EMPTY)
                : read(text, tenant).orElseGet(Credential.WrongKey::new);
    }

    /** A token that stands where a protocol has it, instead of a header. */
    Credential token(String text, Tenant tenant) {
        return text.isBlank()
                ? new Credential.None()
                : read(text.strip(), tenant).orElseGet(Credential.WrongKey::new);
    }

    private Optional<Credential> read(String text, Tenant tenant) {
        TenantKeys owner = keys.get(tenant, state -> new TenantKeys(state, roots, published::known));
        return accepted.find(owner.credentials(), text, clock.instant().getEpochSecond())
                .or(() -> text.startsWith(KEY_PREFIX) ? key(text, owner) : Optional.of(token(text, owner)));
    }

    private Optional<Credential> key(String text, TenantKeys owner) {
        Optional<Credential> found = switch (KeyKind.of(text).orElse(KeyKind.PAT)) {
            case ANON -> owner.acceptsAnon(text) ? Optional.of(new Credential.AnonKey()) : Optional.empty();
            case SERVICE -> owner.acceptsService(text) ? Optional.of(new Credential.ServiceKey()) : Optional.empty();
            case PAT, MCP -> Optional.empty();
        };
        found.ifPresent(credential -> accepted.add(owner.credentials(), text, credential, Long.MAX_VALUE));
        return found;
    }

    private Credential token(String text, TenantKeys owner) {
        return switch (tokens.verify(text, owner)) {
            case UserTokens.Verified verified -> {
                accepted.add(
                        owner.credentials(),
                        text,
                        verified.token(),
                        verified.until().getEpochSecond());
                yield verified.token();
            }
            case UserTokens.Refused refused -> refused.why();
        };
    }
}
