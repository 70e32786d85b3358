package svc.auth;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import svc.auth.http.AuthRequest;
import svc.auth.http.AuthResponse;
import svc.auth.provider.Providers;
import svc.auth.token.ProjectTokens;
import svc.crds.project.auth.AuthSpec;

/** {@code /health}, {@code /settings}, and the public keys. */
final class Discovery {
    /** Clients read these members even if the project has no such provider. */
    private static final List<String> PROVIDERS = List.of(
            "apple",
            "azure",
            "bitbucket",
            "discord",
            "facebook",
            "figma",
            "fly",
            "github",
            "gitlab",
            "google",
            "kakao",
            "keycloak",
            "linkedin",
            "linkedin_oidc",
            "notion",
            "slack",
            "slack_oidc",
            "snapchat",
            "spotify",
            "twitch",
            "twitter",
            "workos",
            "x",
            "zoom");

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ProjectTokens tokens;

    Discovery(ProjectTokens tokens) {
        this.tokens = tokens;
    }

    static AuthResponse health() {
        return AuthResponse.ok(JSON.objectNode()
                .put("version", "svc")
                .put("name", "GoTrue")
                .put("description", "Users and sessions of one project, as GoTrue's clients expect them"));
    }

    static AuthResponse settings(AuthRequest request) {
        AuthSpec spec = request.tenant().auth();
        ObjectNode body = JSON.objectNode();
        ObjectNode external = body.putObject("external");
        external.put("anonymous_users", spec.anonymousSignIn());
        external.put("email", spec.email().enabled());
        external.put("phone", spec.phone().enabled());
        PROVIDERS.forEach(provider -> external.put(provider, false));
        Providers.enabled(request.tenant()).forEach(provider -> external.put(provider.name(), true));
        body.put("disable_signup", !spec.signUp());
        body.put("mailer_autoconfirm", spec.email().autoconfirm());
        body.put("phone_autoconfirm", spec.phone().autoconfirm());
        body.put("sms_provider", "");
        body.put("saml_enabled", false);
        body.put("passkeys_enabled", false);
        return AuthResponse.ok(body);
    }

    /** For the verification of the project's tokens; the service is no OpenID provider for other applications. */
    static AuthResponse openId(AuthRequest request) {
        String issuer = request.tenant().authUrl();
        ObjectNode body = JSON.objectNode();
        body.put("issuer", issuer).put("jwks_uri", issuer + "/.well-known/jwks.json");
        body.putArray("id_token_signing_alg_values_supported").add("ES256");
        body.putArray("subject_types_supported").add("public");
        body.putArray("response_types_supported");
        ArrayNode claims = body.putArray("claims_supported");
        List.of("sub", "aud", "iss", "exp", "iat", "email", "phone", "role", "session_id", "aal", "amr")
                .forEach(claims::add);
        return AuthResponse.ok(body).with("Cache-Control", "public, max-age=600");
    }

    AuthResponse keys(AuthRequest request) {
        ObjectNode body = JSON.objectNode();
        var keys = body.putArray("keys");
        tokens.published(request.tenant()).forEach(jwk -> {
            ObjectNode key = keys.addObject();
            jwk.forEach(key::put);
            key.putArray("key_ops").add("verify");
        });
        return AuthResponse.ok(body).with("Cache-Control", "public, max-age=600");
    }
}
