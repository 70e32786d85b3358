package svc.management.mcp.oauth;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A client that registered itself. It is public: it has no secret, and its name is what it says of itself. */
record OAuthClient(UUID id, String name, List<String> redirectUris, Instant createdAt) {
    OAuthClient {
        redirectUris = List.copyOf(redirectUris);
    }

    /** @throws OAuthError if it did not register the address */
    RedirectAddress redirect(String given) {
        RedirectAddress address = RedirectAddress.of(given);
        if (redirectUris.stream().noneMatch(address::matches)) {
            throw OAuthError.of(OAuthError.INVALID_REQUEST, "The client did not register this redirect_uri.");
        }
        return address;
    }
}
