package svc.auth;

import java.util.List;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRoutes;
import svc.auth.http.AuthRoutes.Endpoint;

/**
 * What GoTrue has and this service has not. It is answered as GoTrue answers where such a thing is switched off: clients and
 * those who wrote them know how to tell that.
 */
final class SwitchedOff {
    private static final String OAUTH = "feature_disabled";

    private SwitchedOff() {}

    /** Sign-in with a wallet: {@code POST /token?grant_type=web3}. */
    static Endpoint web3() {
        return answering(422, "web3_provider_disabled", "Web3 provider is disabled");
    }

    static AuthRoutes on(AuthRoutes routes) {
        Endpoint saml = answering(404, "saml_provider_disabled", "SAML 2.0 is disabled");
        routes.on("POST", "/sso", saml).on("GET", "/sso/saml/metadata", saml).on("POST", "/sso/saml/acs", saml);
        Endpoint passkeys = answering(404, "passkey_disabled", "Passkeys are disabled");
        routes.on("GET", "/passkeys", passkeys)
                .on("PATCH", "/passkeys/{id}", passkeys)
                .on("DELETE", "/passkeys/{id}", passkeys)
                .on("GET", "/admin/users/{id}/passkeys", passkeys)
                .on("DELETE", "/admin/users/{id}/passkeys/{passkey}", passkeys);
        for (String step : List.of("authentication", "registration")) {
            routes.on("POST", "/passkeys/" + step + "/options", passkeys)
                    .on("POST", "/passkeys/" + step + "/verify", passkeys);
        }
        Endpoint server = answering(404, OAUTH, "OAuth server is disabled");
        routes.on("GET", "/user/oauth/grants", server)
                .on("DELETE", "/user/oauth/grants", server)
                .on("GET", "/oauth/authorizations/{id}", server)
                .on("POST", "/oauth/authorizations/{id}/consent", server);
        for (String path : List.of("/admin/oauth/clients", "/admin/custom-providers", "/admin/sso/providers")) {
            Endpoint off = path.endsWith("clients")
                    ? server
                    : path.startsWith("/admin/sso")
                            ? saml
                            : answering(404, OAUTH, "Providers of a project are settings of the Project");
            routes.on("GET", path, off)
                    .on("POST", path, off)
                    .on("GET", path + "/{id}", off)
                    .on("PUT", path + "/{id}", off)
                    .on("DELETE", path + "/{id}", off);
        }
        return routes;
    }

    private static Endpoint answering(int status, String code, String message) {
        return request -> {
            throw new AuthError(status, code, message);
        };
    }
}
