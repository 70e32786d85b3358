package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;

/** Promise: where client libraries and agents rely on GoTrue's wire, it is the same. */
class WireDetailsTest extends MailedUsers {
    @Test
    void aListLeadsToItsNextPageAsAuthJsReadsIt() {
        for (int i = 0; i < 3; i++) {
            AUTH.call(SHOP, "POST", "/admin/users", "service", json("email", "page" + i + "@example.com"));
        }
        String links = AUTH.call(SHOP, "GET", "/admin/users?page=1&per_page=1", "service", null)
                .http()
                .headers()
                .firstValue("Link")
                .orElseThrow();
        for (String link : links.split(",")) {
            // auth-js: the first number of the first parameter.
            Matcher page = Pattern.compile("\\?page=([0-9]+)&per_page=1>").matcher(link);
            assertThat(page.find()).as(link).isTrue();
            if (link.contains("next")) {
                assertThat(page.group(1)).isEqualTo("2");
            }
        }
    }

    @Test
    void aUserOfTheServerHasTheServersMetadataAlone() {
        Answer made = AUTH.call(
                SHOP,
                "POST",
                "/admin/users",
                "service",
                "{\"email\":\"plain@example.com\",\"user_metadata\":{\"plan\":\"pro\"}}");
        assertThat(made.body().path("user_metadata").toString()).isEqualTo("{\"plan\":\"pro\"}");
        Answer changed = AUTH.call(
                SHOP,
                "PUT",
                "/admin/users/" + made.text("id"),
                "service",
                "{\"email\":\"plainer@example.com\",\"user_metadata\":{\"plan\":\"max\"}}");
        assertThat(changed.body().path("user_metadata").toString()).isEqualTo("{\"plan\":\"max\"}");
        JsonNode identity = changed.body().path("identities").get(0).path("identity_data");
        assertThat(identity.path("email").asText()).isEqualTo("plainer@example.com");
        assertThat(signUp(SHOP, "own@example.com")
                        .body()
                        .path("user_metadata")
                        .path("email")
                        .asText())
                .as("a public sign-up has them, as in GoTrue")
                .isEqualTo("own@example.com");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST   | /factors                                              | {"factor_type":"none"}
            POST   | /factors                                              | no JSON
            POST   | /factors/x/challenge                                  | {}
            POST   | /factors/x/verify                                     | {"code":7}
            DELETE | /factors/x                                            | {}
            PUT    | /user                                                 | {"email":"no address"}
            PUT    | /user                                                 | {"app_metadata":{}}
            PUT    | /user                                                 | no JSON
            DELETE | /user/identities/x                                    | {}
            GET    | /user/identities/authorize?provider=none              | {}
            POST   | /logout?scope=none                                    | {}
            """)
    void whoTheCallerIsComesBeforeWhatTheCallerSays(String method, String path, String body) {
        Answer refused = AUTH.call(SHOP, method, path, null, body);
        assertThat(refused.status()).as(refused.body().toString()).isEqualTo(401);
        assertThat(refused.text("error_code")).isEqualTo("no_authorization");
    }

    @Test
    void aBrokenTriggerTellsUsersNothingOfTheProjectsInside() {
        AUTH.project("broken23", "{\"email\":{\"autoconfirm\":true},\"anonymousSignIn\":true}");
        AUTH.asOwner("broken23", """
                CREATE FUNCTION welcome() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
                BEGIN INSERT INTO secret_profiles VALUES (NEW.id); RETURN NEW; END $$;
                CREATE TRIGGER welcome AFTER INSERT ON S_auth.users FOR EACH ROW EXECUTE FUNCTION welcome();
                """.replace("S_auth", AUTH.auth("broken23")));
        String user = json("email", "a@example.com", "password", "correct horse");
        Answer failed = AUTH.post("broken23", "/signup", user);
        assertThat(failed.status()).isEqualTo(500);
        assertThat(failed.text("error_code")).isEqualTo("unexpected_failure");
        assertThat(failed.text("msg")).isEqualTo("Database error saving new user");
        Answer toServer = AUTH.call("broken23", "POST", "/signup", "service", user);
        assertThat(toServer.text("msg"))
                .startsWith("Database error saving new user: [42P01]")
                .contains("secret_profiles");
    }

    @Test
    void aLinkThatIsNotValidSaysSo() {
        signUp(SHOP, "words@example.com");
        assertThat(followed(SHOP, "/verify?type=signup&token=none"))
                .contains("error_code=otp_expired")
                .contains("Email%20link%20is%20invalid%20or%20has%20expired");
        assertThat(AUTH.post(SHOP, "/verify", json("type", "signup", "token_hash", "none"))
                        .text("msg"))
                .isEqualTo("Email link is invalid or has expired");
        assertThat(verify(SHOP, "signup", "words@example.com", "x").text("msg"))
                .isEqualTo("Token has expired or is invalid");
    }
}
