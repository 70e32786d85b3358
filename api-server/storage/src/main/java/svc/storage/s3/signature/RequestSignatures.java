package svc.storage.s3.signature;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.platform.tenancy.Tenant;
import svc.storage.s3.signature.AccessKeys.Identity;
import svc.storage.s3.signature.Verified.ChunkSigner;
import svc.storage.s3.xml.S3Error;

/**
 * Verifies signatures of requests, before their bodies are read.
 *
 * <p>As in S3, a signature is bound to its time and to all that it covers, and may be sent again within that time. What is
 * not covered cannot matter: every header of the protocol must be signed.
 */
public final class RequestSignatures {
    /** Between the client's clock and this one, as in S3. */
    private static final Duration SKEW = Duration.ofMinutes(15);

    private static final String SERVICE = "s3";

    private final AccessKeys keys;
    private final Clock clock;

    public RequestSignatures(AccessKeys keys, Clock clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * Who has signed a request.
     *
     * @param addresses that the client may have signed
     * @throws S3Error for a request that is not signed, not now, by no key of this project, or wrongly
     */
    public Verified verify(Tenant tenant, SignedRequest request, List<SignedAddress> addresses) {
        Presented presented = Presented.of(request);
        requireService(presented.scope());
        requireTime(presented);
        Identity identity = keys.find(tenant, presented.scope().accessKey(), presented.sessionToken());
        Set<String> names = Set.copyOf(presented.signed());
        for (String name : request.protocolHeaders()) {
            if (!names.contains(name)) {
                throw S3Error.accessDenied("There were headers present in the request which were not signed: " + name);
            }
        }
        byte[] key = signingKey(identity, request, presented, addresses);
        Optional<ChunkSigner> chunks = presented.validity().isPresent()
                ? Optional.empty()
                : Optional.of(new ChunkSigner(key, presented.time(), presented.scope(), presented.signature()));
        return new Verified(identity.caller().get(), presented.payload(), chunks);
    }

    private static void requireService(CredentialScope scope) {
        if (!scope.service().equals(SERVICE)) {
            throw S3Error.malformedAuthorization("The Credential must be of the service s3.");
        }
    }

    private void requireTime(Presented presented) {
        Instant signed = presented.instant();
        Instant now = clock.instant();
        if (presented.validity().isEmpty()) {
            if (Duration.between(signed, now).abs().compareTo(SKEW) > 0) {
                throw S3Error.skewed();
            }
            return;
        }
        if (now.isBefore(signed.minus(SKEW))) {
            throw S3Error.accessDenied("Request is not yet valid");
        }
        if (now.isAfter(signed.plus(presented.validity().get()))) {
            throw S3Error.accessDenied("Request has expired");
        }
    }

    private static byte[] signingKey(
            Identity identity, SignedRequest request, Presented presented, List<SignedAddress> addresses) {
        for (SignedAddress address : addresses) {
            String text = stringToSign(presented, request.canonical(address, presented.signed(), presented.payload()));
            for (String secret : identity.secrets()) {
                byte[] key = SigV4.key(secret, presented.scope());
                if (SigV4.same(SigV4.sign(key, text), presented.signature())) {
                    return key;
                }
            }
        }
        throw S3Error.signatureDoesNotMatch();
    }

    private static String stringToSign(Presented presented, String canonical) {
        return SigV4.ALGORITHM + "\n" + presented.time() + "\n"
                + presented.scope().text() + "\n" + SigV4.sha256(canonical);
    }

    /**
     * Who has signed a POST policy.
     *
     * @param policy as it was sent, base64
     * @throws S3Error as {@link #verify}
     */
    public Verified verifyPolicy(
            Tenant tenant, String policy, String credential, String signature, Optional<String> sessionToken) {
        CredentialScope scope = CredentialScope.parse(credential)
                .orElseThrow(() -> S3Error.malformedAuthorization(
                        "x-amz-credential must be <access key>/<yyyyMMdd>/<region>/s3/aws4_request."));
        requireService(scope);
        Identity identity = keys.find(tenant, scope.accessKey(), sessionToken);
        boolean right = identity.secrets().stream()
                .anyMatch(secret -> SigV4.same(SigV4.sign(SigV4.key(secret, scope), policy), signature));
        if (!right) {
            throw S3Error.signatureDoesNotMatch();
        }
        return new Verified(identity.caller().get(), Payload.UNSIGNED, Optional.empty());
    }
}
