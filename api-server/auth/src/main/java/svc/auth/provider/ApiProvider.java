package svc.auth.provider;

import java.net.URI;
import java.util.Map;
import java.util.function.BiFunction;
import svc.auth.provider.ProviderCalls.Client;
import svc.auth.provider.ProviderCalls.Tokens;

/**
 * A provider without ID tokens: its API returns the user.
 *
 * @param home the provider's address; its two endpoints are below {@code path}
 * @param user fetches the user with an access token
 */
record ApiProvider(
        String home,
        String path,
        String scopes,
        ProviderCalls calls,
        BiFunction<ProviderCalls, String, ExternalUser> user)
        implements SignInProvider {
    static ApiProvider gitHub(String home, String api, ProviderCalls calls) {
        return new ApiProvider(
                home,
                "/login/oauth",
                "user:email",
                calls,
                (ask, token) -> Profiles.ofGitHub(
                        api,
                        ask.get(URI.create(api + "/user"), token),
                        ask.get(URI.create(api + "/user/emails"), token)));
    }

    static ApiProvider gitLab(String home, ProviderCalls calls) {
        return new ApiProvider(
                home,
                "/oauth",
                "read_user",
                calls,
                (ask, token) -> Profiles.ofGitLab(home, ask.get(URI.create(home + "/api/v4/user"), token)));
    }

    @Override
    public Entrance entrance(AuthorizationRequest authorization) {
        return new Entrance(home + path + "/authorize", Entrance.challenge(authorization));
    }

    @Override
    public Known answer(Client client, AuthorizationRequest authorization, Returned returned) {
        String last = path.equals("/oauth") ? "/token" : "/access_token";
        Tokens tokens = calls.exchange(
                URI.create(home + path + last),
                client,
                true,
                returned.code(),
                Map.of("code_verifier", authorization.verifier()));
        return new Known(user.apply(calls, tokens.access()), tokens);
    }
}
