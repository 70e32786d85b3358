package svc.server.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import java.io.IOException;
import java.security.interfaces.ECPublicKey;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.database.name.DatabaseRole;
import svc.platform.dataplane.TokenFault;
import svc.platform.json.ForeignJson;
import svc.server.gateway.Credential.BadToken;
import svc.server.gateway.Credential.UserToken;
import svc.server.gateway.TrustedIssuerKeys.Candidate;

/**
 * Verifies users' tokens: signed with one of the project's signing keys (ES256) or a trusted issuer's key, active, and
 * with a known role. Rules and messages are PostgREST's.
 */
final class UserTokens {
    /** Tolerated clock skew, as in PostgREST. */
    static final Duration SKEW = Duration.ofSeconds(30);

    /** Those of RFC 7518 and RFC 8037 that sign. */
    private static final Set<String> ALGORITHMS = Set.of(
            "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
            "EdDSA");

    private static final ObjectMapper JSON = ForeignJson.mapper();

    /** Of every project together: what verifications with costly keys may take of each second. */
    private static final Duration TIME_OF_ALL = Duration.ofMillis(500);

    private final Clock clock;
    private final VerificationTime all = new VerificationTime(TIME_OF_ALL);

    UserTokens(Clock clock) {
        this.clock = clock;
    }

    /** The result of the verification. */
    sealed interface Verdict {}

    /** The token is valid until then. */
    record Verified(UserToken token, Instant until) implements Verdict {}

    /** The token is rejected; rejections are not cached. */
    record Refused(BadToken why) implements Verdict {}

    /** Reads the clock, so the verdict holds for this moment only. */
    Verdict verify(String text, TenantKeys keys) {
        int parts = 1 + (int) text.chars().filter(c -> c == '.').count();
        if (parts != 3) {
            return refused(TokenFault.parts(parts));
        }
        try {
            JWSObject jws = JWSObject.parse(text);
            Optional<ECPublicKey> own = ownKey(jws.getHeader(), keys);
            List<Candidate> candidates = own.isPresent()
                    ? List.of(new Candidate(new ECDSAVerifier(own.get()), false))
                    : keys.trustedIssuerKeys().candidates(jws.getHeader());
            Optional<TokenFault> fault = candidates.isEmpty()
                    ? Optional.of(withoutKey(jws.getHeader()))
                    : signature(text, jws, candidates, keys.refusals());
            return fault.isPresent() ? refused(fault.get()) : judge(text, jws, keys, own.isEmpty());
        } catch (ParseException | IllegalArgumentException e) {
            // Not base64, or a header without a signature algorithm.
            return refused(isUnsecured(text) ? TokenFault.UNSECURED : TokenFault.MALFORMED);
        } catch (JOSEException e) {
            return refused(TokenFault.SIGNATURE);
        }
    }

    /** Tokens of this platform name their key; a token without a key id is never taken for one. */
    private static Optional<ECPublicKey> ownKey(JWSHeader header, TenantKeys keys) {
        return JWSAlgorithm.ES256.equals(header.getAlgorithm()) && header.getKeyID() != null
                ? keys.signingKey(header.getKeyID())
                : Optional.empty();
    }

    private static TokenFault withoutKey(JWSHeader header) {
        return ALGORITHMS.contains(header.getAlgorithm().getName()) ? TokenFault.UNKNOWN_KEY : TokenFault.MALFORMED;
    }

    /** RFC 7519 §6. The header's parser takes no such token, and does not say why. */
    private static boolean isUnsecured(String text) {
        try {
            byte[] header = Base64.getUrlDecoder().decode(text.substring(0, text.indexOf('.')));
            return JSON.readTree(header).path("alg").asText().equals("none");
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /** On an event loop: a verification is paid for with the time of others. */
    private Optional<TokenFault> signature(
            String text, JWSObject jws, List<Candidate> candidates, RefusedSignatures refusals) {
        long now = clock.millis();
        if (refusals.contains(text, now)) {
            return Optional.of(TokenFault.SIGNATURE);
        }
        boolean costly = candidates.stream().anyMatch(Candidate::costly);
        if (costly && (refusals.time().isSpent(now) || all.isSpent(now))) {
            return Optional.of(TokenFault.TOO_MANY);
        }
        long begun = System.nanoTime();
        boolean valid = candidates.stream().anyMatch(candidate -> isSignedWith(jws, candidate));
        if (costly) {
            // Valid ones count too: a caller who may name a key can sign any number of tokens with it.
            long nanos = System.nanoTime() - begun;
            refusals.time().spend(nanos, now);
            all.spend(nanos, now);
        }
        if (valid) {
            return Optional.empty();
        }
        refusals.add(text, now);
        return Optional.of(TokenFault.SIGNATURE);
    }

    private static boolean isSignedWith(JWSObject jws, Candidate candidate) {
        try {
            return jws.verify(candidate.verifier());
        } catch (JOSEException e) {
            // A key of another curve or length than the header says.
            return false;
        }
    }

    private Verdict judge(String text, JWSObject jws, TenantKeys keys, boolean foreign) {
        String body = jws.getPayload().toString();
        JsonNode claims;
        try {
            claims = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            return refused(TokenFault.UNREADABLE_CLAIMS);
        }
        if (!claims.isObject()) {
            return refused(TokenFault.UNREADABLE_CLAIMS);
        }
        if (!foreign && !keys.issuer().equals(claims.path("iss").asText())) {
            return refused(TokenFault.ISSUER);
        }
        TokenClaims judged = new TokenClaims(claims, clock.instant(), SKEW);
        // The platform's own tokens must expire: one without exp would outlive every session. The auth service issues
        // none.
        Optional<TokenFault> fault = judged.fault(!foreign).or(() -> judged.audienceFault(keys.audience()));
        return fault.<Verdict>map(UserTokens::refused)
                .orElseGet(() -> withRole(new Found(text, body, claims, foreign), keys, judged.until()));
    }

    /** A token with a valid signature and valid times. */
    private record Found(String text, String body, JsonNode claims, boolean foreign) {
        UserToken as(DatabaseRole role, Optional<String> named) {
            return new UserToken(role, named, body, text, foreign);
        }
    }

    private static Verdict withRole(Found token, TenantKeys keys, Instant until) {
        if (keys.namesRoles()) {
            Optional<String> named = keys.rolePath().in(token.claims());
            DatabaseRole kind = named.isEmpty() ? DatabaseRole.ANON : DatabaseRole.AUTHENTICATED;
            boolean server = named.filter("service_role"::equals).isPresent();
            return new Verified(token.as(server ? DatabaseRole.SERVICE : kind, named), until);
        }
        return role(ClaimPath.ROLE.in(token.claims()))
                .<Verdict>map(role -> new Verified(token.as(role, Optional.empty()), until))
                .orElseGet(() -> refused(TokenFault.ROLE));
    }

    private static Verdict refused(TokenFault fault) {
        return new Refused(new BadToken(fault));
    }

    private static Optional<DatabaseRole> role(Optional<String> claim) {
        return switch (claim.orElse("anon")) {
            case "anon" -> Optional.of(DatabaseRole.ANON);
            case "authenticated" -> Optional.of(DatabaseRole.AUTHENTICATED);
            case "service_role", "supabase_admin" -> Optional.of(DatabaseRole.SERVICE);
            default -> Optional.empty();
        };
    }
}
