package svc.server.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import svc.platform.dataplane.TokenFault;

/** Checks the registered claims of a token (RFC 7519 §4.1) as PostgREST does. Pure. */
final class TokenClaims {
    /** Seconds beyond this exceed what an instant can hold: the token never expires. */
    private static final double FOREVER = 1e11;

    private final JsonNode claims;
    private final Instant now;
    private final Duration skew;

    /** @param skew tolerated clock skew */
    TokenClaims(JsonNode claims, Instant now, Duration skew) {
        this.claims = claims;
        this.now = now;
        this.skew = skew;
    }

    /** @param mustEnd whether a token without {@code exp} counts as expired */
    Optional<TokenFault> fault(boolean mustEnd) {
        for (String claim : new String[] {"exp", "nbf", "iat"}) {
            if (has(claim) && !claims.get(claim).isNumber()) {
                return Optional.of(TokenFault.notANumber(claim));
            }
        }
        if (has("exp") ? !now.isBefore(at("exp").plus(skew)) : mustEnd) {
            return Optional.of(TokenFault.EXPIRED);
        }
        if (has("nbf") && now.plus(skew).isBefore(at("nbf"))) {
            return Optional.of(TokenFault.NOT_YET);
        }
        return has("iat") && now.plus(skew).isBefore(at("iat"))
                ? Optional.of(TokenFault.FROM_THE_FUTURE)
                : Optional.empty();
    }

    /** @param audience what {@code aud} must contain if it is present; empty to accept any */
    Optional<TokenFault> audienceFault(Optional<String> audience) {
        JsonNode named = claims.path("aud");
        if (named.isMissingNode() || named.isNull()) {
            return Optional.empty();
        }
        if (named.isTextual()) {
            return missing(audience, named.asText().equals(audience.orElse(null)));
        }
        if (!named.isArray()) {
            return Optional.of(TokenFault.audienceForm());
        }
        boolean found = false;
        for (JsonNode one : named) {
            if (!one.isTextual()) {
                return Optional.of(TokenFault.audienceForm());
            }
            found |= one.asText().equals(audience.orElse(null));
        }
        return missing(audience, found || named.isEmpty());
    }

    /** The expiry, including the clock skew. */
    Instant until() {
        return has("exp") ? at("exp").plus(skew) : Instant.ofEpochSecond((long) FOREVER);
    }

    private static Optional<TokenFault> missing(Optional<String> audience, boolean named) {
        return audience.isPresent() && !named ? Optional.of(TokenFault.AUDIENCE) : Optional.empty();
    }

    private boolean has(String claim) {
        return claims.hasNonNull(claim);
    }

    private Instant at(String claim) {
        double seconds = Math.max(-FOREVER, Math.min(FOREVER, claims.get(claim).asDouble()));
        return Instant.ofEpochMilli((long) (seconds * 1000));
    }
}
