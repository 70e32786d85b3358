package svc.database.key;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;

/**
 * An ES256 key pair of a project, derived: the same leaf gives the same pair on every pod. The private scalar is made as
 * FIPS 186-5, A.2.1 makes one of extra random bits: 64 more than the order has, so that the remainder is not biased.
 */
public final class SigningKey {
    private static final String CURVE = "P-256";
    private static final int COORDINATE_BYTES = 32;
    private static final int EXTRA_BYTES = 8;

    private final BigInteger secret;
    private final BigInteger x;
    private final BigInteger y;

    private SigningKey(BigInteger secret, BigInteger x, BigInteger y) {
        this.secret = secret;
        this.x = x;
        this.y = y;
    }

    /** From a leaf of {@link Purpose#SIGNING}; others are refused. */
    public static SigningKey of(DerivedKey leaf) {
        if (leaf.purpose() != Purpose.SIGNING) {
            throw new IllegalArgumentException("no signing key is made of " + leaf.purpose());
        }
        X9ECParameters curve = CustomNamedCurves.getByName(CURVE);
        BigInteger bits = new BigInteger(1, leaf.material("es256", COORDINATE_BYTES + EXTRA_BYTES));
        BigInteger secret = bits.mod(curve.getN().subtract(BigInteger.ONE)).add(BigInteger.ONE);
        org.bouncycastle.math.ec.ECPoint point =
                new FixedPointCombMultiplier().multiply(curve.getG(), secret).normalize();
        return new SigningKey(
                secret,
                point.getAffineXCoord().toBigInteger(),
                point.getAffineYCoord().toBigInteger());
    }

    /** The thumbprint of the public key (RFC 7638), so that it never names two different keys. */
    public String keyId() {
        // RFC 7638: the required members only, in the order of their names, without white space.
        String canonical = "{\"crv\":\"" + CURVE + "\",\"kty\":\"EC\",\"x\":\"" + coordinate(x) + "\",\"y\":\""
                + coordinate(y) + "\"}";
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }

    /** The public half as a JWK (RFC 7517), members in a fixed order. */
    public Map<String, String> publicJwk() {
        Map<String, String> jwk = new LinkedHashMap<>();
        jwk.put("kty", "EC");
        jwk.put("crv", CURVE);
        jwk.put("x", coordinate(x));
        jwk.put("y", coordinate(y));
        jwk.put("alg", "ES256");
        jwk.put("use", "sig");
        jwk.put("kid", keyId());
        return Collections.unmodifiableMap(jwk);
    }

    public ECPrivateKey privateKey() {
        try {
            return (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(secret, curve()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no P-256", e);
        }
    }

    public ECPublicKey publicKey() {
        try {
            return (ECPublicKey)
                    KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(new ECPoint(x, y), curve()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no P-256", e);
        }
    }

    private static ECParameterSpec curve() throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        return parameters.getParameterSpec(ECParameterSpec.class);
    }

    private static String coordinate(BigInteger value) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(ChecksummedText.unsigned(value, COORDINATE_BYTES));
    }

    @Override
    public String toString() {
        return "SigningKey[" + keyId() + "]";
    }
}
