package svc.platform.config;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Creates the key roots of this process from its configuration. */
@ApplicationScoped
class Secrets {
    @Produces
    @Singleton
    PurposeRoots roots(ApiConfig config, SidecarProject sidecar) {
        return sidecar.roots().orElseGet(() -> PurposeRoots.of(config.roles(), config.keys()));
    }
}
