package svc.platform.dataplane;

import io.vertx.ext.web.RoutingContext;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of one request in answers, logs and the audit. A caller may bring its own, so that its logs and ours can be
 * joined; what it brings is taken only when it can do no harm in a header, a log line or SQL's application_name.
 */
public final class RequestId {
    /** The header in which a request id is accepted and given back. */
    public static final String HEADER = "x-request-id";

    /** The same id once more, under the name that Supabase's tools look for. */
    public static final String SUPABASE_HEADER = "sb-request-id";

    /** The key of the id in the logging context. */
    public static final String LOG_KEY = "request_id";

    private static final String CONTEXT_KEY = "svc.request-id";
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9._:/+=-]{1,128}");
    private static final int BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RequestId() {}

    /** The presented id when it is safe, a new one otherwise. */
    static String acceptOrMint(Optional<String> presented) {
        return presented.filter(id -> SAFE.matcher(id).matches()).orElseGet(RequestId::mint);
    }

    private static String mint() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static void attach(RoutingContext context, String id) {
        context.put(CONTEXT_KEY, id);
    }

    /** The id of a request that the gateway has seen; minted on the spot for one that failed before it got there. */
    public static String of(RoutingContext context) {
        String id = context.get(CONTEXT_KEY);
        if (id == null) {
            id = acceptOrMint(Optional.ofNullable(context.request().getHeader(HEADER)));
            attach(context, id);
        }
        return id;
    }
}
