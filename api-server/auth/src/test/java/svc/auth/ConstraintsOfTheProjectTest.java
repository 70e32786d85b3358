package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;
import svc.testing.TestingProjects;

/** Promise: a constraint or a trigger of the project that refuses a write is an answer of 4xx, which names it to the server. */
class ConstraintsOfTheProjectTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final String REF = "bound234";

    static {
        AUTH.project(REF, "{\"email\":{\"autoconfirm\":true},\"anonymousSignIn\":true}");
        asOwner("""
            CREATE TABLE posts (id int PRIMARY KEY, author uuid CONSTRAINT posts_author_fkey REFERENCES auth.users (id));
            CREATE TABLE profiles (id uuid REFERENCES auth.users (id) ON DELETE CASCADE, name text NOT NULL UNIQUE,
                age int CONSTRAINT profiles_age_check CHECK (age > 0), room int4range,
                CONSTRAINT profiles_room_excl EXCLUDE USING gist (room WITH &&));
            CREATE FUNCTION profile() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
            BEGIN
                IF NEW.raw_user_meta_data ->> 'raise' IS NOT NULL THEN
                    RAISE EXCEPTION 'refused' USING ERRCODE = NEW.raw_user_meta_data ->> 'raise';
                END IF;
                INSERT INTO profiles VALUES (NEW.id, NEW.raw_user_meta_data ->> 'name',
                    (NEW.raw_user_meta_data ->> 'age')::int, (NEW.raw_user_meta_data ->> 'room')::int4range);
                RETURN NEW;
            END $$;
            CREATE TRIGGER profile AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION profile();
            """);
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static void asOwner(String sql) {
        AUTH.asOwner(REF, sql.replace("auth.", AUTH.auth(REF) + "."));
    }

    private static String user(String email, String data) {
        return "{\"email\":\"" + email + "\",\"password\":\"correct horse\",\"data\":" + data + ",\"user_metadata\":"
                + data + "}";
    }

    @Test
    void aUserWithRowsOfTheProjectIsNotDeletedAndTheAnswerNamesTheKey() {
        String id = AUTH.post(REF, "/signup", user("author@example.com", "{\"name\":\"author\"}"))
                .body()
                .path("user")
                .path("id")
                .asText();
        asOwner("INSERT INTO posts VALUES (1, '" + id + "')");

        Answer refused = AUTH.call(REF, "DELETE", "/admin/users/" + id, "service", "{}");

        assertThat(refused.status()).as(refused.body().toString()).isEqualTo(409);
        assertThat(refused.text("error_code")).isEqualTo("conflict");
        assertThat(refused.text("msg"))
                .startsWith("Database error deleting user")
                .contains("[23503]")
                .contains("posts_author_fkey")
                .contains("ON DELETE");
        asOwner("DELETE FROM posts");
        assertThat(AUTH.call(REF, "DELETE", "/admin/users/" + id, "service", "{}")
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"age":1} | 422 | validation_failed | name
        {"name":"first"} | 409 | conflict | profiles_name_key
        {"name":"a","age":-1} | 422 | validation_failed | profiles_age_check
        {"name":"b","room":"[1,9]"} | 409 | conflict | profiles_room_excl
        {"name":"c","raise":"P0002"} | 422 | validation_failed | refused
        {"name":"d","raise":"PT418"} | 422 | validation_failed | refused
        """)
    void aTriggerThatViolatesAConstraintIsNoFailureOfTheServer(String data, int status, String code, String name) {
        AUTH.post(REF, "/signup", user("first@example.com", "{\"name\":\"first\",\"room\":\"[1,5]\"}"));

        Answer byUser = AUTH.post(REF, "/signup", user("next@example.com", data));
        Answer byServer = AUTH.call(REF, "POST", "/admin/users", "service", user("next@example.com", data));

        assertThat(byUser.status()).as(byUser.body().toString()).isEqualTo(status);
        assertThat(byUser.text("error_code")).isEqualTo(code);
        assertThat(byUser.text("msg")).as("the inside of the project").doesNotContain("profiles");
        assertThat(byServer.status()).isEqualTo(status);
        assertThat(byServer.text("msg")).contains(name);
    }
}
