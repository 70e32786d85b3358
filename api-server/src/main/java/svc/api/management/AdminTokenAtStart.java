package svc.api.management;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.api.db.SqlError;
import svc.api.management.token.AdminToken;
import svc.api.runtime.ApiConfig;
import svc.api.runtime.ServerRole;

/** Stores the configured admin token at the start of a control plane. */
@ApplicationScoped
class AdminTokenAtStart {
    private static final Logger LOG = Logger.getLogger(AdminTokenAtStart.class);

    private final ApiConfig config;
    private final Instance<AdminToken> adminToken;

    AdminTokenAtStart(ApiConfig config, Instance<AdminToken> adminToken) {
        this.config = config;
        this.adminToken = adminToken;
    }

    void store(@Observes StartupEvent event) {
        Optional<String> given = config.tokens().admin();
        if (given.isEmpty() || !config.roles().contains(ServerRole.CONTROL)) {
            return;
        }
        try {
            adminToken.get().ensure(given);
        } catch (SqlError e) {
            // The platform's tables may be made later than this pod; its next start stores the token.
            LOG.errorf(e, "the admin token could not be stored");
        }
    }
}
