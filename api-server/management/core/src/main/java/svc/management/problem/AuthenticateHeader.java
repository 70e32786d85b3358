package svc.management.problem;

import io.vertx.ext.web.RoutingContext;

/** The header WWW-Authenticate of a 401: where a caller of this path learns how to authenticate. */
public final class AuthenticateHeader {
    private static final String KEY = "svc.authenticate";
    private static final String BEARER = "Bearer";

    private AuthenticateHeader() {}

    /** For an answer to this request that refuses its credentials. */
    public static void prepare(RoutingContext context, String challenge) {
        context.put(KEY, challenge);
    }

    public static String of(RoutingContext context) {
        String prepared = context.get(KEY);
        return prepared == null ? BEARER : prepared;
    }
}
