package svc.extensions.worker;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the worker of extensions. */
@ConfigMapping(prefix = "svc.api.extensions")
public interface ExtensionConfig {
    /** Whether this process runs jobs and sends requests of projects, if it is a control plane. */
    @WithDefault("true")
    boolean worker();

    /** Connections to each shared database beside the one of the lead. */
    @WithDefault("4")
    int connections();
}
