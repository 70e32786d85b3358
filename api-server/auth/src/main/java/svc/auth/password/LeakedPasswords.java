package svc.auth.password;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressCall;
import svc.platform.egress.EgressClient;
import svc.platform.egress.EgressResponse;

/**
 * Looks up leaked passwords in the range API of Have I Been Pwned: it gets the first five characters of the SHA-1 and returns
 * all hashes with that prefix, and padding, so that it does not learn the password. While the API is unavailable every
 * password is accepted: an outage elsewhere must not lock users out.
 */
public final class LeakedPasswords {
    private static final Logger LOG = Logger.getLogger(LeakedPasswords.class);
    private static final int PREFIX = 5;
    private static final int MAX_BYTES = 1024 * 1024;
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private final EgressClient egress;
    private final URI ranges;

    /** @param ranges ends with a slash */
    public LeakedPasswords(EgressClient egress, URI ranges) {
        this.egress = egress;
        this.ranges = ranges;
    }

    /** The public address. */
    public static URI ranges() {
        return URI.create("https://api.pwnedpasswords.com/range/");
    }

    boolean holds(CallOwner owner, String password) {
        String hash = hash(password);
        var call = new EgressCall(
                HttpMethod.GET,
                ranges.resolve(hash.substring(0, PREFIX)),
                Map.of("Add-Padding", "true", "User-Agent", "svc"),
                Buffer.buffer(),
                MAX_BYTES,
                LIMIT);
        try {
            EgressResponse answer = egress.call(owner, call)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            if (answer.status() == 200) {
                return isListed(answer.body().toString(StandardCharsets.UTF_8), hash.substring(PREFIX));
            }
            LOG.warnf("leaked passwords cannot be looked up: it answered %d", answer.status());
        } catch (CompletionException e) {
            LOG.warnf("leaked passwords cannot be looked up: %s", e.getCause().getMessage());
        }
        return false;
    }

    /** Padding entries have the count 0. */
    private static boolean isListed(String lines, String suffix) {
        return lines.lines().map(line -> line.strip().toUpperCase(Locale.ROOT)).anyMatch(line -> {
            int colon = line.indexOf(':');
            return colon > 0
                    && line.substring(0, colon).equals(suffix)
                    && !line.substring(colon + 1).strip().equals("0");
        });
    }

    private static String hash(String password) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(password.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().withUpperCase().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
