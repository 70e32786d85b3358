package svc.auth.provider;

import java.util.Map;
import java.util.Optional;
import svc.auth.flow.Challenge;
import svc.auth.provider.ProviderCalls.Client;
import svc.auth.provider.ProviderCalls.Tokens;

/** The protocol of one kind of provider. */
sealed interface SignInProvider permits OpenIdProvider, ApiProvider {
    /**
     * The authorization endpoint.
     *
     * @param members parameters beside client, scopes and state
     */
    record Entrance(String address, Map<String, String> members) {
        static Map<String, String> challenge(AuthorizationRequest authorization) {
            return Map.of("code_challenge", Challenge.hash(authorization.verifier()), "code_challenge_method", "S256");
        }
    }

    /**
     * The parameters of a callback.
     *
     * @param form Apple's {@code user}, sent with the first sign-in only
     * @param issuer RFC 9207
     */
    record Returned(String code, Optional<String> form, Optional<String> issuer) {}

    /** The provider's user, and its tokens. */
    record Known(ExternalUser user, Tokens tokens) {}

    /** The default scopes, separated by spaces. */
    String scopes();

    /** @throws ProviderFault when the provider is unavailable */
    Entrance entrance(AuthorizationRequest authorization);

    /** @throws ProviderFault when the provider refuses the code, or its answer is not valid */
    Known answer(Client client, AuthorizationRequest authorization, Returned returned);
}
