package svc.operator.config;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** Reads the operator's configuration without a Quarkus application. */
public final class PlainOperatorConfig {
    private static final int ORDINAL = 100;

    private PlainOperatorConfig() {}

    /**
     * @param values by full key, {@code svc.…}; other keys have their defaults, and the environment is ignored
     */
    public static OperatorConfig of(Map<String, String> values) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(OperatorConfig.class)
                .withSources(new PropertiesConfigSource(values, "given", ORDINAL))
                .build()
                .getConfigMapping(OperatorConfig.class);
    }
}
