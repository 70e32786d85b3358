package svc.platform.dataplane;

import com.google.re2j.Pattern;
import io.vertx.ext.web.RoutingContext;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The id of one request in responses, logs and the audit. A client may send its own to correlate its logs with ours;
 * the id is accepted only if it is safe in a header, a log line and SQL's application_name.
 */
public final class RequestId {
    /** The header that carries the request id in requests and responses. */
    public static final String HEADER = "x-request-id";

    /** The same id under the header name that Supabase's tools read. */
    public static final String SUPABASE_HEADER = "sb-request-id";

    /** The MDC key of the id. */
    public static final String LOG_KEY = "request_id";

    private static final String CONTEXT_KEY = "svc.request-id";
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9._:/+=-]{1,128}");
    private static final int BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RequestId() {}

    /** The presented id if it is safe, otherwise a new one. */
    static String acceptOrMint(Optional<String> presented) {
        return presented.filter(id -> SAFE.matcher(id).matches()).orElseGet(RequestId::mint);
    }

    /** A new id, for an answer without a request that could be read. */
    public static String fresh() {
        return mint();
    }

    private static String mint() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static void attach(RoutingContext context, String id) {
        context.put(CONTEXT_KEY, id);
    }

    /** The id of a request that the gateway has seen; generated here for a request that failed before the gateway. */
    public static String of(RoutingContext context) {
        String id = context.get(CONTEXT_KEY);
        if (id == null) {
            id = acceptOrMint(Optional.ofNullable(context.request().getHeader(HEADER)));
            attach(context, id);
        }
        return id;
    }
}
