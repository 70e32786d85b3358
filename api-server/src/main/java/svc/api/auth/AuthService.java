package svc.api.auth;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import svc.api.auth.password.PasswordHashes;
import svc.api.auth.token.ProjectTokens;
import svc.api.db.TenantTransactions;
import svc.api.runtime.PurposeRoots;

/** Puts the service together from the process's connections and roots. */
@ApplicationScoped
class AuthService {
    @Produces
    @Singleton
    AuthRequestHandler handler(TenantTransactions transactions, PurposeRoots roots, Clock clock) {
        return new AuthRequestHandler(transactions, new ProjectTokens(roots), new PasswordHashes(), clock);
    }
}
