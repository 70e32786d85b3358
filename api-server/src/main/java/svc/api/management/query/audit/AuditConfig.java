package svc.api.management.query.audit;

import io.smallrye.config.ConfigMapping;
import java.util.List;
import java.util.Optional;

/** What the audit believes of a caller's address. */
@ConfigMapping(prefix = "svc.api.audit")
public interface AuditConfig {
    /**
     * Proxies whose X-Forwarded-For is believed: addresses, or networks such as {@code 10.0.0.0/8}. Empty: none, and the
     * address is that of the connection.
     */
    Optional<List<String>> trustedProxies();
}
