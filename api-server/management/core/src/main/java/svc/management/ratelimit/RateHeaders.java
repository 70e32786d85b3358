package svc.management.ratelimit;

import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import svc.platform.ratelimit.RateDecision;

/**
 * The headers of an answer whose call counted against a limit: those of Supabase and GitHub, and those of the IETF's draft. A
 * call that counts against several limits shows the one that is nearest to its end.
 */
public final class RateHeaders {
    private static final String SHOWN = "svc.rate-decision";
    private static final List<String> PREFIXES = List.of("x-ratelimit-", "ratelimit-");

    private RateHeaders() {}

    /** Set on the HTTP response itself, so that problems carry them, too. */
    public static void write(RoutingContext context, RateDecision decision) {
        RateDecision before = context.get(SHOWN);
        if (before != null && !isTighter(decision, before)) {
            return;
        }
        context.put(SHOWN, decision);
        MultiMap headers = context.response().headers();
        for (String prefix : PREFIXES) {
            headers.set(prefix + "limit", Integer.toString(decision.limit()));
            headers.set(prefix + "remaining", Integer.toString(decision.remaining()));
            headers.set(prefix + "reset", Long.toString(decision.resetSeconds()));
        }
    }

    private static boolean isTighter(RateDecision one, RateDecision other) {
        return one.allowed() == other.allowed() ? one.remaining() < other.remaining() : !one.allowed();
    }
}
