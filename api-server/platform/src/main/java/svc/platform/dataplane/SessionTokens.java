package svc.platform.dataplane;

import io.vertx.core.Future;
import java.util.Optional;
import svc.platform.tenancy.Tenant;

/**
 * Verifies tokens that a protocol carries in a place of its own, by the rules of the gateway: what a bearer beside the
 * project's anon key would be admitted as.
 */
public interface SessionTokens {
    /** Completes when the key sets of the project's other token issuers are loaded. */
    Future<Void> ready(Tenant tenant);

    /** The caller that a token stands for; empty for one that the gateway would reject. Call after {@link #ready}. */
    Optional<Caller> caller(Tenant tenant, String token);
}
