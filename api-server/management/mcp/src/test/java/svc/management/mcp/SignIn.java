package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import svc.testing.Http;

/** The sign-in of an MCP client, step by step, with a browser that keeps one cookie. */
record SignIn(String client, String redirect) {
    static final String RESOURCE = "http://api.svc.example/v1/mcp";
    static final String VERIFIER = "a-verifier-of-this-test-with-43-characters-or-more";
    private static final Pattern FIELD =
            Pattern.compile("<input type=\"hidden\" name=\"([a-z_]+)\" value=\"([^\"]*)\">");

    static Http stranger() {
        return Http.host("api.svc.example");
    }

    static SignIn register(String redirect) {
        Http.Answer answer = register(stranger(), redirect);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return new SignIn(answer.json().get("client_id").asText(), redirect);
    }

    static Http.Answer register(Http by, String redirect) {
        return by.with("Content-Type", "application/json")
                .send(
                        "POST",
                        "/v1/oauth/register",
                        "{\"client_name\":\"An <b>editor</b>\",\"redirect_uris\":[\"" + redirect + "\"]}");
    }

    static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    Map<String, String> request() {
        Map<String, String> request = new LinkedHashMap<>();
        request.put("response_type", "code");
        request.put("client_id", client);
        request.put("redirect_uri", redirect);
        request.put("code_challenge", challenge(VERIFIER));
        request.put("code_challenge_method", "S256");
        request.put("state", "a state");
        request.put("resource", RESOURCE);
        return request;
    }

    static Http.Answer page(Map<String, String> request) {
        return stranger().get("/v1/oauth/authorize?" + encoded(request));
    }

    /** The answer to the form of a page, filled in by a person. */
    static Http.Answer decide(Http.Answer page, Map<String, String> filled) {
        assertThat(page.status()).as(page.toString()).isEqualTo(200);
        Map<String, String> form = fields(page);
        form.putAll(filled);
        return form(stranger().with("Cookie", cookie(page)), "authorize", form);
    }

    static Map<String, String> fields(Http.Answer page) {
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher matcher = FIELD.matcher(page.text());
        while (matcher.find()) {
            fields.put(matcher.group(1), matcher.group(2).replace("&amp;", "&"));
        }
        return fields;
    }

    static String cookie(Http.Answer page) {
        return page.header("set-cookie").orElseThrow().split(";")[0];
    }

    /** The code that a person's consent brings. */
    String code(String token, Map<String, String> choices) {
        Map<String, String> filled = new LinkedHashMap<>(choices);
        filled.put("token", token);
        filled.put("decision", "allow");
        Http.Answer answer = decide(page(request()), filled);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(303);
        Map<String, String> parameters = parameters(answer);
        assertThat(parameters).containsEntry("state", "a state").containsEntry("iss", "http://api.svc.example");
        return parameters.get("code");
    }

    /** The parameters that the browser carries to the client. */
    static Map<String, String> parameters(Http.Answer redirected) {
        String location = redirected.header("location").orElseThrow();
        return Arrays.stream(location.substring(location.indexOf('?') + 1).split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    Http.Answer exchange(String code, String verifier) {
        return exchange(Map.of("code", code, "code_verifier", verifier));
    }

    Http.Answer exchange(Map<String, String> others) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("client_id", client);
        form.put("redirect_uri", redirect);
        form.put("resource", RESOURCE);
        form.putAll(others);
        return form(stranger(), "token", form);
    }

    Http.Answer refresh(String token) {
        return form(
                stranger(),
                "token",
                Map.of("grant_type", "refresh_token", "client_id", client, "refresh_token", token));
    }

    JsonNode tokens(String token) {
        Http.Answer answer = exchange(code(token, Map.of()), VERIFIER);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json();
    }

    static Http.Answer form(Http by, String path, Map<String, String> form) {
        return by.with("Content-Type", "application/x-www-form-urlencoded")
                .send("POST", "/v1/oauth/" + path, encoded(form));
    }

    static String encoded(Map<String, String> form) {
        return form.entrySet().stream()
                .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }
}
