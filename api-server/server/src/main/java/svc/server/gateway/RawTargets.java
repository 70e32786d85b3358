package svc.server.gateway;

import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;

/**
 * Lets addresses through that are no URI by the letter, such as {@code ?data->>k=eq.1}: PostgREST takes them, and people
 * write them by hand. Quarkus would answer 400 without a body, before any route; {@link Gateway} judges them instead.
 *
 * <p>The switch is read once, when a class of Quarkus is loaded, and is no setting. Configuration is the only thing that
 * every process reads before that, whatever its main class; nothing is configured here.
 */
public final class RawTargets implements SmallRyeConfigBuilderCustomizer {
    @Override
    public void configBuilder(SmallRyeConfigBuilder builder) {
        System.setProperty("vertx.disableURIValidation", "true");
    }
}
