package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jwt.SignedJWT;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** Promise: users sign up, sign in, stay signed in and sign out as auth-js expects, each project's apart from all others. */
class AccountsTest {
    private static final String OPEN = "{\"email\":{\"autoconfirm\":true},\"anonymousSignIn\":true}";
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final Tenant SHOP = AUTH.project("shop2345", OPEN);
    private static final Tenant OTHER = AUTH.project("other234", OPEN);
    private static final Map<String, String> NEWER = Map.of("X-Supabase-Api-Version", "2024-01-01");

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static String user(String email) {
        return "{\"email\":\"" + email + "\",\"password\":\"correct horse\",\"data\":{\"name\":\"Ann\"}}";
    }

    private static Answer signUp(String email) {
        return AUTH.post("shop2345", "/signup", user(email));
    }

    private static Answer refresh(String token) {
        return AUTH.post("shop2345", "/token?grant_type=refresh_token", "{\"refresh_token\":\"" + token + "\"}");
    }

    @Test
    void whoSignsUpIsSignedInAndTheTokenSaysWho() throws Exception {
        Answer session = signUp("Ann@Example.com");
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(session.text("token_type")).isEqualTo("bearer");
        assertThat(session.body().path("expires_in").asInt()).isEqualTo(3600);
        JsonNode user = session.body().path("user");
        assertThat(user.path("email").asText()).isEqualTo("ann@example.com");
        assertThat(user.path("phone").asText("absent")).isEmpty();
        assertThat(user.path("user_metadata").path("name").asText()).isEqualTo("Ann");
        assertThat(user.path("app_metadata").path("provider").asText()).isEqualTo("email");
        assertThat(user.path("identities").get(0).path("provider").asText()).isEqualTo("email");
        assertThat(user.toString()).doesNotContain("argon2").doesNotContain("encrypted_password");
        SignedJWT token = SignedJWT.parse(session.text("access_token"));
        Map<String, Object> claims = token.getJWTClaimsSet().getClaims();
        assertThat(claims)
                .containsEntry("role", "authenticated")
                .containsEntry("aal", "aal1")
                .containsKeys("session_id", "amr", "is_anonymous");
        assertThat(token.getJWTClaimsSet().getSubject())
                .isEqualTo(user.path("id").asText());
        assertThat(token.getJWTClaimsSet().getIssuer()).isEqualTo("http://shop2345.localhost/auth/v1");
        Answer keys = AUTH.call("shop2345", "GET", "/.well-known/jwks.json", null, null);
        assertThat(keys.body().path("keys").get(0).path("kid").asText())
                .isEqualTo(token.getHeader().getKeyID());
        assertThat(AUTH.call("shop2345", "GET", "/user", session.text("access_token"), null)
                        .text("id"))
                .isEqualTo(user.path("id").asText());
    }

    @Test
    void aTokenNamesTheAudienceThatTheProjectTakes() throws Exception {
        AUTH.project("aud23456", "{\"email\":{\"autoconfirm\":true},\"jwt\":{\"audience\":\"shop\"}}");
        Answer session = AUTH.post("aud23456", "/signup", user("aud@example.com"));
        SignedJWT token = SignedJWT.parse(session.text("access_token"));
        assertThat(token.getJWTClaimsSet().getAudience()).containsExactly("shop");
        assertThat(session.body().path("user").path("aud").asText()).isEqualTo("authenticated");
    }

    @Test
    void aPasswordSignsInAndNothingTellsWhoHasAnAccount() {
        signUp("bob@example.com");
        Answer in = AUTH.post("shop2345", "/token?grant_type=password", user("BOB@example.com"));
        assertThat(in.status()).as(in.body().toString()).isEqualTo(200);
        for (String body : List.of(
                "{\"email\":\"bob@example.com\",\"password\":\"wrong\"}",
                "{\"email\":\"nobody@example.com\",\"password\":\"correct horse\"}")) {
            Answer refused = AUTH.call("shop2345", "POST", "/token?grant_type=password", null, body, NEWER);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("code")).isEqualTo("invalid_credentials");
            assertThat(refused.text("message")).isEqualTo("Invalid login credentials");
            assertThat(refused.http().headers().firstValue("X-Supabase-Api-Version"))
                    .contains("2024-01-01");
        }
        Answer older = AUTH.post("shop2345", "/signup", user("bob@example.com"));
        assertThat(older.status()).isEqualTo(422);
        assertThat(older.text("error_code")).isEqualTo("user_already_exists");
        assertThat(older.body().path("code").asInt()).isEqualTo(422);
        assertThat(older.text("msg")).isEqualTo("User already registered");
    }

    @Test
    void aRefreshTokenGivesTheNextAndAnOldOneEndsTheSession() {
        Answer first = signUp("cat@example.com");
        Answer second = refresh(first.text("refresh_token"));
        Answer third = refresh(second.text("refresh_token"));
        assertThat(third.status()).isEqualTo(200);
        // The one before is what a client comes with that could not save the new one.
        Answer again = refresh(second.text("refresh_token"));
        assertThat(again.text("refresh_token")).isEqualTo(third.text("refresh_token"));
        AUTH.pass(Duration.ofMinutes(1));
        Answer stolen = AUTH.call(
                "shop2345",
                "POST",
                "/token?grant_type=refresh_token",
                null,
                "{\"refresh_token\":\"" + first.text("refresh_token") + "\"}",
                NEWER);
        assertThat(stolen.status()).isEqualTo(400);
        assertThat(stolen.text("code")).isEqualTo("refresh_token_already_used");
        assertThat(refresh(third.text("refresh_token")).text("error_code")).isEqualTo("refresh_token_not_found");
        assertThat(AUTH.call("shop2345", "GET", "/user", third.text("access_token"), null)
                        .text("error_code"))
                .isEqualTo("session_not_found");
    }

    @Test
    void fiftyTabsThatRefreshAtOnceAllStaySignedIn() throws Exception {
        Answer session = signUp("tabs@example.com");
        List<Callable<Answer>> tabs = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            tabs.add(() -> refresh(session.text("refresh_token")));
        }
        try (var threads = Executors.newFixedThreadPool(16)) {
            List<Answer> answers = threads.invokeAll(tabs).stream()
                    .map(done -> done.resultNow())
                    .toList();
            assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
            Set<String> next =
                    answers.stream().map(answer -> answer.text("refresh_token")).collect(Collectors.toSet());
            assertThat(next).hasSize(1);
            assertThat(refresh(next.iterator().next()).status()).isEqualTo(200);
        }
    }

    @Test
    void twoThatSignUpAtOnceWithOneAddressAreOneUser() throws Exception {
        Callable<Answer> attempt = () -> signUp("race@example.com");
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Integer> statuses = threads.invokeAll(List.of(attempt, attempt, attempt, attempt)).stream()
                    .map(done -> done.resultNow().status())
                    .sorted()
                    .toList();
            assertThat(statuses).containsExactly(200, 422, 422, 422);
        }
    }

    @Test
    void signingOutEndsTheSessionsItNames() {
        Answer here = signUp("dan@example.com");
        Answer there = AUTH.post("shop2345", "/token?grant_type=password", user("dan@example.com"));
        String token = here.text("access_token");
        assertThat(AUTH.call("shop2345", "POST", "/logout?scope=others", token, null)
                        .status())
                .isEqualTo(204);
        assertThat(refresh(there.text("refresh_token")).status()).isEqualTo(400);
        assertThat(refresh(here.text("refresh_token")).status()).isEqualTo(200);
        assertThat(AUTH.call("shop2345", "POST", "/logout?scope=everywhere", token, null)
                        .text("error_code"))
                .isEqualTo("validation_failed");
        assertThat(AUTH.call("shop2345", "POST", "/logout", token, null).status())
                .isEqualTo(204);
        assertThat(AUTH.call("shop2345", "GET", "/user", token, null).status()).isEqualTo(403);
    }

    @Test
    void aUserChangesTheOwnAccount() {
        Answer session = signUp("eve@example.com");
        Answer other = AUTH.post("shop2345", "/token?grant_type=password", user("eve@example.com"));
        String token = session.text("access_token");
        Answer changed = AUTH.call("shop2345", "PUT", "/user", token, "{\"data\":{\"name\":null,\"age\":7}}");
        assertThat(changed.body().path("user_metadata").has("name")).isFalse();
        assertThat(changed.body().path("user_metadata").path("age").asInt()).isEqualTo(7);
        assertThat(AUTH.call("shop2345", "PUT", "/user", token, "{\"password\":\"correct horse\"}")
                        .text("error_code"))
                .isEqualTo("same_password");
        assertThat(AUTH.call("shop2345", "PUT", "/user", token, "{\"password\":\"short\"}")
                        .body()
                        .path("weak_password")
                        .path("reasons")
                        .get(0)
                        .asText())
                .isEqualTo("length");
        assertThat(AUTH.call("shop2345", "PUT", "/user", token, "{\"password\":\"battery staple\"}")
                        .status())
                .isEqualTo(200);
        assertThat(refresh(other.text("refresh_token")).status())
                .as("other sessions end")
                .isEqualTo(400);
        assertThat(AUTH.post("shop2345", "/token?grant_type=password", user("eve@example.com"))
                        .status())
                .isEqualTo(400);
        assertThat(AUTH.call("shop2345", "PUT", "/user", token, "{\"email\":\"eve2@example.com\"}")
                        .text("email"))
                .isEqualTo("eve2@example.com");
        signUp("taken@example.com");
        assertThat(AUTH.call("shop2345", "PUT", "/user", token, "{\"email\":\"taken@example.com\"}")
                        .text("error_code"))
                .isEqualTo("email_exists");
    }

    @Test
    void anAnonymousUserBecomesAPermanentOne() {
        Answer session = AUTH.post("shop2345", "/signup", "{\"data\":{\"cart\":1}}");
        assertThat(session.body().path("user").path("is_anonymous").asBoolean()).isTrue();
        String token = session.text("access_token");
        Answer known = AUTH.call(
                "shop2345", "PUT", "/user", token, "{\"email\":\"fay@example.com\",\"password\":\"correct horse\"}");
        assertThat(known.status()).as(known.body().toString()).isEqualTo(200);
        assertThat(known.body().path("is_anonymous").asBoolean()).isFalse();
        Answer in = AUTH.post("shop2345", "/token?grant_type=password", user("fay@example.com"));
        assertThat(in.body().path("user").path("id").asText()).isEqualTo(known.text("id"));
        assertThat(in.body().path("user").path("user_metadata").path("cart").asInt())
                .isOne();
    }

    @Test
    void nothingOfOneProjectWorksInAnother() {
        Answer here = signUp("both@example.com");
        Answer there = AUTH.post("other234", "/signup", user("both@example.com"));
        assertThat(there.status()).as("the same address is another user there").isEqualTo(200);
        assertThat(there.body().path("user").path("id"))
                .isNotEqualTo(here.body().path("user").path("id"));
        assertThat(AUTH.post(
                                "other234",
                                "/token?grant_type=refresh_token",
                                "{\"refresh_token\":\"" + here.text("refresh_token") + "\"}")
                        .text("error_code"))
                .isEqualTo("validation_failed");
        assertThat(AUTH.call("other234", "GET", "/user", here.text("access_token"), null)
                        .status())
                .isEqualTo(401);
        assertThat(OTHER.projectId()).isNotEqualTo(SHOP.projectId());
    }

    @Test
    void aTriggerOfTheTenantRunsWithinTheSignUpAndMayRefuseIt() {
        Tenant tenant = AUTH.project("trig2345", OPEN);
        String schema = tenant.names().schemaName();
        AUTH.projects().asOwner(tenant, """
                CREATE TABLE profiles (id uuid PRIMARY KEY, email text);
                CREATE FUNCTION welcome() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
                BEGIN
                    IF NEW.email LIKE '%@evil.example' THEN RAISE EXCEPTION 'No room for evil.'; END IF;
                    INSERT INTO S.profiles VALUES (NEW.id, NEW.email);
                    RETURN NEW;
                END $$;
                CREATE TRIGGER welcome AFTER INSERT ON S_auth.users FOR EACH ROW EXECUTE FUNCTION welcome();
                """.replaceAll("\\bS_", schema + "_").replaceAll("\\bS\\b", schema));
        assertThat(AUTH.post("trig2345", "/signup", user("good@example.com")).status())
                .isEqualTo(200);
        Answer refused = AUTH.post("trig2345", "/signup", user("bad@evil.example"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("msg")).isEqualTo("No room for evil.");
        assertThat(AUTH.projects().ask("SELECT string_agg(email, ',') FROM " + schema + ".profiles"))
                .isEqualTo("good@example.com");
        assertThat(AUTH.projects().ask("SELECT count(*) FROM " + schema + "_auth.users"))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST | /signup | [] | 400 | bad_json
            POST | /signup | {"email": | 400 | bad_json
            POST | /signup | {"email":7,"password":"correct horse"} | 400 | bad_json
            POST | /signup | {"email":"no address","password":"correct horse"} | 400 | validation_failed
            POST | /signup | {"email":"a@b.c\\r\\nBcc: x@y.z","password":"correct horse"} | 400 | validation_failed
            POST | /signup | {"email":"n@example.com"} | 400 | validation_failed
            POST | /signup | {"email":"n@example.com","password":"short"} | 422 | weak_password
            POST | /signup | {"email":"n@example.com","password":"correct horse","data":{"a":"\\u0000"}} | 400 | validation_failed
            POST | /signup | {"phone":"+123456789","password":"correct horse"} | 400 | phone_provider_disabled
            POST | /token | {} | 400 | invalid_credentials
            POST | /token?grant_type=refresh_token | {} | 400 | validation_failed
            POST | /token?grant_type=refresh_token | {"refresh_token":"abc"} | 400 | validation_failed
            POST | /token?grant_type=password | {"password":"x"} | 400 | validation_failed
            GET | /user | {} | 401 | no_authorization
            POST | /logout | {} | 401 | no_authorization
            POST | /sso | {"domain":"example.com"} | 404 | saml_provider_disabled
            POST | /passkeys/authentication/options | {} | 404 | passkey_disabled
            GET | /user/oauth/grants | {} | 404 | feature_disabled
            POST | /token?grant_type=web3 | {"chain":"solana"} | 422 | web3_provider_disabled
            GET | /nowhere | {} | 404 | not_found
            POST | /signup | {"email":"n@example.com","password":"correct horse","data":{"a":1e999999}} | 400 | validation_failed
            POST | /otp | {"email":"a@b.example"} | 500 | unexpected_failure
            """)
    void whatCannotBeIsRefusedWithItsCode(String method, String path, String body, int status, String code) {
        Answer refused = AUTH.call("shop2345", method, path, null, body, NEWER);
        assertThat(refused.text("code")).as(refused.body().toString()).isEqualTo(code);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.text("message")).isNotBlank();
    }

    @Test
    void aQueryThatCannotBeReadIsRefused() throws Exception {
        assertThat(AUTH.raw("shop2345", "/token?grant_type=%zz"))
                .startsWith("HTTP/1.1 400")
                .contains("validation_failed");
    }

    @Test
    void anAccountIsNotTriedForEver() {
        signUp("kim@example.com");
        String wrong = "{\"email\":\"kim@example.com\",\"password\":\"wrong\"}";
        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < 31; i++) {
            seen.add(AUTH.post("shop2345", "/token?grant_type=password", wrong).status());
        }
        assertThat(seen.subList(0, 30)).containsOnly(400);
        assertThat(seen.getLast()).isEqualTo(429);
        assertThat(AUTH.post("shop2345", "/token?grant_type=password", user("kim@example.com"))
                        .text("error_code"))
                .as("also not with the right password, which would tell")
                .isEqualTo("over_request_rate_limit");
        AUTH.post("other234", "/signup", user("kim@example.com"));
        assertThat(AUTH.post("other234", "/token?grant_type=password", user("kim@example.com"))
                        .status())
                .as("another project's user of that address")
                .isEqualTo(200);
    }

    @Test
    void aSessionEndsWhenTheProjectSaysSo() {
        AUTH.project(
                "life2345",
                "{\"email\":{\"autoconfirm\":true},\"sessions\":{\"timeboxSeconds\":3600,\"singlePerUser\":true}}");
        Answer first = AUTH.post("life2345", "/signup", user("jim@example.com"));
        Answer second = AUTH.post("life2345", "/token?grant_type=password", user("jim@example.com"));
        String refresh = "/token?grant_type=refresh_token";
        assertThat(AUTH.post("life2345", refresh, "{\"refresh_token\":\"" + first.text("refresh_token") + "\"}")
                        .status())
                .as("one session a user")
                .isEqualTo(400);
        AUTH.pass(Duration.ofHours(2));
        assertThat(AUTH.post("life2345", refresh, "{\"refresh_token\":\"" + second.text("refresh_token") + "\"}")
                        .text("error_code"))
                .isEqualTo("session_expired");
    }
}
