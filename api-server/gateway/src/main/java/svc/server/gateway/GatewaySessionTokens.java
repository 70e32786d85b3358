package svc.server.gateway;

import io.vertx.core.Future;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.SessionTokens;
import svc.platform.tenancy.Tenant;

/** Verifies a token as if it were the bearer of a request with the project's anon key. */
@ApplicationScoped
class GatewaySessionTokens implements SessionTokens {
    private final CredentialReader credentials;

    GatewaySessionTokens(CredentialReader credentials) {
        this.credentials = credentials;
    }

    @Override
    public Future<Void> ready(Tenant tenant) {
        return credentials.ready(tenant);
    }

    @Override
    public Optional<Caller> caller(Tenant tenant, String token) {
        Decision decision = CredentialTable.decide(new Credential.AnonKey(), credentials.token(token, tenant), false);
        return switch (decision) {
            case Decision.Accepted(Caller caller) -> Optional.of(caller);
            case Decision.Refused unused -> Optional.empty();
        };
    }
}
