package svc.auth;

import java.util.List;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRoutes;
import svc.auth.http.AuthRoutes.Endpoint;

/**
 * What GoTrue has and this service has not. It is answered as GoTrue answers where such a thing is switched off: clients and
 * those who wrote them know how to tell that.
 */
final class UnsupportedEndpoints {
    private UnsupportedEndpoints() {}

    /** Sign-in with a wallet: {@code POST /token?grant_type=web3}. */
    static Endpoint web3() {
        return answering(AuthErrorCode.WEB3_DISABLED);
    }

    static AuthRoutes on(AuthRoutes routes) {
        Endpoint saml = answering(AuthErrorCode.SAML_DISABLED);
        routes.on("POST", "/sso", saml).on("GET", "/sso/saml/metadata", saml).on("POST", "/sso/saml/acs", saml);
        Endpoint passkeys = answering(AuthErrorCode.PASSKEYS_DISABLED);
        routes.on("GET", "/passkeys", passkeys)
                .on("PATCH", "/passkeys/{id}", passkeys)
                .on("DELETE", "/passkeys/{id}", passkeys)
                .on("GET", "/admin/users/{id}/passkeys", passkeys)
                .on("DELETE", "/admin/users/{id}/passkeys/{passkey}", passkeys);
        for (String step : List.of("authentication", "registration")) {
            routes.on("POST", "/passkeys/" + step + "/options", passkeys)
                    .on("POST", "/passkeys/" + step + "/verify", passkeys);
        }
        Endpoint server = answering(AuthErrorCode.OAUTH_SERVER_DISABLED);
        routes.on("GET", "/user/oauth/grants", server)
                .on("DELETE", "/user/oauth/grants", server)
                .on("GET", "/oauth/authorizations/{id}", server)
                .on("POST", "/oauth/authorizations/{id}/consent", server);
        for (String path : List.of("/admin/oauth/clients", "/admin/custom-providers", "/admin/sso/providers")) {
            Endpoint off = path.endsWith("clients")
                    ? server
                    : path.startsWith("/admin/sso") ? saml : answering(AuthErrorCode.CUSTOM_PROVIDERS_IN_PROJECT);
            routes.on("GET", path, off)
                    .on("POST", path, off)
                    .on("GET", path + "/{id}", off)
                    .on("PUT", path + "/{id}", off)
                    .on("DELETE", path + "/{id}", off);
        }
        return routes;
    }

    private static Endpoint answering(AuthErrorCode code) {
        return request -> {
            throw code.error();
        };
    }
}
