package svc.server.gateway;

import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/**
 * Admits request targets that are not valid URIs, such as {@code ?data->>k=eq.1}: PostgREST accepts them, and people
 * write them by hand. Quarkus would answer 400 without a body, before any route; {@link Gateway} checks them instead.
 *
 * <p>The switch is a system property that a Quarkus class reads once when it is loaded. Configuration is the only code
 * that every process runs before that, whatever its main class; nothing is configured here.
 */
public final class RawTargets implements SmallRyeConfigBuilderCustomizer {
    @Override
    public void configBuilder(SmallRyeConfigBuilder builder) {
        System.setProperty("vertx.disableURIValidation", "true");
    }
}
