package svc.management.function.bundle;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.time.Duration;
import java.util.List;

/** Bundling of functions. */
@ConfigMapping(prefix = "svc.api.functions")
public interface BundleConfig {
    /**
     * Registries that functions may import from, each reached by https. An entry {@code http://host:port} is a registry of
     * one's own without TLS.
     */
    @WithDefault("esm.sh,deno.land,jsr.io,cdn.jsdelivr.net,unpkg.com,cdn.skypack.dev")
    List<String> importHosts();

    /** Where {@code npm:} packages come from. */
    @WithDefault("https://registry.npmjs.org")
    String npmRegistry();

    /** Where {@code jsr:} packages come from. */
    @WithDefault("https://jsr.io")
    String jsrRegistry();

    /** Whether a registry may have a private address: for a mirror of one's own, which is then as open to functions. */
    @WithDefault("false")
    boolean privateRegistries();

    /** Functions that are bundled, or started for the first time, at the same time. */
    @WithDefault("2")
    int bundlers();

    /**
     * Calls of one project that may wait for a bundler; one more is refused. Twice as many of an organisation's projects
     * together, and eight times as many of all.
     */
    @WithDefault("16")
    @WithName("bundle-queue")
    int queue();

    /** Longest bundling of one function. */
    @WithDefault("30s")
    Duration bundleTime();

    /** Longest first start of one function. */
    @WithDefault("10s")
    Duration bootTime();
}
