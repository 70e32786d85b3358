package svc.auth.provider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import svc.auth.provider.ProviderCalls.Client;
import svc.auth.provider.ProviderCalls.Tokens;
import svc.crds.project.auth.ProviderSpec;
import svc.crds.project.auth.ProviderType;
import svc.platform.json.ForeignJson;

/** A provider with OpenID Connect and a discovery document. */
record OpenIdProvider(ProviderSpec spec, String home, ProviderDirectory directory, ProviderCalls calls, IdTokens tokens)
        implements SignInProvider {
    private static final ObjectMapper JSON = ForeignJson.mapper();
    private static final String ANY_DIRECTORY = "{tenantid}";
    private static final Pattern DIRECTORY = Pattern.compile("[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}");

    @Override
    public String scopes() {
        return spec.type() == ProviderType.APPLE ? "openid name email" : "openid email profile";
    }

    @Override
    public Entrance entrance(AuthorizationRequest authorization) {
        ProviderMetadata metadata = directory.metadata(calls.owner(), spec);
        Map<String, String> members = new HashMap<>();
        members.put("nonce", authorization.nonce());
        if (metadata.challenges()) {
            members.putAll(Entrance.challenge(authorization));
        }
        if (spec.type() == ProviderType.APPLE) {
            // Apple sends name and address only by this response mode.
            members.put("response_mode", "form_post");
        }
        return new Entrance(metadata.authorize().toString(), members);
    }

    @Override
    public Known answer(Client client, AuthorizationRequest authorization, Returned returned) {
        ProviderMetadata metadata = directory.metadata(calls.owner(), spec);
        requireOwn(metadata, returned);
        Map<String, String> more = metadata.challenges() ? Map.of("code_verifier", authorization.verifier()) : Map.of();
        Tokens given = calls.exchange(
                metadata.token(),
                client,
                metadata.secretInBody() || spec.type() == ProviderType.APPLE,
                returned.code(),
                more);
        if (given.id().isEmpty()) {
            throw new ProviderFault("it gave no ID token");
        }
        SignedJWT token = IdTokens.parsed(given.id());
        JWTClaimsSet claims = checked(metadata, token, Set.of(client.id()));
        String party = IdTokens.text(claims, "azp");
        if (!party.isEmpty() && !party.equals(client.id())) {
            throw new ProviderFault("the ID token was issued to another client");
        }
        if (!IdTokens.text(claims, "nonce").equals(authorization.nonce())) {
            throw new ProviderFault("the ID token belongs to another sign-in");
        }
        if (!IdTokens.belongsTo(token, claims, given.access())) {
            throw new ProviderFault("the ID token belongs to another access token");
        }
        ExternalUser user = Profiles.ofClaims(spec.type(), home, whole(metadata, claims, given));
        return new Known(spec.type() == ProviderType.APPLE ? withForm(user, returned) : user, given);
    }

    /** Against mix-up attacks: the callback has to be this provider's (RFC 9207). */
    private static void requireOwn(ProviderMetadata metadata, Returned returned) {
        boolean other = returned.issuer()
                .map(issuer ->
                        !issuer.equals(metadata.issuer()) && !metadata.issuer().contains(ANY_DIRECTORY))
                .orElse(metadata.namesItself());
        if (other) {
            throw new ProviderFault("the answer is not from this provider");
        }
    }

    /** @throws ProviderFault unless the token is this provider's, for one of these clients, and valid now */
    JWTClaimsSet checked(ProviderMetadata metadata, SignedJWT token, Set<String> clients) {
        return tokens.checked(
                token,
                directory.keys(calls.owner(), metadata.keys().toString(), token),
                issuer(metadata, token),
                clients);
    }

    /** The required issuer. The claims are not verified yet; they only choose among issuers of the same provider. */
    private String issuer(ProviderMetadata metadata, SignedJWT token) {
        JWTClaimsSet said;
        try {
            said = token.getJWTClaimsSet();
        } catch (ParseException e) {
            throw new ProviderFault("the ID token cannot be read");
        }
        if (metadata.issuer().contains(ANY_DIRECTORY)) {
            String directory = IdTokens.text(said, "tid");
            if (!DIRECTORY.matches(directory)) {
                throw new ProviderFault("the ID token names no directory");
            }
            return metadata.issuer().replace(ANY_DIRECTORY, directory);
        }
        boolean older = spec.type() == ProviderType.GOOGLE && metadata.issuer().equals("https://" + said.getIssuer());
        return older ? said.getIssuer() : metadata.issuer();
    }

    /** Some providers return the address only from their userinfo endpoint. */
    private JsonNode whole(ProviderMetadata metadata, JWTClaimsSet claims, Tokens given) {
        ObjectNode known = JSON.valueToTree(claims.toJSONObject());
        if (known.has("email") || metadata.userInfo().isEmpty()) {
            return known;
        }
        JsonNode more = calls.get(metadata.userInfo().get(), given.access());
        if (!more.path("sub").asText().equals(claims.getSubject())) {
            throw new ProviderFault("its userinfo has another subject than the ID token");
        }
        ObjectNode all = more.deepCopy();
        return all.setAll(known);
    }

    private static ExternalUser withForm(ExternalUser user, Returned returned) {
        if (returned.form().isEmpty()) {
            return user;
        }
        try {
            return Profiles.named(user, JSON.readTree(returned.form().get()));
        } catch (JsonProcessingException e) {
            return user;
        }
    }
}
