package svc.crds.project.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys of a JSON Web Key Set (RFC 7517) that may verify tokens of another issuer. Any stranger can make us verify a
 * signature with one of them, so a key is limited to what one verification may cost: RSA of 2,048 to 4,096 bits with a
 * short exponent, the curves P-256, P-384 and P-521, and no more than {@link #MAX_KEYS}. A token names its key by kid, so
 * that it costs one verification whatever the set holds. Pure.
 *
 * @param keys the usable keys, each reduced to the members that verification needs
 * @param faults why other keys are unusable: for the author of the set. Says nothing of keys for encryption and of
 *     algorithms that are not supported, which issuers publish beside the others
 */
public record VerifyKeySet(List<JsonNode> keys, List<String> faults) {
    public static final int MAX_KEYS = 16;

    /** Of a whole set, in characters. */
    public static final int MAX_LENGTH = 65_536;

    private static final int MIN_RSA_BITS = 2048;
    private static final int MAX_RSA_BITS = 4096;

    /** A verification costs as many multiplications as the exponent has bits; 65537 has 17. */
    private static final int MAX_EXPONENT_BITS = 32;

    /** RFC 7518 §3.2. */
    private static final int MIN_SECRET_BYTES = 32;

    private static final Map<String, Integer> CURVES = Map.of("P-256", 32, "P-384", 48, "P-521", 66);
    private static final List<String> NEEDED = List.of("kty", "kid", "alg", "use", "n", "e", "crv", "x", "y", "k");
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    public VerifyKeySet {
        keys = List.copyOf(keys);
        faults = List.copyOf(faults);
    }

    /** The origin of a set. */
    public enum Origin {
        /** A Secret: may hold shared secrets too. */
        SECRET,
        /** A URL: a shared secret there is none. */
        PUBLISHED
    }

    /** @throws IllegalArgumentException when the text is no key set; the message does not repeat it */
    public static VerifyKeySet read(String text, Origin origin) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("is longer than " + MAX_LENGTH + " characters");
        }
        JsonNode listed;
        try {
            listed = JSON.readTree(text).path("keys");
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("is not JSON");
        }
        if (!listed.isArray()) {
            throw new IllegalArgumentException("is no JSON Web Key Set: it has no array \"keys\"");
        }
        return new Reader(origin).read(listed);
    }

    /**
     * Why a set in a Secret is refused as a whole, although some of its keys may be usable: its author should know which
     * keys verify tokens. Empty for one that is used whole.
     */
    public static Optional<String> fault(String text) {
        try {
            VerifyKeySet set = read(text, Origin.SECRET);
            return set.keys.isEmpty() && set.faults.isEmpty()
                    ? Optional.of("it has no key for signatures of type RSA, EC or oct")
                    : set.faults.stream().findFirst();
        } catch (IllegalArgumentException e) {
            return Optional.of("it " + e.getMessage());
        }
    }

    private static final class Reader {
        private final Origin origin;
        private final List<JsonNode> usable = new ArrayList<>();
        private final List<String> faults = new ArrayList<>();
        private final Set<String> names = new HashSet<>();
        private final Map<String, Integer> ofType = new HashMap<>();

        Reader(Origin origin) {
            this.origin = origin;
        }

        VerifyKeySet read(JsonNode listed) {
            listed.forEach(key -> {
                if (isCandidate(key)) {
                    ofType.merge(key.path("kty").textValue(), 1, Integer::sum);
                }
            });
            int candidates =
                    ofType.values().stream().mapToInt(Integer::intValue).sum();
            if (candidates > MAX_KEYS) {
                faults.add("it has " + candidates + " keys, and " + MAX_KEYS + " may be used");
            }
            for (int i = 0; i < listed.size() && usable.size() < MAX_KEYS; i++) {
                take(listed.get(i), i);
            }
            return new VerifyKeySet(usable, faults);
        }

        private boolean isCandidate(JsonNode key) {
            String use = key.path("use").asText("sig");
            return use.equals("sig")
                    && switch (key.path("kty").asText()) {
                        case "RSA", "EC" -> true;
                        case "oct" -> origin == Origin.SECRET;
                        default -> false;
                    };
        }

        private void take(JsonNode key, int position) {
            if (!isCandidate(key)) {
                return;
            }
            String fault = fault(key);
            if (fault == null) {
                usable.add(reduced(key));
            } else if (faults.size() < MAX_KEYS) {
                faults.add("key " + (position + 1) + " " + fault);
            }
        }

        private static JsonNode reduced(JsonNode key) {
            ObjectNode kept = JSON.createObjectNode();
            // A certificate chain (x5c) is not used, and reading it would cost more than reading the key.
            NEEDED.stream().filter(key::hasNonNull).forEach(name -> kept.set(name, key.get(name)));
            return kept;
        }

        /** Null for a usable key. */
        private String fault(JsonNode key) {
            String kid = key.path("kid").asText("");
            if (kid.isEmpty() && ofType.get(key.path("kty").textValue()) > 1) {
                return "has no kid: each needs one where there are several";
            }
            if (!kid.isEmpty() && !names.add(key.path("kty").textValue() + ' ' + kid)) {
                return "has the kid of another";
            }
            try {
                return switch (key.path("kty").textValue()) {
                    case "RSA" -> rsaFault(number(key, "n"), number(key, "e"));
                    case "EC" -> curveFault(key);
                    default -> bytes(key, "k").length < MIN_SECRET_BYTES ? "is shorter than 32 bytes" : null;
                };
            } catch (IllegalArgumentException e) {
                return "has a member that is not base64url";
            }
        }

        private static String rsaFault(BigInteger modulus, BigInteger exponent) {
            int bits = modulus.bitLength();
            if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
                return "is RSA of " + bits + " bits: use " + MIN_RSA_BITS + " to " + MAX_RSA_BITS;
            }
            boolean odd = exponent.testBit(0) && exponent.compareTo(BigInteger.TWO) > 0;
            return odd && exponent.bitLength() <= MAX_EXPONENT_BITS
                    ? null
                    : "has an unusual exponent: use 65537 (AQAB)";
        }

        private static String curveFault(JsonNode key) {
            Integer length = CURVES.get(key.path("crv").asText());
            if (length == null) {
                return "is of a curve other than P-256, P-384 and P-521";
            }
            return bytes(key, "x").length > length || bytes(key, "y").length > length
                    ? "is no point of its curve"
                    : null;
        }

        private static BigInteger number(JsonNode key, String name) {
            return new BigInteger(1, bytes(key, name));
        }

        private static byte[] bytes(JsonNode key, String name) {
            return Base64.getUrlDecoder().decode(key.path(name).asText(""));
        }
    }
}
