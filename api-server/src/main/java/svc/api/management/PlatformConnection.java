package svc.api.management;

import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import svc.api.db.PlatformDatabase;
import svc.api.db.PoolSettings;
import svc.api.runtime.ApiConfig;
import svc.api.runtime.PurposeRoots;
import svc.database.key.LoginSecret;
import svc.database.key.Purpose;

/** Where the control plane's own tables are. Made when first needed: a data plane has no platform database. */
@ApplicationScoped
class PlatformConnection {
    private static final int CONNECTIONS = 20;

    /** The version of the platform's logins; raised when their passwords are to change. */
    private static final int LOGIN_VERSION = 1;

    @Produces
    @Singleton
    @DefaultBean
    PlatformDatabase database(ApiConfig config, PurposeRoots roots) {
        String url = config.platform()
                .url()
                .orElseThrow(() -> new IllegalStateException("a control plane needs svc.api.platform.url"));
        return new PlatformDatabase(
                url,
                () -> config.platform().password().orElseGet(() -> derivedPassword(roots)),
                PoolSettings.defaults().withCap(CONNECTIONS));
    }

    void close(@Disposes PlatformDatabase database) {
        database.close();
    }

    private static String derivedPassword(PurposeRoots roots) {
        return roots.newest(Purpose.LOGIN_PLATFORM)
                .map(root -> LoginSecret.of(root.platformLeaf(LOGIN_VERSION)).password())
                .orElseThrow(() -> new IllegalStateException(
                        "a control plane needs the root login-svc-platform, see svc.api.keys, or a password"));
    }
}
