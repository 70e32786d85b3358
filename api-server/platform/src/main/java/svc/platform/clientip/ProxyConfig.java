package svc.platform.clientip;

import io.smallrye.config.ConfigMapping;
import java.util.List;
import java.util.Optional;

/** Whose word on a caller's address is believed: by the audit, and by limits for each address. */
@ConfigMapping(prefix = "svc.api.proxies")
public interface ProxyConfig {
    /**
     * Proxies whose X-Forwarded-For is believed: addresses, or networks such as {@code 10.0.0.0/8}. Empty: none, and the
     * address is that of the connection.
     */
    Optional<List<String>> trusted();
}
