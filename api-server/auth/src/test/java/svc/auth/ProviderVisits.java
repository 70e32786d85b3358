package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import svc.auth.AuthForTests.Answer;
import svc.auth.flow.Challenge;
import svc.auth.redirect.Query;

/** A browser that is redirected to a provider and back. */
final class ProviderVisits {
    static final String VERIFIER = "a-verifier-of-the-length-that-rfc-7636-asks-for";

    private final AuthForTests auth;
    private final String ref;
    private final HttpClient browser = HttpClient.newHttpClient();

    ProviderVisits(AuthForTests auth, String ref) {
        this.auth = auth;
        this.ref = ref;
    }

    /** Settings with a provider of each kind. */
    String spec(String more) {
        String issuer = auth.provider().issuer();
        StringBuilder providers = new StringBuilder();
        for (String[] one : new String[][] {
            {"company", "Oidc", issuer},
            {"keycloak", "Keycloak", issuer + "/"},
            {"google", "Google", null},
            {"apple", "Apple", null},
            {"azure", "Azure", null},
            {"azure-single", "Azure", auth.provider().home() + "/11111111-2222-3333-4444-555555555555"},
            {"github", "GitHub", null},
            {"gitlab", "GitLab", null},
            {"off", "Google", null},
            {"email", "Oidc", issuer}
        }) {
            providers
                    .append(providers.isEmpty() ? "" : ",")
                    .append("{\"name\":\"" + one[0] + "\",\"type\":\"" + one[1] + "\",\"clientId\":\""
                            + ProviderForTests.CLIENT + ", app-client\",\"clientSecretRef\":"
                            + "{\"name\":\"providers\",\"key\":\"secret\"}"
                            + (one[2] == null ? "" : ",\"issuer\":\"" + one[2] + "\"")
                            + ",\"enabled\":" + !one[0].equals("off") + "}");
        }
        String email = more.contains("\"email\"") ? "" : ",\"email\":{\"autoconfirm\":true}";
        return "{\"siteUrl\":\"https://site.example\",\"redirectUrls\":[\"https://shop.example/**\"],\"manualLinking\":true,"
                + "\"anonymousSignIn\":true,\"providers\":[" + providers + "]" + email + more + "}";
    }

    void project(String name, String more) {
        auth.project(name, spec(more));
        auth.secret(name, "providers", "secret", ProviderForTests.SECRET + "\n");
    }

    String challenge() {
        return "code_challenge=" + Challenge.hash(VERIFIER) + "&code_challenge_method=s256";
    }

    Answer exchange(String code, String verifier) {
        return auth.post(
                ref,
                "/token?grant_type=pkce",
                "{\"auth_code\":\"" + code + "\",\"code_verifier\":\"" + verifier + "\"}");
    }

    Answer authorize(String query) {
        return auth.call(ref, "GET", "/authorize?" + query, null, null);
    }

    /** The address of the redirect. */
    String entrance(String query) {
        Answer answer = authorize(query);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(302);
        return location(answer);
    }

    String location(Answer answer) {
        return answer.http().headers().firstValue("Location").orElseThrow();
    }

    static String cookie(Answer answer) {
        return answer.http()
                .headers()
                .firstValue("Set-Cookie")
                .map(text -> text.split(";")[0])
                .orElse("");
    }

    /** Signs in at the provider. */
    String authorized(Map<String, String> query) {
        return authorized(auth.provider().issuer() + "/authorize?" + Query.encoded(query));
    }

    private String authorized(String entrance) {
        try {
            return browser.send(HttpRequest.newBuilder(URI.create(entrance)).build(), BodyHandlers.discarding())
                    .headers()
                    .firstValue("Location")
                    .orElseThrow();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    Map<String, String> returned(String callback) {
        return ProviderForTests.queryOf(callback);
    }

    /** Follows the provider's redirect to the callback. */
    Answer back(String callback, String cookie) {
        return auth.call(
                ref,
                "GET",
                "/callback?" + URI.create(callback).getRawQuery(),
                null,
                null,
                cookie.isEmpty() ? Map.of() : Map.of("Cookie", "other=1; " + cookie));
    }

    /** The final redirect of a whole sign-in. */
    String landing(String query) {
        Answer sent = authorize(query);
        assertThat(sent.status()).as(sent.body().toString()).isEqualTo(302);
        Answer back = back(authorized(location(sent)), cookie(sent));
        assertThat(back.status()).as(back.body().toString()).isEqualTo(302);
        return location(back);
    }

    /** The user of an implicit flow's session. */
    JsonNode user(String landing) {
        String token = ProviderForTests.fragmentOf(landing).get("access_token");
        assertThat(token).as(landing).isNotNull();
        return auth.call(ref, "GET", "/user", token, null).body();
    }

    /** A refused sign-in, without tokens in its redirect. */
    static void assertRefused(String landing, String code) {
        assertThat(ProviderForTests.queryOf(landing)).as(landing).containsEntry("error_code", code);
        assertThat(landing).doesNotContain("access_token", "refresh-of-provider", "access-of-provider", "?code=");
    }
}
