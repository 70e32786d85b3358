package svc.auth;

import java.util.List;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRoutes;
import svc.auth.http.AuthRoutes.Endpoint;

/** GoTrue's features that this service does not have, answered as GoTrue answers where they are disabled. */
final class UnsupportedEndpoints {
    private UnsupportedEndpoints() {}

    /** Sign-in with a wallet: {@code POST /token?grant_type=web3}. */
    static Endpoint web3() {
        return refusing(AuthErrorCode.WEB3_DISABLED);
    }

    static AuthRoutes on(AuthRoutes routes) {
        Endpoint saml = refusing(AuthErrorCode.SAML_DISABLED);
        Endpoint passkeys = refusing(AuthErrorCode.PASSKEYS_DISABLED);
        Endpoint oauthServer = refusing(AuthErrorCode.OAUTH_SERVER_DISABLED);
        routes.on("POST", "/sso", saml)
                .on("GET", "/sso/saml/metadata", saml)
                .on("POST", "/sso/saml/acs", saml)
                .on("GET", "/passkeys", passkeys)
                .on("PATCH", "/passkeys/{id}", passkeys)
                .on("DELETE", "/passkeys/{id}", passkeys)
                .on("POST", "/passkeys/authentication/options", passkeys)
                .on("POST", "/passkeys/authentication/verify", passkeys)
                .on("POST", "/passkeys/registration/options", passkeys)
                .on("POST", "/passkeys/registration/verify", passkeys)
                .on("GET", "/admin/users/{id}/passkeys", passkeys)
                .on("DELETE", "/admin/users/{id}/passkeys/{passkey}", passkeys)
                .on("GET", "/.well-known/oauth-authorization-server", oauthServer)
                .on("GET", "/user/oauth/grants", oauthServer)
                .on("DELETE", "/user/oauth/grants", oauthServer)
                .on("GET", "/oauth/authorizations/{id}", oauthServer)
                .on("POST", "/oauth/authorizations/{id}/consent", oauthServer);
        resource(routes, "/admin/oauth/clients", oauthServer);
        resource(routes, "/admin/sso/providers", saml);
        resource(routes, "/admin/custom-providers", refusing(AuthErrorCode.CUSTOM_PROVIDERS_IN_PROJECT));
        return routes;
    }

    private static void resource(AuthRoutes routes, String path, Endpoint endpoint) {
        List.of("GET", "POST").forEach(method -> routes.on(method, path, endpoint));
        List.of("GET", "PUT", "DELETE").forEach(method -> routes.on(method, path + "/{id}", endpoint));
    }

    private static Endpoint refusing(AuthErrorCode code) {
        return request -> {
            throw code.error();
        };
    }
}
