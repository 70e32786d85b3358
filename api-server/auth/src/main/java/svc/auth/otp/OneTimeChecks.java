package svc.auth.otp;

import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRequest;
import svc.auth.limit.AuthLimits;
import svc.auth.rows.AuthSession;
import svc.auth.rows.OneTimeTokens;
import svc.auth.rows.OneTimeTokens.Sent;
import svc.auth.rows.OneTimeTokens.Type;
import svc.auth.token.OneTimeSecrets;
import svc.auth.token.ProjectTokens;
import svc.platform.tenancy.Tenant;

/** Finds the token that somebody shows, by its link or by its code, as long as it lives. */
public final class OneTimeChecks {
    private final ProjectTokens tokens;
    private final AuthLimits limits;
    private final Clock clock;

    public OneTimeChecks(ProjectTokens tokens, AuthLimits limits, Clock clock) {
        this.tokens = tokens;
        this.limits = limits;
        this.clock = clock;
    }

    /** @throws AuthError of 429 when links and codes have been tried too often from where the call comes */
    public void count(AuthRequest request) {
        limits.verification(request);
    }

    /** @throws AuthError of 429 when codes of an address have been tried too often */
    public void count(AuthRequest request, String address) {
        limits.code(request, address);
    }

    public Optional<Sent> byLink(Tenant tenant, AuthSession rows, String tokenHash, Collection<Type> types) {
        return new OneTimeTokens(rows)
                .byHash(OneTimeSecrets.kept(tokenHash), types)
                .filter(sent -> isAlive(tenant, sent));
    }

    public Optional<Sent> byCode(Tenant tenant, AuthSession rows, String address, String code, Collection<Type> types) {
        int digits = tenant.auth().email().otpLength();
        return new OneTimeTokens(rows)
                .byAddress(address, types).stream()
                        .filter(sent -> isAlive(tenant, sent))
                        .filter(sent -> tokens.oneTime(tenant).isCode(sent.hash(), digits, code))
                        .findFirst();
    }

    public boolean isAlive(Tenant tenant, Sent sent) {
        return sent.at().plusSeconds(tenant.auth().email().otpExpirySeconds()).isAfter(clock.instant());
    }
}
