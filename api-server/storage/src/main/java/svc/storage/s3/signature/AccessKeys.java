package svc.storage.s3.signature;

import io.vertx.core.Future;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import svc.database.key.ApiKey;
import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;
import svc.database.key.S3AccessKey;
import svc.platform.config.PurposeRoots;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.SessionTokens;
import svc.platform.tenancy.Tenant;
import svc.storage.s3.xml.S3Error;

/**
 * The credentials that a project accepts: its access keys, which act as the service role; and its ref with the anon key as
 * the secret and a user's token as the session token, which act as that user.
 */
public final class AccessKeys {
    private static final long READY_SECONDS = 10;

    private final PurposeRoots roots;
    private final SessionTokens tokens;

    public AccessKeys(PurposeRoots roots, SessionTokens tokens) {
        this.roots = roots;
        this.tokens = tokens;
    }

    /**
     * A credential that exists.
     *
     * @param secrets of which one must have signed; several while a key is rotated
     * @param caller asked when the signature is verified
     */
    record Identity(List<String> secrets, Supplier<Caller> caller) {
        /** Secrets must not be logged. */
        @Override
        public String toString() {
            return "Identity";
        }
    }

    /** @throws S3Error for a key that this project does not have */
    Identity find(Tenant tenant, String accessKey, Optional<String> sessionToken) {
        if (sessionToken.isPresent()) {
            if (!accessKey.equals(tenant.ref())) {
                throw S3Error.unknownAccessKey();
            }
            return new Identity(anonKeys(tenant), () -> session(tenant, sessionToken.get()));
        }
        boolean known = S3AccessKey.isId(accessKey)
                && tenant.storage().accessKeys().stream().anyMatch(key -> accessKey.equals(key.id()));
        if (!known) {
            throw S3Error.unknownAccessKey();
        }
        PurposeRoot root = roots.require(Purpose.SERVICE_KEY, tenant.masterKeyVersion());
        String secret =
                S3AccessKey.secret(root.leaf(tenant.scope().withKeyVersion(S3AccessKey.KEY_VERSION)), accessKey);
        return new Identity(List.of(secret), Caller::service);
    }

    private List<String> anonKeys(Tenant tenant) {
        PurposeRoot root = roots.require(Purpose.ANON_KEY, tenant.masterKeyVersion());
        return tenant.keyVersions().getOrDefault(Purpose.ANON_KEY, Set.of(1)).stream()
                .sorted(Collections.reverseOrder())
                .map(version -> ApiKey.of(root.leaf(tenant.scope().withKeyVersion(version))))
                .toList();
    }

    private Caller session(Tenant tenant, String token) {
        Future<Void> ready = tokens.ready(tenant);
        if (!ready.isComplete()) {
            await(ready);
        }
        return tokens.caller(tenant, token).orElseThrow(S3Error::invalidToken);
    }

    /** A key set that cannot be loaded verifies no token, which is the answer then. */
    private static void await(Future<Void> ready) {
        try {
            ready.toCompletionStage().toCompletableFuture().get(READY_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw S3Error.invalidToken();
        } catch (ExecutionException | TimeoutException e) {
            throw S3Error.invalidToken();
        }
    }
}
