package svc.auth.provider;

import java.util.Map;
import java.util.Optional;
import svc.auth.flow.Challenge;
import svc.auth.provider.ProviderCalls.Client;
import svc.auth.provider.ProviderCalls.Tokens;

/** How one kind of provider is spoken to. */
sealed interface SignInProvider permits OpenIdProvider, ApiProvider {
    /**
     * Where users are sent.
     *
     * @param address where they sign in
     * @param members what goes along beside client, scopes and state
     */
    record Entrance(String address, Map<String, String> members) {
        static Map<String, String> challenge(AuthorizationRequest visit) {
            return Map.of("code_challenge", Challenge.hash(visit.verifier()), "code_challenge_method", "S256");
        }
    }

    /**
     * What a provider sends users back with.
     *
     * @param form Apple's {@code user}, told once
     * @param issuer who says so (RFC 9207)
     */
    record Returned(String code, Optional<String> form, Optional<String> issuer) {}

    /** Who it was, and what the provider gave for the application. */
    record Known(ExternalUser user, Tokens tokens) {}

    /** What is asked for when nobody asks for more, separated by spaces. */
    String scopes();

    /** @throws ProviderFault when the provider cannot be asked */
    Entrance entrance(AuthorizationRequest visit);

    /** @throws ProviderFault when the code is not taken, or what comes for it is not believed */
    Known answer(Client client, AuthorizationRequest visit, Returned returned);
}
