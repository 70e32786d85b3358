package svc.auth.provider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import svc.platform.json.ForeignJson;

/**
 * The discovery document of an OpenID provider (OpenID Connect Discovery 1.0, 3).
 *
 * @param issuer the claim {@code iss}; Azure's has {@code {tenantid}} in the place of the directory
 * @param secretInBody whether the client's secret is sent in the form, else in a header
 * @param challenges whether it supports PKCE (RFC 7636)
 * @param namesItself whether its callbacks have {@code iss} (RFC 9207)
 */
record ProviderMetadata(
        String issuer,
        URI authorize,
        URI token,
        Optional<URI> userInfo,
        URI keys,
        boolean secretInBody,
        boolean challenges,
        boolean namesItself) {
    private static final ObjectMapper JSON = ForeignJson.mapper();

    /** @throws ProviderFault for a document without a required member */
    static ProviderMetadata read(String text) {
        JsonNode document = parsed(text);
        String issuer = document.path("issuer").asText("");
        if (issuer.isEmpty()) {
            throw new ProviderFault("its discovery document names no issuer");
        }
        boolean secure = issuer.startsWith("https://");
        JsonNode secrets = document.path("token_endpoint_auth_methods_supported");
        return new ProviderMetadata(
                issuer,
                address(document, "authorization_endpoint", secure).orElseThrow(() -> lacks("authorization_endpoint")),
                address(document, "token_endpoint", secure).orElseThrow(() -> lacks("token_endpoint")),
                address(document, "userinfo_endpoint", secure),
                address(document, "jwks_uri", secure).orElseThrow(() -> lacks("jwks_uri")),
                names(secrets, "client_secret_post"),
                names(document.path("code_challenge_methods_supported"), "S256"),
                document.path("authorization_response_iss_parameter_supported").asBoolean(false));
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new ProviderFault("its discovery document is no JSON");
        }
    }

    private static ProviderFault lacks(String name) {
        return new ProviderFault("its discovery document has no " + name);
    }

    private static boolean names(JsonNode list, String value) {
        for (JsonNode one : list) {
            if (one.asText().equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<URI> address(JsonNode document, String name, boolean secure) {
        String text = document.path(name).asText("");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI address = new URI(text);
            boolean web = address.getHost() != null
                    && address.getRawFragment() == null
                    && ("https".equals(address.getScheme()) || !secure && "http".equals(address.getScheme()));
            if (!web) {
                throw new ProviderFault("the " + name + " of its discovery document is no address of its kind");
            }
            return Optional.of(address);
        } catch (URISyntaxException e) {
            throw new ProviderFault("the " + name + " of its discovery document is no address");
        }
    }
}
