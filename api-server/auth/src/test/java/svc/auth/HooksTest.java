package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.auth.AuthForTests.Answer;
import svc.auth.HookServer.Reply;
import svc.testing.TestingProjects;

/**
 * Promise: a project decides on steps of the flows, by functions of its own or by signed calls; a broken hook fails its own
 * call only.
 */
class HooksTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final HookServer SERVER = new HookServer();
    private static final String KEY =
            Base64.getEncoder().encodeToString("a secret of the project".getBytes(StandardCharsets.US_ASCII));

    static {
        AUTH.project("hook2345", "{}");
    }

    @AfterAll
    static void close() {
        SERVER.close();
        AUTH.close();
    }

    private static void hook(String point, String hook) {
        AUTH.settings("hook2345", "{\"email\":{\"autoconfirm\":true},\"hooks\":{\"" + point + "\":" + hook + "}}");
    }

    private static void function(String point, String name) {
        hook(point, "{\"function\":\"" + name + "\"}");
    }

    private static void call(String point, String url) {
        AUTH.secret("hook2345", "signing", "secret", "v1,whsec_" + KEY);
        hook(point, "{\"url\":\"" + url + "\",\"secretKeyRef\":{\"name\":\"signing\",\"key\":\"secret\"}}");
    }

    private static void owner(String sql) {
        AUTH.asOwner("hook2345", sql);
    }

    private static Answer signUp(String email) {
        return AUTH.post(
                "hook2345",
                "/signup",
                "{\"email\":\"" + email + "\",\"password\":\"correct horse\",\"data\":{\"a\":1}}");
    }

    private static Answer signIn(String email, String password) {
        return AUTH.post(
                "hook2345",
                "/token?grant_type=password",
                "{\"email\":\"" + email + "\",\"password\":\"" + password + "\"}");
    }

    private static Answer refresh(Answer session) {
        return AUTH.post(
                "hook2345",
                "/token?grant_type=refresh_token",
                "{\"refresh_token\":\"" + session.text("refresh_token") + "\"}");
    }

    private static JsonNode claims(Answer session) throws Exception {
        return AuthForTests.JSON.readTree(
                SignedJWT.parse(session.text("access_token")).getPayload().toString());
    }

    @Test
    void aFunctionRefusesAUserBeforeThereIsOne() {
        owner("""
                CREATE FUNCTION only_ours(event jsonb) RETURNS jsonb LANGUAGE sql AS $$
                    SELECT CASE WHEN event->'user'->>'email' LIKE '%@ours.example' THEN '{}'::jsonb
                        ELSE jsonb_build_object('error', jsonb_build_object('http_code', 403,
                            'message', 'Not from ' || (event->'user'->>'email'))) END $$""");
        function("beforeUserCreated", "public.only_ours");
        Answer refused = signUp("ann@theirs.example");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("msg")).isEqualTo("Not from ann@theirs.example");
        assertThat(signIn("ann@theirs.example", "correct horse").text("error_code"))
                .isEqualTo("invalid_credentials");
        assertThat(signUp("ann@ours.example").status()).isEqualTo(200);
    }

    @Test
    void aFunctionGivesTokensTheirClaimsAndSeesWhatTheSignUpsTriggersMade() throws Exception {
        owner("""
                CREATE TABLE levels (user_id uuid PRIMARY KEY, level text);
                CREATE FUNCTION level() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
                    BEGIN INSERT INTO levels VALUES (new.id, 'gold'); RETURN new; END $$;
                CREATE FUNCTION with_level(event jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
                    SELECT jsonb_build_object('claims', jsonb_build_object('method', event->'authentication_method',
                        'level', (SELECT level FROM levels WHERE user_id = (event->>'user_id')::uuid),
                        'email', event->'claims'->'email')) $$""");
        owner("CREATE TRIGGER t AFTER INSERT ON " + AUTH.auth("hook2345")
                + ".users FOR EACH ROW EXECUTE FUNCTION level()");
        function("customAccessToken", "with_level");
        Answer session = signUp("claims@example.com");
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        JsonNode claims = claims(session);
        assertThat(claims.path("level").asText()).isEqualTo("gold");
        assertThat(claims.path("method").asText()).isEqualTo("password");
        assertThat(claims.has("user_metadata")).as("a claim that nothing needs").isFalse();
        for (String needed :
                new String[] {"sub", "exp", "iat", "role", "aal", "session_id", "aud", "is_anonymous", "phone"}) {
            assertThat(claims.has(needed)).as(needed).isTrue();
        }
        assertThat(claims(refresh(session)).path("method").asText()).isEqualTo("token_refresh");
        assertThat(AUTH.call("hook2345", "GET", "/user", session.text("access_token"), null)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aFunctionJudgesPasswordsAndEndsSessions() {
        function("passwordVerification", "public.judge");
        owner("""
                CREATE FUNCTION judge(event jsonb) RETURNS jsonb LANGUAGE sql AS $$
                    SELECT CASE WHEN (event->>'valid')::boolean THEN '{"decision":"continue"}'::jsonb
                        ELSE '{"decision":"reject","message":"Enough.","should_logout_user":true}'::jsonb END $$""");
        Answer session = signUp("judged@example.com");
        assertThat(signIn("judged@example.com", "correct horse").status()).isEqualTo(200);
        Answer refused = signIn("judged@example.com", "wrong");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("error_code")).isEqualTo("invalid_credentials");
        assertThat(refused.text("msg")).isEqualTo("Enough.");
        assertThat(refresh(session).text("error_code")).isEqualTo("refresh_token_not_found");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            public.there_is_none | unexpected_failure          | has no public.there_is_none(jsonb)
            pg_catalog.to_jsonb  | unexpected_failure          | the project's own schema
            auth.uid             | unexpected_failure          | the project's own schema
            public.a.b           | unexpected_failure          | has no public.a.b(jsonb)
            public.closed        | unexpected_failure          | GRANT it to service_role
            public.raises        | unexpected_failure          | out of gold
            public.rows          | unexpected_failure          | more than one row
            public.number        | unexpected_failure          | JSON object
            public.nothing       | unexpected_failure          | claims
            public.wrong_type    | unexpected_failure          | exp
            public.huge          | hook_payload_over_size_limit | bytes
            public.slow          | hook_timeout                | 3000ms
            public.hashes        | unexpected_failure          | permission denied
            """)
    void aBrokenFunctionIsAnAnswerWithItsCauseAndTheSessionLivesOn(String name, String code, String cause) {
        hook("sendSms", "{\"function\":\"x\"}");
        Answer session = signUp(name.replace('_', '-') + "@example.com");
        owner("DROP FUNCTION IF EXISTS closed, raises, rows, number, nothing, wrong_type, huge, slow, hashes");
        owner("""
                CREATE FUNCTION closed(e jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT e $$;
                REVOKE ALL ON FUNCTION closed FROM ROLE_SERVICE;
                CREATE FUNCTION raises(e jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN RAISE 'out of gold'; END $$;
                CREATE FUNCTION rows(e jsonb) RETURNS SETOF jsonb LANGUAGE sql AS $$ SELECT e UNION ALL SELECT e $$;
                CREATE FUNCTION number(e jsonb) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
                CREATE FUNCTION nothing(e jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT NULL::jsonb $$;
                CREATE FUNCTION wrong_type(e jsonb) RETURNS jsonb LANGUAGE sql AS
                    $$ SELECT jsonb_set(e, '{claims,exp}', '"later"') $$;
                CREATE FUNCTION huge(e jsonb) RETURNS jsonb LANGUAGE sql AS
                    $$ SELECT jsonb_build_object('claims', repeat('x', 300000)) $$;
                CREATE FUNCTION slow(e jsonb) RETURNS jsonb LANGUAGE plpgsql AS
                    $$ BEGIN LOOP PERFORM 1; END LOOP; END $$;
                CREATE FUNCTION hashes(e jsonb) RETURNS jsonb LANGUAGE plpgsql AS
                    $$ BEGIN RETURN (SELECT jsonb_agg(encrypted_password) FROM AUTH_SCHEMA.users); END $$;
                """.replace("ROLE_SERVICE", AUTH.role("hook2345", "service"))
                .replace("AUTH_SCHEMA", AUTH.auth("hook2345")));
        function("customAccessToken", name);
        assertKeptFromUsers(refresh(session), code, name);
        Answer failed = refreshAsServer(session);
        assertThat(failed.status()).as(failed.body().toString()).isBetween(500, 504);
        assertThat(failed.text("error_code")).isEqualTo(code);
        assertThat(failed.text("msg")).contains(cause).contains("spec.auth.hooks.customAccessToken");
        AUTH.settings("hook2345", "{}");
        assertThat(refresh(session).status()).isEqualTo(200);
    }

    /** A user learns that a hook failed, and nothing of the project's inside. */
    private static void assertKeptFromUsers(Answer failed, String code, String inside) {
        assertThat(failed.status()).as(failed.body().toString()).isBetween(500, 504);
        assertThat(failed.text("error_code")).isEqualTo(code);
        assertThat(failed.body().toString()).doesNotContain(inside);
    }

    private static Answer refreshAsServer(Answer session) {
        return AUTH.call(
                "hook2345",
                "POST",
                "/token?grant_type=refresh_token",
                "service",
                "{\"refresh_token\":\"" + session.text("refresh_token") + "\"}");
    }

    @Test
    void aCallIsSignedAsStandardWebhooksSay() throws Exception {
        SERVER.answers(asked -> Reply.json("{}"));
        call("beforeUserCreated", SERVER.url() + "before?x=1");
        assertThat(signUp("signed@example.com").status()).isEqualTo(200);
        HookServer.Call call = SERVER.last();
        assertThat(call.path()).isEqualTo("/before?x=1");
        String id = call.headers().getFirst("webhook-id");
        String time = call.headers().getFirst("webhook-timestamp");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("a secret of the project".getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
        byte[] expected = mac.doFinal((id + "." + time + "." + call.body()).getBytes(StandardCharsets.UTF_8));
        assertThat(call.headers().getFirst("webhook-signature"))
                .isEqualTo("v1," + Base64.getEncoder().encodeToString(expected));
        JsonNode body = AuthForTests.JSON.readTree(call.body());
        assertThat(body.path("metadata").path("name").asText()).isEqualTo("before-user-created");
        assertThat(body.path("user").path("email").asText()).isEqualTo("signed@example.com");
        assertThat(call.body()).doesNotContain("argon2");
    }

    @Test
    void aCallIsTriedAgainUnderTheSameIdWhenTheOtherSideAsksForIt() {
        SERVER.answers(asked -> SERVER.calls().size() < 3 ? new Reply(503, null, "") : Reply.json("{}"));
        call("beforeUserCreated", SERVER.url());
        assertThat(signUp("again@example.com").status()).isEqualTo(200);
        assertThat(SERVER.calls()).hasSize(3);
        assertThat(SERVER.calls().stream()
                        .map(call -> call.headers().getFirst("webhook-id"))
                        .collect(Collectors.toSet()))
                .hasSize(1);
        SERVER.answers(asked -> Reply.json("{\"error\":{\"http_code\":422,\"message\":\"No <b>\\r\\nX: y\"}}"));
        Answer refused = signUp("refused@example.com");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("msg")).isEqualTo("No <b>\r\nX: y");
        assertThat(refused.http().headers().map()).doesNotContainKey("x");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            503 | application/json | {}       | unexpected_failure                | 503
            302 | application/json | {}       | unexpected_failure                | 302
            401 | application/json | {}       | unexpected_failure                | 401
            200 | text/html        | {}       | hook_payload_invalid_content_type | application/json
            200 | application/json | {"claims | unexpected_failure              | JSON
            200 | application/json | [1]      | unexpected_failure                | JSON object
            200 | application/json | HUGE     | hook_payload_over_size_limit      | bytes
            204 | application/json | NOTHING  | unexpected_failure                | claims
            """)
    void aBrokenAnswerIsAnAnswerWithItsCause(int status, String type, String body, String code, String cause) {
        AUTH.settings("hook2345", "{\"email\":{\"autoconfirm\":true}}");
        Answer session = signUp("call" + Math.abs((status + type + body).hashCode()) + "@example.com");
        String sent = body.equals("HUGE") ? "\"" + "x".repeat(300_000) + "\"" : body.equals("NOTHING") ? "" : body;
        SERVER.answers(asked -> new Reply(status, type, sent));
        call("customAccessToken", SERVER.url());
        assertKeptFromUsers(refresh(session), code, SERVER.url());
        Answer failed = refreshAsServer(session);
        assertThat(failed.status()).as(failed.body().toString()).isBetween(500, 504);
        assertThat(failed.text("error_code")).isEqualTo(code);
        assertThat(failed.text("msg")).contains(cause);
        AUTH.settings("hook2345", "{}");
        assertThat(refresh(session).status()).isEqualTo(200);
    }

    @Test
    void aSlowCallEndsInTime() {
        AUTH.settings("hook2345", "{\"email\":{\"autoconfirm\":true}}");
        Answer session = signUp("late@example.com");
        var end = new CountDownLatch(1);
        SERVER.answers(asked -> {
            try {
                end.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Reply.json("{}");
        });
        call("customAccessToken", SERVER.url());
        Answer failed = refresh(session);
        end.countDown();
        assertThat(failed.status()).isEqualTo(504);
        assertThat(failed.text("error_code")).isEqualTo("hook_timeout");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254/latest/meta-data/",
                "http://10.0.0.1/",
                "http://[::1]:8000/",
                "http://[::ffff:10.0.0.1]/",
                "http://2130706434/",
                "http://user:pass@127.0.0.1/",
                "http://[fd00:ec2::254]/"
            })
    void noCallGoesWhereTheTenantHasNoBusiness(String url) {
        AUTH.settings("hook2345", "{\"email\":{\"autoconfirm\":true}}");
        Answer session = signUp("inside" + Math.abs(url.hashCode()) + "@example.com");
        call("customAccessToken", url);
        assertKeptFromUsers(refresh(session), "unexpected_failure", "cannot be called");
        Answer failed = refreshAsServer(session);
        assertThat(failed.status()).isEqualTo(500);
        assertThat(failed.text("error_code")).isEqualTo("unexpected_failure");
        assertThat(failed.text("msg")).contains("cannot be called");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "whsec_c2VjcmV0", "v1,whsec_not base64", "v1,whsec_c2VjcmV0|"})
    void withoutAProperSecretNothingIsSent(String secret) {
        AUTH.settings("hook2345", "{\"email\":{\"autoconfirm\":true}}");
        Answer session = signUp("secret" + Math.abs(secret.hashCode()) + "@example.com");
        SERVER.answers(asked -> Reply.json("{}"));
        call("customAccessToken", SERVER.url());
        AUTH.secret("hook2345", "signing", "secret", secret);
        assertKeptFromUsers(refresh(session), "unexpected_failure", "signing");
        Answer failed = refreshAsServer(session);
        assertThat(failed.text("error_code")).isEqualTo("unexpected_failure");
        assertThat(failed.text("msg")).contains("cannot be signed").contains("signing/secret");
        assertThat(SERVER.calls()).isEmpty();
    }
}
