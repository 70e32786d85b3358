package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.auth.AuthForTests.Answer;
import svc.auth.mail.MailForTests;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/**
 * Promise: users that the owner's SQL has written sign in like others, and whatever their rows hold, the service answers with no
 * fault of its own and gives no caller more than a user's rights.
 */
class RowsOfTheOwnerTest {
    private static final TestingProjects PROJECTS = TestingProjects.create();
    private static final AuthForTests AUTH = new AuthForTests(PROJECTS, MailForTests.open());
    private static final String OPEN = "{\"siteUrl\":\"https://app.example.com\",\"email\":{\"autoconfirm\":true},"
            + "\"rateLimits\":{\"emailsPerHour\":100000}}";
    private static final Tenant SHOP = AUTH.project("rows2345", OPEN);
    private static final Tenant OTHER = AUTH.project("othr2345", OPEN);

    private static final int MAX_HEADER = 7_000;

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static void asOwner(String sql) {
        PROJECTS.asOwner(SHOP, sql.replace("auth.", SHOP.names().auth().sql() + "."));
    }

    /** As a trigger of the tenant can, whatever the platform's own trigger does to the owner's rows. */
    private static void asService(String sql) {
        PROJECTS.asOperator("SET ROLE " + SHOP.names().schemaName() + "_system; "
                + sql.replace("auth.", SHOP.names().auth().sql() + "."));
    }

    private static Answer signIn(String email) {
        return AUTH.post(
                "rows2345", "/token?grant_type=password", "{\"email\":\"" + email + "\",\"password\":\"password123\"}");
    }

    private static String seeded(UUID id, String email) {
        return """
                INSERT INTO auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
                    raw_app_meta_data, raw_user_meta_data, created_at, updated_at, confirmation_token, email_change,
                    email_change_token_new, recovery_token)
                VALUES ('00000000-0000-0000-0000-000000000000', '%1$s', 'authenticated', 'authenticated', '%2$s',
                    crypt('password123', gen_salt('bf')), now(), '{"provider":"email","providers":["email"],"plan":"pro"}',
                    '{}', now(), now(), '', '', '', '');
                INSERT INTO auth.identities (id, user_id, provider_id, identity_data, provider, last_sign_in_at,
                    created_at, updated_at)
                VALUES (gen_random_uuid(), '%1$s', '%1$s', '{"sub":"%1$s","email":"%2$s"}', 'email', now(), now(), now());
                """.formatted(id, email);
    }

    @Test
    void aSeededUserSignsInWithItsPasswordAndItsClaims() throws Exception {
        asOwner(seeded(UUID.randomUUID(), "Seeded@Example.com"));
        Answer session = signIn("seeded@example.com");
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        SignedJWT token = SignedJWT.parse(session.text("access_token"));
        assertThat(token.getJWTClaimsSet().getJSONObjectClaim("app_metadata")).containsEntry("plan", "pro");
        assertThat(session.body().at("/user/identities/0/provider").asText()).isEqualTo("email");
        Answer again = signIn("SEEDED@example.com");
        assertThat(again.status()).isEqualTo(200);
        assertThat(AUTH.call("rows2345", "GET", "/user", again.text("access_token"), null)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aUserThatTheOwnerDeletesHasNoSessionAnyMore() {
        UUID id = UUID.randomUUID();
        asOwner(seeded(id, "leaving@example.com"));
        Answer session = signIn("leaving@example.com");
        asOwner("DELETE FROM auth.users WHERE id = '" + id + "'");
        assertThat(AUTH.call("rows2345", "GET", "/user", session.text("access_token"), null)
                        .status())
                .isEqualTo(403);
        assertThat(AUTH.post(
                                "rows2345",
                                "/token?grant_type=refresh_token",
                                "{\"refresh_token\":\"" + session.text("refresh_token") + "\"}")
                        .status())
                .isBetween(400, 403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "encrypted_password = 'not a hash'",
                "encrypted_password = '$2a$31$' || repeat('a', 53)",
                "encrypted_password = '$2a$06$'",
                "encrypted_password = '$argon2id$v=19$m=999999999,t=9,p=1$AAAA$AAAA'",
                "encrypted_password = ''",
                "encrypted_password = NULL",
                "email = NULL",
                "email = ''",
                "aud = 'somebody else'",
                "role = 'nobody'",
                "role = NULL, aud = NULL",
                "is_super_admin = true",
                "is_sso_user = true",
                "is_anonymous = true",
                "instance_id = NULL",
                "raw_app_meta_data = NULL, raw_user_meta_data = NULL",
                "raw_app_meta_data = '[1]', raw_user_meta_data = '\"text\"'",
                "raw_app_meta_data = '{\"provider\": 7, \"providers\": \"x\"}'",
                "raw_app_meta_data = jsonb_build_object('a', repeat('x', 250000))",
                "raw_user_meta_data = jsonb_build_object('a', repeat('x', 250000))",
                "raw_user_meta_data = '{\"n\": 1e900}'",
                "created_at = NULL, updated_at = NULL",
                "created_at = 'infinity', updated_at = '-infinity', last_sign_in_at = 'infinity'",
                "created_at = '20000-01-01', updated_at = '0044-03-15 BC'",
                "email_confirmed_at = 'infinity'",
                "email_confirmed_at = '0044-03-15 BC', recovery_sent_at = '0044-03-15 BC'",
                "recovery_sent_at = 'infinity', confirmation_sent_at = 'infinity', email_change_sent_at = 'infinity'",
                "recovery_sent_at = '290000-01-01'",
                "banned_until = 'infinity'",
                "banned_until = '-infinity'",
                "banned_until = '20000-01-01'",
                "banned_until = '4000-01-01 BC'",
                "deleted_at = now()",
                "email_change = 'someone@else.org', email_change_confirm_status = 2",
                "email_change_confirm_status = -32768",
                "confirmation_token = 'x', recovery_token = 'x', reauthentication_token = 'x'",
                "phone = 'no number', phone_change = 'x'",
            })
    void noRowOfAUserIsAFaultOfTheService(String change) {
        UUID id = UUID.randomUUID();
        String email = id + "@example.com";
        asOwner(seeded(id, email));
        asOwner("UPDATE auth.users SET " + change + " WHERE id = '" + id + "'");
        try {
            for (Answer answer : everyCall(id, email)) {
                assertThat(answer.status()).as(change + answer.body()).isLessThan(500);
            }
        } finally {
            asOwner("DELETE FROM auth.users WHERE id = '" + id + "'");
        }
        assertThat(PROJECTS.ask("SELECT count(*) FROM " + OTHER.names().auth().sql() + ".users"))
                .isEqualTo("0");
    }

    private static List<Answer> everyCall(UUID id, String email) {
        List<Answer> answers = new ArrayList<>();
        Answer session = signIn(email);
        answers.add(session);
        answers.add(AUTH.call("rows2345", "GET", "/admin/users", "service", null));
        answers.add(AUTH.call("rows2345", "GET", "/admin/users/" + id, "service", null));
        answers.add(
                AUTH.call("rows2345", "PUT", "/admin/users/" + id, "service", "{\"user_metadata\":{\"seen\":true}}"));
        answers.add(AUTH.post("rows2345", "/recover", "{\"email\":\"" + email + "\"}"));
        answers.add(AUTH.post("rows2345", "/signup", "{\"email\":\"" + email + "\",\"password\":\"another 1234\"}"));
        if (session.status() == 200) {
            String token = session.text("access_token");
            // A longer one, which large claims make, is refused by any server before the service.
            if (token.length() < MAX_HEADER) {
                answers.add(AUTH.call("rows2345", "GET", "/user", token, null));
                answers.add(AUTH.call("rows2345", "PUT", "/user", token, "{\"data\":{\"a\":1}}"));
            }
            answers.add(AUTH.post(
                    "rows2345",
                    "/token?grant_type=refresh_token",
                    "{\"refresh_token\":\"" + session.text("refresh_token") + "\"}"));
        }
        return answers;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "raw_user_meta_data = (repeat('[', 3000) || repeat(']', 3000))::jsonb",
                "raw_user_meta_data = jsonb_build_object(repeat('k', 60000), 1)",
                "raw_user_meta_data = '[1e100000]'",
            })
    void whatATriggerOfTheTenantWritesIsNoFaultEither(String change) {
        UUID id = UUID.randomUUID();
        String email = id + "@example.com";
        asOwner(seeded(id, email));
        asService("UPDATE auth.users SET " + change + " WHERE id = '" + id + "'");
        try {
            for (Answer answer : everyCall(id, email)) {
                assertThat(answer.status()).as(change + answer.body()).isLessThan(500);
            }
        } finally {
            asOwner("DELETE FROM auth.users WHERE id = '" + id + "'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"service_role", "supabase_admin", ""})
    void noRowMakesAUserTheProjectsServer(String role) throws Exception {
        UUID id = UUID.randomUUID();
        String email = id + "@example.com";
        asOwner(seeded(id, email));
        asService("UPDATE auth.users SET role = '" + role + "' WHERE id = '" + id + "'");
        Answer session = signIn(email);
        assertThat(SignedJWT.parse(session.text("access_token"))
                        .getJWTClaimsSet()
                        .getStringClaim("role"))
                .isEqualTo("authenticated");
        Answer refreshed = AUTH.post(
                "rows2345",
                "/token?grant_type=refresh_token",
                "{\"refresh_token\":\"" + session.text("refresh_token") + "\"}");
        assertThat(SignedJWT.parse(refreshed.text("access_token"))
                        .getJWTClaimsSet()
                        .getStringClaim("role"))
                .isEqualTo("authenticated");
    }
}
