package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;
import svc.auth.flow.Challenge;
import svc.auth.flow.FlowStates;
import svc.auth.http.AuthError;
import svc.auth.http.AuthRequest;
import svc.platform.clientip.CallerAddress;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.DataPlaneRequest;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/**
 * Promise: the code at the end of a flow gives one session, for a short time, and only to the client that began the flow.
 */
class PkceTest {
    private static final String OPEN = "{\"email\":{\"autoconfirm\":true}}";
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final Tenant SHOP = AUTH.project("shop2345", OPEN);

    static {
        AUTH.project("other234", OPEN);
    }

    private static final String VERIFIER = "a-verifier-of-the-length-that-rfc-7636-asks-for";

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static AuthRequest request(Tenant tenant, String body) {
        return new AuthRequest(
                new DataPlaneRequest(
                        tenant,
                        Caller.anon(),
                        HttpMethod.POST,
                        "/otp",
                        "",
                        MultiMap.caseInsensitiveMultiMap(),
                        Buffer.buffer(body),
                        null,
                        "test",
                        null),
                new CallerAddress(List.of()));
    }

    private static String challenge() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(VERIFIER.getBytes(StandardCharsets.US_ASCII));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    private static String bringing(String value, String method) {
        return "{\"code_challenge\":\"" + value + "\",\"code_challenge_method\":\"" + method + "\"}";
    }

    /** The code of a flow by mail, as the link in the mail would send it back. */
    private static String code(Tenant tenant, UUID user, String value, String method) {
        var flows = new FlowStates(AUTH.clock());
        return AUTH.with(tenant, db -> {
            assertThat(flows.begin(db, Challenge.of(request(tenant, bringing(value, method))), user, "magiclink"))
                    .isPresent();
            return flows.issue(db, user, "magiclink").orElseThrow();
        });
    }

    private static UUID user(String email) {
        return UUID.fromString(
                AUTH.post("shop2345", "/signup", "{\"email\":\"" + email + "\",\"password\":\"correct horse\"}")
                        .body()
                        .path("user")
                        .path("id")
                        .asText());
    }

    private static Answer exchange(String ref, String code, String verifier) {
        return AUTH.post(
                ref,
                "/token?grant_type=pkce",
                "{\"auth_code\":\"" + code + "\",\"code_verifier\":\"" + verifier + "\"}");
    }

    @Test
    void aCodeIsWorthOneSessionToWhoHasTheVerifier() throws Exception {
        UUID ann = user("ann@example.com");
        String code = code(SHOP, ann, challenge(), "s256");
        Answer thief = exchange("shop2345", code, VERIFIER + "x");
        assertThat(thief.status()).isEqualTo(400);
        assertThat(thief.text("error_code")).isEqualTo("bad_code_verifier");
        Answer session = exchange("shop2345", code, VERIFIER);
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(session.body().path("user").path("id").asText()).isEqualTo(ann.toString());
        assertThat(session.text("refresh_token")).isNotEmpty();
        assertThat(session.body().has("provider_token")).isFalse();
        Answer again = exchange("shop2345", code, VERIFIER);
        assertThat(again.status()).isEqualTo(404);
        assertThat(again.text("error_code")).isEqualTo("flow_state_not_found");
    }

    @Test
    void aPlainChallengeIsTheVerifierItself() {
        String code = code(SHOP, user("plain@example.com"), VERIFIER, "PLAIN");
        assertThat(exchange("shop2345", code, VERIFIER).status()).isEqualTo(200);
    }

    @Test
    void aCodeOfOneProjectIsNothingInAnother() throws Exception {
        String code = code(SHOP, user("two@example.com"), challenge(), "s256");
        assertThat(exchange("other234", code, VERIFIER).text("error_code")).isEqualTo("flow_state_not_found");
        assertThat(exchange("shop2345", code, VERIFIER).status()).isEqualTo(200);
    }

    @Test
    void ofManyWhoComeAtOnceWithOneCodeOneIsServed() throws Exception {
        String code = code(SHOP, user("race@example.com"), challenge(), "s256");
        List<Callable<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(() -> exchange("shop2345", code, VERIFIER).status());
        }
        try (var threads = Executors.newFixedThreadPool(12)) {
            List<Integer> seen = threads.invokeAll(all).stream()
                    .map(done -> done.resultNow())
                    .toList();
            assertThat(seen).containsOnlyOnce(200);
            assertThat(seen.stream().filter(status -> status == 404)).hasSize(11);
        }
    }

    @Test
    void aCodeLivesFiveMinutes() throws Exception {
        UUID late = user("late@example.com");
        String early = code(SHOP, late, challenge(), "s256");
        AUTH.pass(Duration.ofSeconds(299));
        assertThat(exchange("shop2345", early, VERIFIER).status()).isEqualTo(200);
        String code = code(SHOP, late, challenge(), "s256");
        AUTH.pass(Duration.ofSeconds(301));
        Answer tooLate = exchange("shop2345", code, VERIFIER);
        assertThat(tooLate.status()).isEqualTo(422);
        assertThat(tooLate.text("error_code")).isEqualTo("flow_state_expired");
    }

    @Test
    void whoIsBannedGetsNoSessionForACode() throws Exception {
        UUID user = user("banned@example.com");
        String code = code(SHOP, user, challenge(), "s256");
        AUTH.call("shop2345", "PUT", "/admin/users/" + user, "service", "{\"ban_duration\":\"24h\"}");
        assertThat(exchange("shop2345", code, VERIFIER).text("error_code")).isEqualTo("user_banned");
    }

    @Test
    void aCodeOfAUserWhoIsGoneIsNothing() throws Exception {
        UUID user = user("gone@example.com");
        String code = code(SHOP, user, challenge(), "s256");
        AUTH.call("shop2345", "DELETE", "/admin/users/" + user, "service", "{}");
        assertThat(exchange("shop2345", code, VERIFIER).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "short;s256;between 43 and 128",
                "spaces in it spaces in it spaces in it spaces in it;s256;alphanumeric",
                "a-challenge-of-the-length-that-rfc-7636-asks-for;s512;unsupported",
                "a-challenge-of-the-length-that-rfc-7636-asks-for;;requires",
                ";s256;requires"
            },
            delimiter = ';',
            emptyValue = "")
    void aChallengeThatCannotBeIsRefused(String value, String method, String message) {
        String body = bringing(value == null ? "" : value, method == null ? "" : method);
        assertThatThrownBy(() -> Challenge.of(request(SHOP, body)))
                .isInstanceOf(AuthError.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "{}",
                "{\"auth_code\":\"a\"}",
                "{\"code_verifier\":\"a\"}",
                "{\"auth_code\":\"\",\"code_verifier\":\"a\"}"
            },
            delimiter = ';')
    void halfOfAnExchangeIsRefused(String body) {
        Answer refused = AUTH.post("shop2345", "/token?grant_type=pkce", body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("error_code")).isEqualTo("validation_failed");
    }

    @Test
    void anAbandonedFlowIsForgotten() throws Exception {
        UUID user = user("never@example.com");
        String old = code(SHOP, user, challenge(), "s256");
        AUTH.pass(Duration.ofHours(26));
        code(SHOP, user, challenge(), "s256");
        assertThat(exchange("shop2345", old, VERIFIER).text("error_code")).isEqualTo("flow_state_not_found");
    }
}
