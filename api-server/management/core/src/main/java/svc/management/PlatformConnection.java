package svc.management;

import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;
import svc.postgres.jdbc.PlatformDatabase;
import svc.postgres.pool.PoolSettings;

/** The connection to the control plane's own tables. Created on first use: a data plane has no platform database. */
@ApplicationScoped
class PlatformConnection {
    private static final int CONNECTIONS = 20;

    @Produces
    @Singleton
    @DefaultBean
    PlatformDatabase database(ApiConfig config, PurposeRoots roots) {
        String url = config.platform()
                .url()
                .orElseThrow(
                        () -> new IllegalStateException("svc.api.platform.url is not set; the control plane needs it"));
        return new PlatformDatabase(
                url,
                () -> PlatformPassword.of(config, roots),
                PoolSettings.defaults().withCap(CONNECTIONS));
    }

    void close(@Disposes PlatformDatabase database) {
        database.close();
    }
}
