package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthDescriptor;
import svc.platform.dataplane.CredentialRefusal;
import svc.platform.dataplane.ErrorResponse;
import svc.platform.dataplane.TokenFault;

/** How each service answers rejected credentials: status, body and headers as the client libraries parse them. */
class CredentialRefusalTest {
    private static final String NO_KEY =
            "{'code':'invalid_api_key','message':'No API key found in request','hint':'No `apikey` request header or"
                    + " url param was found.'}";
    private static final String INVALID_KEY =
            "{'code':'invalid_api_key','message':'Invalid API key','hint':'Double check your Supabase `anon` or"
                    + " `service_role` API key.'}";
    private static final Map<String, String> RELAY = Map.of("x-relay-error", "true");

    private static ErrorResponse answer(String service, CredentialRefusal refusal) {
        return Services.all()
                .cut("/" + service + "/v1/some")
                .orElseThrow()
                .descriptor()
                .answer(refusal);
    }

    private static ErrorResponse token(String service, TokenFault fault) {
        return answer(service, new CredentialRefusal.InvalidToken(fault));
    }

    private static void is(ErrorResponse answer, int status, String body, Map<String, String> headers) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body().encode()).isEqualTo(new JsonObject(body.replace('\'', '"')).encode());
        assertThat(answer.headers()).isEqualTo(headers);
    }

    @ParameterizedTest
    @CsvSource({"rest", "auth", "graphql", "functions"})
    void aMissingKeyIsAnsweredByTheGatewaysWords(String service) {
        Map<String, String> headers = service.equals("functions") ? RELAY : Map.of();

        is(answer(service, new CredentialRefusal.NoKey()), 401, NO_KEY, headers);
    }

    @ParameterizedTest
    @CsvSource({"rest", "auth", "storage", "graphql", "functions"})
    void aWrongKeyIsAnsweredByTheGatewaysWords(String service) {
        Map<String, String> headers = service.equals("functions") ? RELAY : Map.of();

        is(answer(service, new CredentialRefusal.InvalidKey()), 401, INVALID_KEY, headers);
    }

    @Test
    void realtimeAlsoSaysItInTheMemberThatItsHandshakeHas() {
        ErrorResponse answer = answer("realtime", new CredentialRefusal.NoKey());

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body().getString("error")).isEqualTo("No API key found in request");
        assertThat(answer.body().copy().put("error", null).fieldNames())
                .containsExactly("code", "message", "hint", "error");
    }

    @ParameterizedTest
    @CsvSource({"rest", "graphql"})
    void restAndGraphqlAnswerABadTokenAsPostgrestDoes(String service) {
        is(
                token(service, TokenFault.EXPIRED),
                401,
                "{'code':'PGRST303','message':'JWT expired','details':null,'hint':null}",
                Map.of(
                        "www-authenticate",
                        "Bearer error=\"invalid_token\", error_description=\"JWT expired\"",
                        "proxy-status",
                        "PostgREST; error=PGRST303"));
        is(
                token(service, TokenFault.UNKNOWN_KEY),
                401,
                "{'code':'PGRST301','message':'No suitable key or wrong key type','details':'No suitable key was found"
                        + " to decode the JWT','hint':null}",
                Map.of(
                        "www-authenticate",
                        "Bearer error=\"invalid_token\", error_description=\"No suitable key or wrong key type\"",
                        "proxy-status",
                        "PostgREST; error=PGRST301"));
    }

    @ParameterizedTest
    @CsvSource({"rest", "graphql"})
    void aWrongSignatureIsAnsweredAsAKeyThatDoesNotFit(String service) {
        ErrorResponse answer = token(service, TokenFault.SIGNATURE);

        assertThat(answer.identified("some-id").encode())
                .isEqualTo(
                        "{\"code\":\"PGRST301\",\"message\":\"No suitable key or wrong key type\",\"details\":\"None of"
                                + " the keys was able to decode the JWT\",\"hint\":null}");
    }

    @Test
    void otherAnswersNameTheRequestInTheirBody() {
        assertThat(answer("rest", new CredentialRefusal.NoKey())
                        .identified("some-id")
                        .getString("request_id"))
                .isEqualTo("some-id");
        assertThat(token("auth", TokenFault.EXPIRED).identified("some-id").getString("request_id"))
                .isEqualTo("some-id");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "storage | 400 | {'statusCode':'403','error':'Unauthorized','message':'jwt expired'}",
                "realtime | 401 | {'code':'InvalidJWTToken','message':'InvalidJWTToken: JWT"
                        + " expired','error':'InvalidJWTToken: JWT expired'}",
                "functions | 401 | {'code':'UNAUTHORIZED_INVALID_JWT_FORMAT','message':'Invalid JWT: JWT expired'}",
            },
            quoteCharacter = '~')
    void theOthersAnswerABadTokenInTheirOwnWords(String service, int status, String body) {
        Map<String, String> headers = switch (service) {
            case "functions" -> Map.of("x-relay-error", "true", "sb-error-code", "UNAUTHORIZED_INVALID_JWT_FORMAT");
            default -> Map.of();
        };

        is(token(service, TokenFault.EXPIRED), status, body, headers);
    }

    private static ErrorResponse ofAuth(TokenFault fault, String... headers) {
        var sent = MultiMap.caseInsensitiveMultiMap();
        for (int i = 0; i < headers.length; i += 2) {
            sent.add(headers[i], headers[i + 1]);
        }
        return new AuthDescriptor().answer(new CredentialRefusal.InvalidToken(fault), sent);
    }

    @Test
    void authAnswersABadTokenInTheEncodingThatTheClientAsksFor() {
        String message = "invalid JWT: unable to parse or verify signature, token has invalid claims: token is expired";

        is(
                ofAuth(TokenFault.EXPIRED),
                403,
                "{'code':403,'error_code':'bad_jwt','msg':'" + message + "'}",
                Map.of("x-sb-error-code", "bad_jwt"));
        is(
                ofAuth(TokenFault.EXPIRED, "x-supabase-api-version", "2024-01-01"),
                403,
                "{'code':'bad_jwt','message':'" + message + "'}",
                Map.of("x-sb-error-code", "bad_jwt", "X-Supabase-Api-Version", "2024-01-01"));
        assertThat(ofAuth(TokenFault.EXPIRED, "x-supabase-api-version", "2023-01-01")
                        .body()
                        .getInteger("code"))
                .isEqualTo(403);
    }

    @Test
    void authNamesTheFaultInGotruesWords() {
        String bad = "invalid JWT: unable to parse or verify signature, ";
        Map.of(
                        TokenFault.parts(1),
                        "token is malformed: token contains an invalid number of segments",
                        TokenFault.UNSECURED,
                        "token signature is invalid: signing method none is invalid",
                        TokenFault.SIGNATURE,
                        "token signature is invalid: crypto/ecdsa: verification error",
                        TokenFault.NOT_YET,
                        "token has invalid claims: token is not valid yet",
                        TokenFault.AUDIENCE,
                        "token has invalid claims: token has invalid audience")
                .forEach((fault, words) ->
                        assertThat(ofAuth(fault).body().getString("msg")).isEqualTo(bad + words));
        assertThat(ofAuth(TokenFault.UNKNOWN_KEY).body().getString("msg")).startsWith(bad + "token is unverifiable: ");
        is(
                ofAuth(TokenFault.EMPTY),
                401,
                "{'code':401,'error_code':'no_authorization','msg':'This endpoint requires a valid Bearer token'}",
                Map.of("x-sb-error-code", "no_authorization"));
    }

    @ParameterizedTest
    @CsvSource("storage")
    void storageAnswersAMissingKeyAsItsTokenParserDoes(String service) {
        String body = "{'statusCode':'403','error':'Unauthorized','message':'%s'}";

        is(answer(service, new CredentialRefusal.NoKey()), 400, body.formatted("Invalid Compact JWS"), Map.of());
        is(
                token(service, TokenFault.SIGNATURE),
                400,
                body.formatted("invalid JWT: JWT cryptographic operation failed"),
                Map.of());
    }
}
