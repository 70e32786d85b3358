package svc.operator.config;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** The operator's configuration without a Quarkus application around it. */
public final class PlainOperatorConfig {
    private static final int ORDINAL = 100;

    private PlainOperatorConfig() {}

    /**
     * @param values by their full keys, {@code svc.…}; what is left out has its default, and nothing is read from the
     *     environment
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
