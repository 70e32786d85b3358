package svc.storage.token;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;
import svc.database.key.UrlTokenKey;
import svc.platform.config.PurposeRoots;
import svc.platform.json.ForeignJson;
import svc.platform.tenancy.Tenant;
import svc.storage.http.StorageError;

/**
 * Signs and checks the tokens of URLs (HS256), with a key of each project that no other token is signed with. They end with
 * the signing keys of the project: a rotation accepts both for its overlap.
 */
public final class UrlTokens {
    private static final int MAX_TENANTS = 10_000;
    private static final int MAX_TOKEN = 16 << 10;
    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final String RENDER = "render";
    private static final ObjectMapper JSON = ForeignJson.mapper();

    private final PurposeRoots roots;
    private final Clock clock;

    /** By identity: a tenant's new state is a new object, and the keys of the old one must not be used. */
    private final Cache<Tenant, Keys> keys = Caffeine.newBuilder()
            .weakKeys()
            .maximumSize(MAX_TENANTS)
            .expireAfterAccess(IDLE)
            .build();

    public UrlTokens(PurposeRoots roots, Clock clock) {
        this.roots = roots;
        this.clock = clock;
    }

    /** @param verifiers of all versions in force */
    private record Keys(MACSigner signer, List<MACVerifier> verifiers) {}

    /** What a token allows. */
    public enum Scope {
        DOWNLOAD("download"),
        UPLOAD("upload");

        private final String claim;

        Scope(String claim) {
            this.claim = claim;
        }
    }

    /**
     * A permission for one file.
     *
     * @param url {@code bucket/path}
     * @param owner of an upload
     * @param upsert whether an upload may replace a file
     */
    public record Grant(Scope scope, String url, Optional<String> owner, boolean upsert, Instant expires) {
        public static Grant download(String url, Instant expires) {
            return new Grant(Scope.DOWNLOAD, url, Optional.empty(), false, expires);
        }
    }

    /**
     * A permission for one form of an image, and not for the file.
     *
     * @param url {@code bucket/path}
     * @param transformations what is wanted of it, as text
     */
    public record RenderGrant(String url, String transformations, Instant expires) {}

    public String sign(Tenant tenant, RenderGrant grant) {
        ObjectNode claims = JSON.createObjectNode();
        claims.put("url", grant.url()).put("scope", RENDER).put("transformations", grant.transformations());
        return sign(tenant, claims, grant.expires());
    }

    /**
     * What a token allows of this image.
     *
     * @throws StorageError for one that is expired, forged, or of another file, scope or project
     */
    public RenderGrant verifyRender(Tenant tenant, String url, String token) {
        JsonNode claims = valid(tenant, RENDER, url, token);
        return new RenderGrant(url, claims.path("transformations").asText(""), expires(claims));
    }

    public String sign(Tenant tenant, Grant grant) {
        ObjectNode claims = JSON.createObjectNode();
        claims.put("url", grant.url()).put("scope", grant.scope().claim);
        grant.owner().ifPresent(owner -> claims.put("owner", owner));
        if (grant.scope() == Scope.UPLOAD) {
            claims.put("upsert", grant.upsert());
        }
        return sign(tenant, claims, grant.expires());
    }

    private String sign(Tenant tenant, ObjectNode claims, Instant expires) {
        claims.put("iat", clock.instant().getEpochSecond()).put("exp", expires.getEpochSecond());
        var token = new JWSObject(new JWSHeader(JWSAlgorithm.HS256), new Payload(claims.toString()));
        try {
            token.sign(of(tenant).signer());
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException("while signing a URL of " + tenant.ref(), e);
        }
    }

    /**
     * What a token allows for this file.
     *
     * @throws StorageError for one that is expired, forged, or of another file, scope or project
     */
    public Grant verify(Tenant tenant, Scope scope, String url, String token) {
        JsonNode claims = valid(tenant, scope.claim, url, token);
        return new Grant(
                scope,
                url,
                Optional.ofNullable(claims.path("owner").textValue()),
                claims.path("upsert").asBoolean(false),
                expires(claims));
    }

    /**
     * The file that a token is for: {@code bucket/path}. Whether the token is still valid is not asked.
     *
     * @throws StorageError for one that is forged or of another project
     */
    public String url(Tenant tenant, String token) {
        return claims(tenant, token).path("url").asText("");
    }

    private JsonNode valid(Tenant tenant, String scope, String url, String token) {
        JsonNode claims = claims(tenant, token);
        if (!clock.instant().isBefore(expires(claims))) {
            throw StorageError.invalidToken("\"exp\" claim timestamp check failed");
        }
        if (!claims.path("scope").asText("").equals(scope)
                || !claims.path("url").asText("").equals(url)) {
            throw StorageError.invalidSignature();
        }
        return claims;
    }

    private static Instant expires(JsonNode claims) {
        return Instant.ofEpochSecond(claims.path("exp").asLong(0));
    }

    private JsonNode claims(Tenant tenant, String token) {
        if (token.length() > MAX_TOKEN) {
            throw StorageError.invalidToken("Invalid Compact JWS");
        }
        try {
            JWSObject signed = JWSObject.parse(token);
            if (!signed.getHeader().getAlgorithm().equals(JWSAlgorithm.HS256)) {
                throw StorageError.invalidToken("\"alg\" (Algorithm) Header Parameter value not allowed");
            }
            for (JWSVerifier verifier : of(tenant).verifiers()) {
                if (signed.verify(verifier)) {
                    return JSON.readTree(signed.getPayload().toBytes());
                }
            }
        } catch (ParseException e) {
            throw StorageError.invalidToken("Invalid Compact JWS");
        } catch (JOSEException | JsonProcessingException e) {
            throw StorageError.invalidToken("signature verification failed");
        } catch (java.io.IOException e) {
            throw new IllegalStateException("while reading bytes", e);
        }
        throw StorageError.invalidToken("signature verification failed");
    }

    private Keys of(Tenant tenant) {
        return keys.get(tenant, this::derive);
    }

    private Keys derive(Tenant tenant) {
        PurposeRoot root = roots.require(Purpose.SIGNING, tenant.masterKeyVersion());
        Set<Integer> versions = tenant.keyVersions().getOrDefault(Purpose.SIGNING, Set.of(1));
        List<byte[]> secrets = new ArrayList<>();
        versions.stream()
                .sorted(Collections.reverseOrder())
                .forEach(version ->
                        secrets.add(UrlTokenKey.of(root.leaf(tenant.scope().withKeyVersion(version)))));
        try {
            List<MACVerifier> verifiers = new ArrayList<>();
            for (byte[] secret : secrets) {
                verifiers.add(new MACVerifier(secret));
            }
            return new Keys(new MACSigner(secrets.getFirst()), verifiers);
        } catch (JOSEException e) {
            throw new IllegalStateException("while making the URL keys of " + tenant.ref(), e);
        }
    }
}
