package svc.auth.limit;

import io.vertx.mutiny.redis.client.RedisAPI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/** The addresses of recent sign-ins of an account. Without Redis none is known: the limit for strangers applies to all. */
final class KnownAddresses {
    private static final Logger LOG = Logger.getLogger(KnownAddresses.class);
    private static final Duration KEPT = Duration.ofDays(30);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final RedisAPI redis;

    KnownAddresses(RedisAPI redis) {
        this.redis = redis;
    }

    /** Does not block. */
    void add(UUID projectId, String account, String address) {
        redis.set(List.of(key(projectId, account, address), "1", "EX", Long.toString(KEPT.toSeconds())))
                .subscribe()
                .with(
                        done -> {},
                        failure -> LOG.debugf("the address of a sign-in was not stored: %s", failure.toString()));
    }

    boolean holds(UUID projectId, String account, String address) {
        try {
            return redis.get(key(projectId, account, address)).await().atMost(TIMEOUT) != null;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static String key(UUID projectId, String account, String address) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest((account + " " + address).getBytes(StandardCharsets.UTF_8));
            return "svc:" + projectId + ":auth-known:" + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
