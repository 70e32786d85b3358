package svc.auth.otp;

import java.util.Optional;
import svc.auth.flow.Challenge;
import svc.auth.http.AuthRequest;
import svc.auth.redirect.RedirectTargets;

/**
 * How the link of a mail ends.
 *
 * @param challenge of a PKCE flow, which ends with a code; empty for an implicit flow, which ends with a session
 * @param redirect an address that the project allows
 */
public record LinkTarget(Optional<Challenge> challenge, String redirect) {
    /** @throws svc.auth.http.AuthError for an invalid challenge */
    public static LinkTarget of(AuthRequest request, RedirectTargets redirects) {
        return new LinkTarget(Challenge.of(request), redirects.of(request));
    }

    public static LinkTarget implicit(String redirect) {
        return new LinkTarget(Optional.empty(), redirect);
    }
}
