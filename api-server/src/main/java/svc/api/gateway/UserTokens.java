package svc.api.gateway;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.security.interfaces.ECPublicKey;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import svc.api.gateway.Credential.BadToken;
import svc.api.gateway.Credential.UserToken;
import svc.database.name.DatabaseRole;

/** Verifies users' tokens: ES256 by one of the project's signing keys, its issuer, in force, with a role we know. */
final class UserTokens {
    /** How far clocks may be apart, as PostgREST allows. */
    static final Duration SKEW = Duration.ofSeconds(30);

    private final Clock clock;

    UserTokens(Clock clock) {
        this.clock = clock;
    }

    /** What was found of a token. */
    sealed interface Verdict {}

    /** Everything about it is right, until then. */
    record Verified(UserToken token, Instant until) implements Verdict {}

    /** It is not acceptable, and that is not worth remembering. */
    record Refused(BadToken why) implements Verdict {}

    /** The clock is looked at, so the verdict holds for now only. */
    Verdict verify(String text, TenantKeys keys) {
        try {
            SignedJWT jwt = SignedJWT.parse(text);
            if (!JWSAlgorithm.ES256.equals(jwt.getHeader().getAlgorithm())) {
                return refused(TokenFault.ALGORITHM);
            }
            String keyId = jwt.getHeader().getKeyID();
            Optional<ECPublicKey> key = keyId == null ? Optional.empty() : keys.signingKey(keyId);
            if (key.isEmpty()) {
                return refused(TokenFault.UNKNOWN_KEY);
            }
            if (!jwt.verify(new ECDSAVerifier(key.get()))) {
                return refused(TokenFault.SIGNATURE);
            }
            return judge(text, jwt, keys);
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            return refused(TokenFault.MALFORMED);
        }
    }

    private Verdict judge(String text, SignedJWT jwt, TenantKeys keys) throws ParseException {
        JWTClaimsSet claims = jwt.getJWTClaimsSet();
        Instant now = clock.instant();
        if (!keys.issuer().equals(claims.getIssuer())) {
            return refused(TokenFault.ISSUER);
        }
        Date expires = claims.getExpirationTime();
        // A token without an end would outlive every session; our auth service makes none.
        if (expires == null || !now.isBefore(expires.toInstant().plus(SKEW))) {
            return refused(TokenFault.EXPIRED);
        }
        Date notBefore = claims.getNotBeforeTime();
        if (notBefore != null && now.plus(SKEW).isBefore(notBefore.toInstant())) {
            return refused(TokenFault.NOT_YET);
        }
        Optional<DatabaseRole> role = role(claims.getStringClaim("role"));
        if (role.isEmpty()) {
            return refused(TokenFault.ROLE);
        }
        String body = jwt.getPayload().toString();
        return new Verified(
                new UserToken(role.get(), body, text), expires.toInstant().plus(SKEW));
    }

    private static Verdict refused(TokenFault fault) {
        return new Refused(new BadToken(fault));
    }

    private static Optional<DatabaseRole> role(String claim) {
        return switch (claim == null ? "anon" : claim) {
            case "anon" -> Optional.of(DatabaseRole.ANON);
            case "authenticated" -> Optional.of(DatabaseRole.AUTHENTICATED);
            case "service_role", "supabase_admin" -> Optional.of(DatabaseRole.SERVICE);
            default -> Optional.empty();
        };
    }
}
