package svc.auth.otp;

import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import svc.auth.rows.AuthSession;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.OneTimeTokens.Sent;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.token.OneTimeSecrets;
import svc.auth.token.ProjectTokens;
import svc.platform.tenancy.Tenant;

/** Finds the token of a link or a code, as long as it has not expired. */
public final class OneTimeChecks {
    private final ProjectTokens tokens;
    private final Clock clock;

    public OneTimeChecks(ProjectTokens tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    Optional<Sent> byLink(Tenant tenant, AuthSession db, String tokenHash, Collection<Type> types) {
        return new OneTimeTokens(db)
                .byHash(OneTimeSecrets.kept(tokenHash), types)
                .filter(sent -> isAlive(tenant, sent));
    }

    public Optional<Sent> byCode(Tenant tenant, AuthSession db, String address, String code, Collection<Type> types) {
        int digits = tenant.auth().email().otpLength();
        return new OneTimeTokens(db)
                .byAddress(address, types).stream()
                        .filter(sent -> isAlive(tenant, sent))
                        .filter(sent -> tokens.oneTime(tenant).isCode(sent.hash(), digits, code))
                        .findFirst();
    }

    private boolean isAlive(Tenant tenant, Sent sent) {
        return sent.at().plusSeconds(tenant.auth().email().otpExpirySeconds()).isAfter(clock.instant());
    }
}
